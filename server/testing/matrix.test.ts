import { randomUUID } from 'node:crypto';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { api } from '@porchlight/contract/all.ts';
import type { Endpoint } from '@porchlight/contract/endpoint.ts';
import { commonErrors, errors, errorsOfAccess } from '@porchlight/contract/errors.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addedPasskey } from './passkey-device.ts';
import { validBodies } from './valid-bodies.ts';
import { activeGuardian, detection, linkedDevice, newcomer, person, type TestServer, testServer } from './world.ts';

/** The calls come from the contract: a new call is tested at once, and with an id in its path needs a line in `idFor`. */

let server: TestServer;
let ann: { token: string };
let eve: { token: string };
let device: { uuid: string; agent: string };
let bob: { uuid: string; session: Record<string, string> };
let alert: string;
let policy: string;
let session: string;
let passkey: string;
/** A session unused for 30 days, the token of a removed device, the cookie of a removed guardian. */
let incident: string;
let request: string;
let appointment: string;
let pastCredentials: { expired: string; removed: string; guardian: Record<string, string>; guardian_id: string };

beforeAll(async () => {
  server = await testServer();
  const oldUser = await person(server);
  server.clock.turn(serverLimits.session_unused + 1);
  [ann, eve] = [await person(server), await person(server)];
  const removedDevice = await linkedDevice(server, ann.token, 'Gone PC');
  await server.call(`DELETE /web/devices/${removedDevice.uuid}`, { token: ann.token });
  // Until then one call is still for the removed device (P10.9).
  server.clock.turn(agentLimits.after_account);
  const carol = await activeGuardian(server, ann.token, 'Carol');
  await server.call(`DELETE /web/guardians/${carol.uuid}`, { token: ann.token });
  pastCredentials = { expired: oldUser.token, removed: removedDevice.agent, guardian: carol.session, guardian_id: carol.uuid };
  device = await linkedDevice(server, ann.token);
  bob = await activeGuardian(server, ann.token);
  const { body: here } = await server.call('GET /web/accounts/sessions', { token: ann.token });
  session = String(here.sessions?.[0]?.uuid);
  await addedPasskey(server, ann.token);
  passkey = String((await server.call('GET /web/sign-in-methods', { token: ann.token })).body.passkeys?.[0]?.uuid);
  policy = String((await server.call('POST /web/policies', { token: ann.token, body: validBodies['POST /web/policies'] })).body.uuid);
  const reported = detection(server);
  alert = reported.uuid;
  await server.call('POST /agent/detections', { token: device.agent, body: { detections: [reported] } });
  const { items } = (await server.call('GET /web/incidents', { token: ann.token })).body;
  incident = String((items as unknown as { uuid: string }[])[0]?.uuid);
  request = String((await server.call('GET /web/bypasspassword', { token: ann.token })).body.request);
  appointment = await runningAppointment(server, device.uuid);
});
afterAll(() => server.close());

/** Opened without the proof that it takes. */
async function runningAppointment({ db, clock }: TestServer, uuid: string): Promise<string> {
  const { account } = await db.selectFrom('devices').select('account').where('uuid', '=', uuid).executeTakeFirstOrThrow();
  const time = clock.now();
  const row = { uuid: randomUUID(), account, device: uuid, identifier: 'teamviewer', program: 'TeamViewer', person: account, name: 'Ann' };
  await db
    .insertInto('appointments')
    .values({ ...row, time, until: new Date(time.getTime() + 365 * day), money_pages: false })
    .execute();
  return row.uuid;
}

const errorOfStrangers = 'sender_unknown';
const keys = Object.keys(api) as (keyof typeof api)[];
const tableOf = (key: keyof typeof api): Endpoint => api[key];

function idFor(key: string): string {
  if (key.includes('/guardian/') || key.includes('/web/guardians/')) return bob.uuid;
  if (key.includes('/web/devices/')) return device.uuid;
  if (key.includes('/web/policies/')) return policy;
  if (key.includes('/web/detections/')) return alert;
  if (key.includes('/web/incidents/')) return incident;
  if (key.includes('/web/requests/')) return request;
  if (key.includes('/web/accounts/sessions/')) return session;
  if (key.includes('/web/passkeys/')) return passkey;
  if (key.includes('/web/appointments/')) return key.endsWith(':device') ? device.uuid : appointment;
  // A part's id is a hash of its content, the same for all accounts.
  if (key.includes('/definitions/parts/')) return '0'.repeat(64);
  // An unsubscribe link needs no account: its token authorizes.
  if (key.includes('/unsubscribe/')) return 'x';
  throw new Error(`Add ${key} to \`idFor\` in this file: an id of Ann’s.`);
}

