import { api } from '@porchlight/contract/all.ts';
import type { Endpoint } from '@porchlight/contract/endpoint.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validBodies } from './valid-bodies.ts';
import { activeGuardian, detection, fakeAddress, guardianSession, linkedDevice, person, type TestServer, testServer } from './world.ts';

/**
 * Every call of the contract, with the cookie of a guardian: it does only what P5.2 lists. The rows come from the contract, so a new call is tried the
 * minute it exists: one that is not for guardians must refuse, and one that is must say here what it answers to whom.
 */

type Key = keyof typeof api;
type Who = 'pending' | 'active' | 'declined' | 'left' | 'removed' | 'renewed' | 'other';

const keys = Object.keys(api) as Key[];
const tableOf = (key: Key): Endpoint => api[key];
const forGuardians = keys.filter((key) => tableOf(key).access === 'guardian');
const everyone: Who[] = ['pending', 'active', 'declined', 'left', 'removed', 'renewed', 'other'];
/** Whose cookie opens nothing at all: of a removed guardian, of a link that was sent anew, and of another account's. */
const dead: Who[] = ['removed', 'renewed', 'other'];

/** What each call for guardians answers to those whose cookie lives; a state stands for 200 and a page that says so. */
const answers: Record<string, Record<'pending' | 'active' | 'declined' | 'left', string>> = {
  'GET /guardian/:id': { pending: 'pending', active: 'active', declined: 'declined', left: 'left' },
  // Whoever still has a page open may see where, and close it.
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
};

function onlyActive(active: string) {
  return { pending: 'guardian_inactive', active, declined: 'guardian_inactive', left: 'guardian_inactive' };
}

const secrets = ['Example', 'ann@example.org', 'Kitchen allowed', 'other-guardian', 'login_code', 'bypass', 'price_', '/tmp/AnyDesk'];

let server: TestServer;
let ann: { token: string };
let device: string;
let alert: string;
let own: { uuid: string; session: Record<string, string> };
beforeAll(async () => {
  server = await testServer();
  ann = await person(server, 'Ann Example', 'ann@example.org');
  const { uuid, agent } = await linkedDevice(server, ann.token, 'Den PC');
  device = uuid;
  const body = { type: 'domain', identifier: 'kitchen-allowed.example.com', lasts: null };
  await server.call(`POST /web/devices/${device}/v2/exceptions`, { token: ann.token, body });
  const seen = detection(server);
  alert = seen.uuid;
  await server.call('POST /agent/detections', { token: agent, body: { detections: [seen] } });
  const eve = await person(server, 'Eve Other');
  own = await activeGuardian(server, eve.token, 'Bob');
});
afterAll(() => server.close());

let made = 0;
/** A guardian of Ann's as they are at that moment, the only one of hers, and their cookie. */
async function guardian(who: Who): Promise<{ uuid: string; session: Record<string, string> }> {
  const { token } = ann;
  // Invitations are counted by the day.
  if (made++ % 15 === 0) server.clock.turn(25 * 3_600_000);
  const listed = (await server.call('GET /web/guardians', { token })).body.guardians as unknown as { uuid: string }[];
  for (const { uuid } of listed) await server.call(`DELETE /web/guardians/${uuid}`, { token });
  const email = `bob-${made}@example.net`;
  if (who !== 'pending' && who !== 'declined') {
    const bob = await activeGuardian(server, token, 'Bob', email);
    if (who === 'left') await server.call(`POST /guardian/${bob.uuid}/leave`, { headers: bob.session });
    if (who === 'removed') await server.call(`DELETE /web/guardians/${bob.uuid}`, { token });
    if (who === 'renewed') await server.call(`POST /web/guardians/${bob.uuid}/resend`, { token });
    return who === 'other' ? { uuid: bob.uuid, session: own.session } : bob;
  }
  const { body } = await server.call('POST /web/create-guardian', { token, body: { name: 'Bob', email } });
  const bob = { uuid: String(body.uuid), session: await guardianSession(server, String(body.uuid), email) };
  if (who === 'declined') await server.call(`POST /guardian/${bob.uuid}/decline`, { headers: bob.session });
  return bob;
}

