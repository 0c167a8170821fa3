import { api } from '@porchlight/contract/all.ts';
import type { Endpoint } from '@porchlight/contract/endpoint.ts';
import { commonErrors, errors, errorsOfAccess } from '@porchlight/contract/errors.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validBodies } from './valid-bodies.ts';
import { activeGuardian, detection, linkedDevice, newcomer, person, type TestServer, testServer } from './world.ts';

/**
 * Every call of the contract, tried by everyone who may not make it. The rows come from the contract itself:
 * a new call is tried the minute it exists, and one with an id in its path needs a line in `idFor`, or this fails.
 */

let server: TestServer;
let ann: { token: string };
let eve: { token: string };
let device: { uuid: string; agent: string };
let bob: { uuid: string; session: Record<string, string> };
let alert: string;
let policy: string;
let session: string;
/** What opened something once: a session unused for 30 days, the token of a removed device, the cookie of a removed guardian. */
let past: { expired: string; removed: string; guardian: Record<string, string>; guardian_id: string };

beforeAll(async () => {
  server = await testServer();
  const old = await person(server);
  server.clock.turn(serverLimits.session_unused + 1);
  [ann, eve] = [await person(server), await person(server)];
  const gone = await linkedDevice(server, ann.token, 'Gone PC');
  await server.call(`DELETE /web/devices/${gone.uuid}`, { token: ann.token });
  const carol = await activeGuardian(server, ann.token, 'Carol');
  await server.call(`DELETE /web/guardians/${carol.uuid}`, { token: ann.token });
  past = { expired: old.token, removed: gone.agent, guardian: carol.session, guardian_id: carol.uuid };
  device = await linkedDevice(server, ann.token);
  bob = await activeGuardian(server, ann.token);
  const { body: here } = await server.call('GET /web/accounts/sessions', { token: ann.token });
  session = String(here.sessions?.[0]?.uuid);
  policy = String((await server.call('POST /web/policies', { token: ann.token, body: validBodies['POST /web/policies'] })).body.uuid);
  const seen = detection(server);
  alert = seen.uuid;
  await server.call('POST /agent/detections', { token: device.agent, body: { detections: [seen] } });
});
afterAll(() => server.close());

const errorOfStrangers = 'sender_unknown';
const keys = Object.keys(api) as (keyof typeof api)[];
const tableOf = (key: keyof typeof api): Endpoint => api[key];