const withId = (key: string, id: () => string) =>
  key.includes(':') ? key.replace(/:\w+/, id()).replace('/alerts/:uuid/', `/alerts/${alert}/`).replace(':uuid', session) : key;
const body = (key: keyof typeof api) => {
  if (!tableOf(key).body) return {};
  if (!(key in validBodies)) throw new Error(`Add a valid body of ${key} to server/testing/valid-bodies.ts.`);
  return { body: validBodies[key] };
};

test('the matrix contains every call of the contract', () => {
  expect(keys.length).toBeGreaterThanOrEqual(28);
});

describe.each(keys.filter((key) => tableOf(key).access !== 'public'))('access to the call %s', (key) => {
  const { access } = tableOf(key);
  const isOfDevice = access.startsWith('device');
  const refusal =
    access === 'guardian' ? { status: 410, body: { code: 'guardian_link_dead' } } : { status: 401, body: { code: 'unauthorized' } };

  test.each([
    ['no token', () => ({})],
    ['a token that is none', () => ({ token: 'x'.repeat(43) })],
    ['a token of the wrong kind', () => ({ token: isOfDevice ? ann.token : device.agent })],
    ["a guardian's cookie of someone else's page", () => ({ headers: access === 'guardian' ? {} : bob.session })],
  ])('the call is refused with %s', async (_what, credentialsOf) => {
    const reply = await server.call(
      withId(key, () => idFor(key)),
      { ...body(key), ...credentialsOf() },
    );
    expect(reply).toMatchObject(refusal);
    expect(typeof reply.body.request_id).toBe('string');
  });

  test('the call is refused with expired or revoked credentials', async () => {
    const revoked = {
      account: { token: pastCredentials.expired },
      confirmed: { token: pastCredentials.expired },
      member: { token: pastCredentials.expired },
      device: { token: pastCredentials.removed },
      device_or_removed: { token: pastCredentials.removed },
      guardian: { headers: pastCredentials.guardian },
      public: {},
    }[access];
    const path = access === 'guardian' ? withId(key, () => pastCredentials.guardian_id) : withId(key, () => idFor(key));
    const expected = isOfDevice ? { status: 410, body: { code: 'device_removed' } } : refusal;
    expect(await server.call(path, { ...body(key), ...revoked })).toMatchObject(expected);
  });

  test('the call is refused with a session that was logged out', async () => {
    if (!holders(key)) return;
    const loggedOut = await newcomer(server);
    await server.call('POST /web/logout', { token: loggedOut.token });
    expect(
      await server.call(
        withId(key, () => idFor(key)),
        { token: loggedOut.token, ...body(key) },
      ),
    ).toMatchObject(refusal);
  });
});

const holders = (key: keyof typeof api) => ['account', 'confirmed', 'member'].includes(tableOf(key).access);

test.each(keys.filter((key) => holders(key) && key.includes(':')))(
  "the call %s with another account's id is answered like an id that does not exist, and changes nothing",
  async (key) => {
    const before = await server.call('GET /web/devices', { token: ann.token });
    const repliesOfOther = await server.call(
      withId(key, () => idFor(key)),
      { token: eve.token, ...body(key) },
    );
    const replyToUnknown = await server.call(
      withId(key, () => '11111111-1111-4111-8111-111111111111'),
      { token: eve.token, ...body(key) },
    );
    const malformed = await server.call(
      withId(key, () => 'x'),
      { token: eve.token, ...body(key) },
    );
    for (const reply of [repliesOfOther, replyToUnknown, malformed]) {
      expect({ ...reply.body, status: reply.status, request_id: '' }).toEqual({
        code: 'not_found',
        error: errors.not_found.words,
        status: 404,
        request_id: '',
      });
    }
    expect((await server.call('GET /web/devices', { token: ann.token })).body).toEqual(before.body);
  },
);