/** The call with ids of Ann's in its path, the guardian's own where it takes one. */
const pathOf = (key: Key, uuid: string) =>
  key
    .replace(/\/alerts\/:uuid\//, `/alerts/${alert}/`)
    .replace(/(\/guardians?\/):\w+/, `$1${uuid}`)
    .replace(/(\/devices\/):\w+/, `$1${device}`)
    .replace(/(\/detections\/):\w+/, `$1${alert}`)
    .replace(/:\w+/g, '11111111-1111-4111-8111-111111111111');
const call = (key: Key, by: { uuid: string; session: Record<string, string> }) => {
  const body = validBodies[key];
  return server.call(pathOf(key, by.uuid), { headers: { ...by.session, 'x-forwarded-for': fakeAddress() }, ...(body ? { body } : {}) });
};
/** What Ann has, as far as a guardian might touch it. */
const hers = async () => {
  const paths = [
    '/web/profile',
    '/web/devices',
    '/web/alert-settings',
    '/web/acts',
    `/web/devices/${device}/v2/exceptions`,
    '/web/guardians',
  ];
  return Promise.all(paths.map(async (path) => (await server.call(`GET ${path}`, { token: ann.token })).body));
};

test('each call for guardians says here what it answers', () => {
  expect(Object.keys(answers).toSorted()).toEqual(forGuardians.toSorted());
});

describe.each(forGuardians)('[P5.2] %s', (key) => {
  test.each(everyone)('by a guardian who is %s', async (who) => {
    const bob = await guardian(who);
    const before = await hers();
    const { status, body } = await call(key, bob);
    if (who === 'pending' || who === 'active' || who === 'declined' || who === 'left') {
      const expected = answers[key]?.[who];
      expect(status === 200 ? (body.sessions ? 'listed' : body.state) : body.code).toBe(expected);
      const page = (await call('GET /guardian/:id', bob)).body as unknown as { state: string; devices: unknown[]; alerts: unknown[] };
      const shown = page.state === 'active' ? 1 : 0;
      expect([page.devices.length, page.alerts.length]).toEqual([shown, shown]);
      for (const secret of secrets) expect(JSON.stringify([body, page])).not.toContain(secret);
    } else {
      expect([status, body.code]).toEqual([410, 'guardian_link_dead']);
      expect(await hers()).toEqual(before);
    }
  });
});

const closed = keys.filter((key) => !['public', 'guardian'].includes(tableOf(key).access));
describe("[P5.2] with a guardian's cookie everything else is refused and changes nothing", () => {
  let bob: Awaited<ReturnType<typeof guardian>>;
  let before: unknown;
  beforeAll(async () => {
    bob = await guardian('active');
    before = await hers();
  });
  test.each(closed)('%s', async (key) => {
    for (const by of [bob, { ...bob, session: own.session }]) {
      const { status, body } = await call(key, by);
      expect([status, body.code]).toEqual([401, 'unauthorized']);
    }
    expect(await hers()).toEqual(before);
  });
});

test('[P5.2] the key of a link is no token, and the cookie none either', async () => {
  const bob = await guardian('active');
  const cookie = /guardian_session=([^;]+)/.exec(bob.session.cookie ?? '')?.[1] ?? '';
  for (const path of ['GET /web/devices', 'GET /web/profile', 'POST /agent/check-in']) {
    const body = path === 'POST /agent/check-in' ? { body: validBodies[path] } : {};
    expect((await server.call(path, { token: cookie, ...body })).status, path).toBe(401);
  }
});

test('[P5.2] a page that is open stops at once when the guardian is removed, and a look-out for someone else goes on', async () => {
  for (const who of dead) {
    const bob = await guardian(who);
    for (const key of forGuardians) expect((await call(key, bob)).status, `${who}: ${key}`).toBe(410);
  }
  expect((await server.call(`GET /guardian/${own.uuid}`, { headers: own.session })).body).toMatchObject({ state: 'active' });
});