/** An id of Ann's for each call that has one in its path. */
function idFor(key: string): string {
  if (key.includes('/guardian/') || key.includes('/web/guardians/')) return bob.uuid;
  if (key.includes('/web/devices/')) return device.uuid;
  if (key.includes('/web/policies/')) return policy;
  if (key.includes('/web/detections/')) return alert;
  if (key.includes('/web/accounts/sessions/')) return session;
  // Of everyone: it is known by its content.
  if (key.includes('/definitions/parts/')) return '0'.repeat(64);
  // Of nobody: what opens it is in it.
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

test('the matrix looks at every call of the contract', () => {
  expect(keys.length).toBeGreaterThanOrEqual(28);
});

describe.each(keys.filter((key) => tableOf(key).access !== 'public'))('%s', (key) => {
  const { access } = tableOf(key);
  const refusal =
    access === 'guardian' ? { status: 410, body: { code: 'guardian_link_dead' } } : { status: 401, body: { code: 'unauthorized' } };

  test.each([
    ['no token', () => ({})],
    ['a token that is none', () => ({ token: 'x'.repeat(43) })],
    ['a token of the wrong kind', () => ({ token: access === 'device' ? ann.token : device.agent })],
    ["a guardian's cookie of someone else's page", () => ({ headers: access === 'guardian' ? {} : bob.session })],
  ])('is refused with %s', async (_what, who) => {
    const reply = await server.call(
      withId(key, () => idFor(key)),
      { ...body(key), ...who() },
    );
    expect(reply).toMatchObject(refusal);
    expect(typeof reply.body.request_id).toBe('string');
  });

  test('is refused with what has expired or was revoked', async () => {
    const revoked = {
      account: { token: past.expired },
      confirmed: { token: past.expired },
      member: { token: past.expired },
      device: { token: past.removed },
      guardian: { headers: past.guardian },
      public: {},
    }[access];
    const path = access === 'guardian' ? withId(key, () => past.guardian_id) : withId(key, () => idFor(key));
    const expected = access === 'device' ? { status: 410, body: { code: 'device_removed' } } : refusal;
    expect(await server.call(path, { ...body(key), ...revoked })).toMatchObject(expected);
  });

  test('is refused with a session that was logged out', async () => {
    if (!holders(key)) return;
    const gone = await newcomer(server);
    await server.call('POST /web/logout', { token: gone.token });
    expect(
      await server.call(
        withId(key, () => idFor(key)),
        { token: gone.token, ...body(key) },
      ),
    ).toMatchObject(refusal);
  });
});

const holders = (key: keyof typeof api) => ['account', 'confirmed', 'member'].includes(tableOf(key).access);

test.each(keys.filter((key) => holders(key) && key.includes(':')))(
  "%s with someone else's id is the same as with an id that does not exist, and changes nothing",
  async (key) => {
    const before = await server.call('GET /web/devices', { token: ann.token });
    const theirs = await server.call(
      withId(key, () => idFor(key)),
      { token: eve.token, ...body(key) },
    );
    const none = await server.call(
      withId(key, () => '11111111-1111-4111-8111-111111111111'),
      { token: eve.token, ...body(key) },
    );
    const malformed = await server.call(
      withId(key, () => 'x'),
      { token: eve.token, ...body(key) },
    );
    for (const reply of [theirs, none, malformed]) {
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
  '[6.4] %s is refused until the address is confirmed',
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
  '%s asks for no token, and does not mind one of any kind',
  async (key) => {
    const from = (i: number) => ({ 'x-forwarded-for': `198.18.${10 + i}.${keys.indexOf(key)}` });
    const search = tableOf(key).query ? '?code=NO-SUCH-CODE' : '';
    const answers: unknown[] = [];
    for (const [i, token] of [undefined, past.expired, device.agent, ann.token, 'x'.repeat(43)].entries()) {
      const reply = await server.call(`${withId(key, () => idFor(key))}${search}`, {
        ...body(key),
        ...(token ? { token } : {}),
        headers: from(i),
      });
      // What the carrier posts is known by its signature, which nobody here has.
      if (String(reply.body.code) !== errorOfStrangers) expect([401, 403]).not.toContain(reply.status);
      answers.push([reply.status, reply.body.code]);
    }
    expect(new Set(answers.map(String)).size).toBe(1);
  },
);

test.each(keys.filter(holders))('[6.3] [6.2] %s without a valid plan', async (key) => {
  const { token } = await newcomer(server);
  const reply = await server.call(
    withId(key, () => idFor(key)),
    { token, ...body(key) },
  );
  const refused = { status: 403, body: { code: 'not_subscribed' } };
  if (tableOf(key).access === 'member') expect(reply).toMatchObject(refused);
  else expect(reply.body.code).not.toBe('not_subscribed');
});

test.each(keys)('%s names only errors that exist, and none twice', (key) => {
  const named = [...tableOf(key).errors, ...errorsOfAccess[tableOf(key).access], ...commonErrors];
  for (const code of named) expect(errors[code]).toBeDefined();
  expect(new Set(named).size).toBe(named.length);
});

test('a body that is not JSON, too large or of another type is refused in words, never with a stack', async () => {
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

test('an unknown path is a 404 with a body of ours, and health and readiness answer', async () => {
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

test('nothing about a person is in the log', () => {
  const log = server.logged();
  expect(log).toContain('/api/login/web');
  for (const secret of [ann.token, device.agent, 'example.org', 'Ann Example', 'correct horse']) expect(log).not.toContain(secret);
});