test.each(keys.filter((key) => ['confirmed', 'member'].includes(tableOf(key).access)))(
  '[6.4] the call %s is refused until the email address is confirmed',
  async (key) => {
    const email = `unconfirmed-${keys.indexOf(key)}@example.org`;
    const password = 'correct horse battery';
    const headers = { 'x-forwarded-for': `198.18.9.${keys.indexOf(key)}` };
    await server.call('POST /register', { body: { name: 'New', email, password }, headers });
    const { body: login } = await server.call('POST /login/web', { body: { email, password }, headers });
    const reply = await server.call(
      withId(key, () => idFor(key)),
      { token: String(login.web_token), ...body(key) },
    );
    expect(reply).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
  },
);

test.each(keys.filter((key) => tableOf(key).access === 'public'))(
  'the call %s needs no token, and ignores a token that is sent',
  async (key) => {
    const addressOf = (i: number) => ({ 'x-forwarded-for': `198.18.${10 + i}.${keys.indexOf(key)}` });
    const search = tableOf(key).query ? '?code=NO-SUCH-CODE' : '';
    const answers: unknown[] = [];
    for (const [i, token] of [undefined, pastCredentials.expired, device.agent, ann.token, 'x'.repeat(43)].entries()) {
      const reply = await server.call(`${withId(key, () => idFor(key))}${search}`, {
        ...body(key),
        ...(token ? { token } : {}),
        headers: addressOf(i),
      });
      // Calls of the carrier need a signature, which no caller here has.
      if (String(reply.body.code) !== errorOfStrangers) expect([401, 403]).not.toContain(reply.status);
      answers.push([reply.status, reply.body.code]);
    }
    expect(new Set(answers.map(String)).size).toBe(1);
  },
);

test.each(keys.filter(holders))('[6.3] [6.2] the call %s without a valid plan is refused exactly if the call needs a plan', async (key) => {
  const { token } = await newcomer(server);
  const reply = await server.call(
    withId(key, () => idFor(key)),
    { token, ...body(key) },
  );
  const refusedReply = { status: 403, body: { code: 'not_subscribed' } };
  if (tableOf(key).access === 'member') expect(reply).toMatchObject(refusedReply);
  else expect(reply.body.code).not.toBe('not_subscribed');
});

test.each(keys)('the contract of the call %s names only existing errors, each once', (key) => {
  const namedErrors = [...tableOf(key).errors, ...errorsOfAccess[tableOf(key).access], ...commonErrors];
  for (const code of namedErrors) expect(errors[code]).toBeDefined();
  expect(new Set(namedErrors).size).toBe(namedErrors.length);
});

test('a body that is not JSON, too large or of another type is refused with a text, never with a stack', async () => {
  const send = (payload: string, type = 'application/json') =>
    server.app.http.inject({ method: 'POST', url: '/api/login/web', headers: { 'content-type': type }, payload });
  for (const [answer, status] of [
    [await send('{"email":'), 422],
    [await send('x=1', 'application/x-www-form-urlencoded'), 422],
    [await send(JSON.stringify({ email: 'x'.repeat(300_000), password: 'x' })), 413],
    [await send('{"__proto__":{"admin":true},"email":"a@example.org","password":"x"}'), 422],
  ] as const) {
    expect(answer.statusCode).toBe(status);
    const reply = answer.json<{ error: string; request_id: string }>();
    expect(Object.keys(reply)).toEqual(expect.arrayContaining(['error', 'code', 'request_id']));
    expect(answer.body).not.toMatch(/ at .+:\d+|<html/);
  }
});

test('an unknown path is answered with 404 and our error body, and /healthz and /readyz answer', async () => {
  expect((await server.app.http.inject('/api/nothing')).json()).toMatchObject({ code: 'not_found' });
  expect((await server.app.http.inject('/healthz')).json()).toEqual({ ok: true });
  expect((await server.app.http.inject('/readyz')).json()).toEqual({ ok: true });
});

test('the OpenAPI page lists every call of the contract', async () => {
  const { paths } = (await server.app.http.inject('/api/docs')).json<{ paths: Record<string, object> }>();
  for (const key of keys) {
    const [method = '', path = ''] = key.split(' ');
    expect(paths[`/api${path.replace(/:(\w+)/g, '{$1}')}`], key).toHaveProperty(method.toLowerCase());
  }
});

test('the log contains no personal data', () => {
  const log = server.logged();
  expect(log).toContain('/api/login/web');
  for (const secret of [ann.token, device.agent, 'example.org', 'Ann Example', 'correct horse']) expect(log).not.toContain(secret);
});
