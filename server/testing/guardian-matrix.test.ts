import { api } from '@porchlight/contract/all.ts';
import type { Endpoint } from '@porchlight/contract/endpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validBodies } from './valid-bodies.ts';
import {
  activeGuardian,
  detection,
  endIncidents,
  fakeAddress,
  guardianSession,
  linkedDevice,
  person,
  type TestServer,
  testServer,
} from './world.ts';

/** Guardians can make only the calls of P5.2. The calls come from the contract: a new call must refuse guardians, or be listed here. */

type Key = keyof typeof api;
type GuardianState = 'pending' | 'active' | 'declined' | 'left' | 'removed' | 'renewed' | 'other';

const keys = Object.keys(api) as Key[];
const tableOf = (key: Key): Endpoint => api[key];
const forGuardians = keys.filter((key) => tableOf(key).access === 'guardian');
const allStates: GuardianState[] = ['pending', 'active', 'declined', 'left', 'removed', 'renewed', 'other'];
/** Invalid cookies: of a removed guardian, of a replaced link, and of another account's guardian. */
const invalidStates: GuardianState[] = ['removed', 'renewed', 'other'];

/** Answers by the state of the guardian; a state as answer means 200 and a page with that state, `incident` 200 and an incident, `emergency` 200 and an emergency, `nothing` 200 and `{}`. */
const answers: Record<string, Record<'pending' | 'active' | 'declined' | 'left', string>> = {
  'GET /guardian/:id': { pending: 'pending', active: 'active', declined: 'declined', left: 'left' },
  // Sessions stay visible and can be ended in every state.
  'GET /guardian/:id/sessions': { pending: 'listed', active: 'listed', declined: 'listed', left: 'listed' },
  'DELETE /guardian/:id/sessions/:uuid': { pending: 'not_found', active: 'not_found', declined: 'not_found', left: 'not_found' },
  'POST /guardian/:id/accept': { pending: 'active', active: 'active', declined: 'link_expired', left: 'link_expired' },
  'POST /guardian/:id/decline': { pending: 'declined', active: 'left', declined: 'declined', left: 'link_expired' },
  'POST /guardian/:id/leave': { pending: 'guardian_inactive', active: 'left', declined: 'guardian_inactive', left: 'left' },
  'PATCH /guardian/:id': onlyActive('active'),
  'POST /guardian/:id/send-phone-code': onlyActive('phone_missing'),
  'POST /guardian/:id/verify-phone': onlyActive('phone_code_expired'),
  'POST /guardian/:id/alerts/:uuid/seen': onlyActive('active'),
  'POST /guardian/:id/alerts/:uuid/answer': onlyActive('active'),
  'POST /guardian/:id/devices/:uuid': onlyActive('active'),
  'GET /guardian/:id/incidents/:uuid': onlyActive('incident'),
  'POST /guardian/:id/incidents/:uuid': onlyActive('incident'),
  'POST /guardian/:id/incidents/:uuid/steps': onlyActive('incident'),
  'POST /guardian/:id/incidents/:uuid/how': onlyActive('incident'),
  'POST /guardian/:id/requests/:uuid': onlyActive('not_found'),
  'POST /guardian/:id/answer-code': onlyActive('phone_missing'),
  'GET /guardian/:id/emergency': onlyActive('emergency'),
  'POST /guardian/:id/stop': onlyActive('emergency'),
  'POST /guardian/:id/push': onlyActive('nothing'),
  // Who has left may still say that the browser should show nothing.
  'POST /guardian/:id/push/end': { pending: 'nothing', active: 'nothing', declined: 'nothing', left: 'nothing' },
  'GET /guardian/:id/appointments': onlyActive('nothing'),
  // No device of the account has the id in the body.
  'GET /guardian/:id/appointments/:device': onlyActive('not_found'),
  'POST /guardian/:id/appointments': onlyActive('may_not_answer'),
  'POST /guardian/:id/appointments/:uuid/end': onlyActive('not_found'),
  'POST /guardian/:id/codes': onlyActive('not_found'),
};

function onlyActive(active: string) {
  return { pending: 'guardian_inactive', active, declined: 'guardian_inactive', left: 'guardian_inactive' };
}

const secrets = ['Example', 'ann@example.org', 'Kitchen allowed', 'other-guardian', 'login_code', 'bypass', 'price_', '/tmp/AnyDesk'];

let server: TestServer;
let ann: { token: string };
let device: string;
let alert: string;
let incident: string;
let otherGuardian: { uuid: string; session: Record<string, string> };
beforeAll(async () => {
  server = await testServer();
  ann = await person(server, 'Ann Example', 'ann@example.org');
  const { uuid, agent } = await linkedDevice(server, ann.token, 'Den PC');
  device = uuid;
  const body = { type: 'domain', identifier: 'kitchen-allowed.example.com', lasts: null };
  await server.call(`POST /web/devices/${device}/v2/exceptions`, { token: ann.token, body });
  const reported = detection(server);
  alert = reported.uuid;
  await server.call('POST /agent/detections', { token: agent, body: { detections: [reported] } });
  const { items } = (await server.call('GET /web/incidents', { token: ann.token })).body;
  incident = String((items as unknown as { uuid: string }[])[0]?.uuid);
  const eve = await person(server, 'Eve Other');
  otherGuardian = await activeGuardian(server, eve.token, 'Bob');
});
afterAll(() => server.close());

let guardianCount = 0;
/** Creates Ann's only guardian, in the given state. */
async function guardian(guardianState: GuardianState): Promise<{ uuid: string; session: Record<string, string> }> {
  const { token } = ann;
  // A press of Stop this before opened one, in which the changes below would wait.
  await endIncidents(server);
  // Invitations have a daily limit.
  if (guardianCount++ % 15 === 0) server.clock.turn(25 * 3_600_000);
  const listedGuardians = (await server.call('GET /web/guardians', { token })).body.guardians as unknown as { uuid: string }[];
  for (const { uuid } of listedGuardians) await server.call(`DELETE /web/guardians/${uuid}`, { token });
  const email = `bob-${guardianCount}@example.net`;
  if (guardianState !== 'pending' && guardianState !== 'declined') {
    const bob = await activeGuardian(server, token, 'Bob', email);
    if (guardianState === 'left') await server.call(`POST /guardian/${bob.uuid}/leave`, { headers: bob.session });
    if (guardianState === 'removed') await server.call(`DELETE /web/guardians/${bob.uuid}`, { token });
    if (guardianState === 'renewed') await server.call(`POST /web/guardians/${bob.uuid}/resend`, { token });
    return guardianState === 'other' ? { uuid: bob.uuid, session: otherGuardian.session } : bob;
  }
  const { body } = await server.call('POST /web/create-guardian', { token, body: { name: 'Bob', email } });
  const bob = { uuid: String(body.uuid), session: await guardianSession(server, String(body.uuid), email) };
  if (guardianState === 'declined') await server.call(`POST /guardian/${bob.uuid}/decline`, { headers: bob.session });
  return bob;
}

/** The path with Ann's ids, and the guardian's own id where needed. */
const pathOf = (key: Key, uuid: string) =>
  key
    .replace(/\/alerts\/:uuid\//, `/alerts/${alert}/`)
    .replace(/\/incidents\/:uuid/, `/incidents/${incident}`)
    .replace(/(\/guardians?\/):\w+/, `$1${uuid}`)
    .replace(/(\/devices\/):\w+/, `$1${device}`)
    .replace(/(\/detections\/):\w+/, `$1${alert}`)
    .replace(/:\w+/g, '11111111-1111-4111-8111-111111111111');
const call = (key: Key, by: { uuid: string; session: Record<string, string> }) => {
  const body = validBodies[key];
  return server.call(pathOf(key, by.uuid), { headers: { ...by.session, 'x-forwarded-for': fakeAddress() }, ...(body ? { body } : {}) });
};
const annsData = async () => {
  const paths = [
    '/web/profile',
    '/web/devices',
    '/web/alert-settings',
    '/web/browsing-protection',
    '/web/unlisted-protection',
    '/web/acts',
    `/web/devices/${device}/v2/exceptions`,
    '/web/guardians',
  ];
  return Promise.all(paths.map(async (path) => (await server.call(`GET ${path}`, { token: ann.token })).body));
};

test('for each call that guardians can make, the expected answers are listed in this file', () => {
  expect(Object.keys(answers).toSorted()).toEqual(forGuardians.toSorted());
});

describe.each(forGuardians)('[P5.2] the call %s has the listed answer for guardians', (key) => {
  test.each(allStates)('the call by a guardian in the state %s has the listed answer', async (guardianState) => {
    const bob = await guardian(guardianState);
    const before = await annsData();
    const { status, body } = await call(key, bob);
    if (guardianState === 'pending' || guardianState === 'active' || guardianState === 'declined' || guardianState === 'left') {
      const expected = answers[key]?.[guardianState];
      expect(
        status === 200
          ? body.sessions
            ? 'listed'
            : body.opener
              ? 'incident'
              : body.may_stop
                ? 'emergency'
                : (body.state ?? 'nothing')
          : body.code,
      ).toBe(expected);
      const page = (await call('GET /guardian/:id', bob)).body as unknown as { state: string; devices: unknown[]; alerts: unknown[] };
      const expectedCount = page.state === 'active' ? 1 : 0;
      expect([page.devices.length, page.alerts.length]).toEqual([expectedCount, expectedCount]);
      for (const secret of secrets) expect(JSON.stringify([body, page])).not.toContain(secret);
    } else {
      expect([status, body.code]).toEqual([410, 'guardian_link_dead']);
      expect(await annsData()).toEqual(before);
    }
  });
});

const refusedKeys = keys.filter((key) => !['public', 'guardian'].includes(tableOf(key).access));
describe("[P5.2] with a guardian's cookie every call that is not for guardians is refused and changes nothing", () => {
  let bob: Awaited<ReturnType<typeof guardian>>;
  let before: unknown;
  beforeAll(async () => {
    bob = await guardian('active');
    before = await annsData();
  });
  test.each(refusedKeys)("the call %s with a guardian's cookie is refused and changes nothing", async (key) => {
    for (const by of [bob, { ...bob, session: otherGuardian.session }]) {
      const { status, body } = await call(key, by);
      expect([status, body.code]).toEqual([401, 'unauthorized']);
    }
    expect(await annsData()).toEqual(before);
  });
});

test('[P5.2] neither the key of a guardian’s link nor the cookie works as a token of the API', async () => {
  const bob = await guardian('active');
  const cookie = /guardian_session=([^;]+)/.exec(bob.session.cookie ?? '')?.[1] ?? '';
  for (const path of ['GET /web/devices', 'GET /web/profile', 'POST /agent/check-in']) {
    const body = path === 'POST /agent/check-in' ? { body: validBodies[path] } : {};
    expect((await server.call(path, { token: cookie, ...body })).status, path).toBe(401);
  }
});

test('[P5.2] the open page of a guardian stops working when the guardian is removed, while the guardian’s page for another holder still works', async () => {
  for (const guardianState of invalidStates) {
    const bob = await guardian(guardianState);
    for (const key of forGuardians) expect((await call(key, bob)).status, `${guardianState}: ${key}`).toBe(410);
  }
  expect((await server.call(`GET /guardian/${otherGuardian.uuid}`, { headers: otherGuardian.session })).body).toMatchObject({
    state: 'active',
  });
});
