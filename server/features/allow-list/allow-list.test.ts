import { limits } from '@porchlight/contract/limits.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const hour = 3_600_000;
const path = (device: string) => `/web/devices/${device}/v2/exceptions`;

/** Someone with a linked device, and what they can do with its allow list. */
async function holder() {
  const { token } = await person(server);
  const { uuid, agent } = await linkedDevice(server, token);
  return {
    token,
    uuid,
    agent,
    list: async () => (await server.call(`GET ${path(uuid)}`, { token })).body.items as unknown as Record<string, unknown>[],
    add: (type: 'domain' | 'definition', identifier: string, lasts?: string | null) =>
      server.call(`POST ${path(uuid)}`, { token, body: { type, identifier, ...(lasts === undefined ? {} : { lasts }) } }),
    remove: (id: unknown) => server.call(`DELETE ${path(uuid)}`, { token, body: { id } }),
  };
}

test('[7.25] [7.26] [3.13] what is allowed stands on the list with its readable name, since when and until when, the newest first', async () => {
  const ann = await holder();
  expect(await ann.list()).toEqual([]);
  const since = server.clock.now().toISOString();
  const { body: program } = await ann.add('definition', 'anydesk');
  expect(program).toEqual({ id: program.id, type: 'definition', identifier: 'anydesk', name: 'AnyDesk', added: since, until: null });
  server.clock.turn(1000);
  const { body: website } = await ann.add('domain', 'https://www.Bücher.example/x?y', 'hour');
  const added = server.clock.now();
  expect(website).toEqual({
    id: website.id,
    type: 'domain',
    identifier: 'xn--bcher-kva.example',
    name: 'bücher.example',
    added: added.toISOString(),
    until: new Date(added.getTime() + hour).toISOString(),
  });
  expect(await ann.list()).toEqual([website, program]);
});

test('[7.27] what is removed is gone, and can be allowed again; what stands beside it stays', async () => {
  const ann = await holder();
  const { body } = await ann.add('definition', 'anydesk');
  const { body: beside } = await ann.add('domain', 'example.com');
  expect((await ann.remove(body.id)).status).toBe(200);
  expect(await ann.list()).toEqual([beside]);
  expect(await ann.remove(body.id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect((await ann.add('definition', 'anydesk')).status).toBe(200);
});

test('[5.27] a program or website that is on the list is not put there again, however it is written', async () => {
  const ann = await holder();
  await ann.add('definition', 'anydesk');
  await ann.add('domain', 'example.com');
  for (const again of [
    await ann.add('definition', 'AnyDesk'),
    await ann.add('definition', 'ANYDESK', 'hour'),
    await ann.add('domain', 'EXAMPLE.com'),
    await ann.add('domain', 'http://www.Example.Com/path'),
  ])
    expect(again).toMatchObject({ status: 409, body: { code: 'already_allowed' } });
  expect(await ann.list()).toHaveLength(2);
  // The same words as a website and as a program are two things.
  expect((await ann.add('domain', 'anydesk.com')).status).toBe(200);
});

test('the same thing added twice at once is there once', async () => {
  const ann = await holder();
  const all = await Promise.all(Array.from({ length: 5 }, () => ann.add('definition', 'teamviewer')));
  expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  expect(await ann.list()).toHaveLength(1);
});

test.each([
  ['domain', 'anydesk', 'website'],
  ['domain', 'ftp://example.com', 'website'],
  ['domain', '192.168.0.1', 'website'],
  ['definition', 'no-such-program', 'definition'],
  ['definition', 'example.com', 'definition'],
] as const)('a %s that is none is refused beside its field: %s', async (type, identifier, tag) => {
  const ann = await holder();
  expect(await ann.add(type, identifier)).toMatchObject({
    status: 422,
    body: { code: 'invalid_input', fields: [{ field: 'Identifier', tag }] },
  });
  expect(await ann.list()).toEqual([]);
});

test('[5.23] 253 characters are taken, 254 are not', async () => {
  const ann = await holder();
  const long = `${'a.'.repeat(125)}com`;
  expect(long).toHaveLength(limits.domain_search_max);
  expect((await ann.add('domain', long)).status).toBe(200);
  expect(await ann.add('domain', `a${long}`)).toMatchObject({ status: 422, body: { fields: [{ field: 'Identifier', tag: 'max' }] } });
});

test('what has ended is gone from the list and the policy to the millisecond, and can be allowed again', async () => {
  const ann = await holder();
  await ann.add('definition', 'anydesk', 'hour');
  server.clock.turn(hour - 1);
  expect(await ann.list()).toHaveLength(1);
  expect(await ann.add('definition', 'anydesk')).toMatchObject({ status: 409 });
  server.clock.turn(1);
  expect(await ann.list()).toEqual([]);
  expect(await policyOf(ann.agent)).toMatchObject({ allow: [] });
  expect((await ann.add('definition', 'anydesk')).status).toBe(200);
  expect(await ann.list()).toMatchObject([{ identifier: 'anydesk', until: null }]);
});

test('today ends at midnight where the device is, not where the server is', async () => {
  server.clock.turn(Date.parse('2027-01-15T03:00:00.000Z') - server.clock.now().getTime());
  const ann = await holder();
  await server.call('POST /agent/check-in', {
    token: ann.agent,
    body: { info: { ...info, time_zone: 'America/Los_Angeles' }, protecting: true, problems: [] },
  });
  expect((await ann.add('definition', 'anydesk', 'today')).body).toMatchObject({ until: '2027-01-15T08:00:00.000Z' });
});

test('the list holds so many and no more; what has ended does not count', async () => {
  const ann = await holder();
  const row = (i: number) => ({ id: crypto.randomUUID(), device: ann.uuid, type: 'domain' as const, identifier: `site-${i}.example` });
  const added = server.clock.now();
  const rows = Array.from({ length: serverLimits.exceptions_max }, (_, i) => ({
    ...row(i),
    added,
    until: i ? null : new Date(added.getTime() + hour),
  }));
  await server.db.insertInto('allow_list').values(rows).execute();
  expect(await ann.add('domain', 'one-more.example')).toMatchObject({ status: 409, body: { code: 'exception_limit' } });
  server.clock.turn(hour);
  expect((await ann.add('domain', 'one-more.example')).status).toBe(200);
  expect(await ann.add('domain', 'and-another.example')).toMatchObject({ status: 409, body: { code: 'exception_limit' } });
});

const policyOf = async (agent: string, query = '') => {
  const { body } = await server.call(`GET /agent/policy${query}`, { token: agent });
  return {
    definitions_version: Number(body.definitions_version),
    ...(JSON.parse(String(body.policy?.payload)) as { version: number; allow: unknown[] }),
  };
};

test('a waiting agent hears at once what is allowed, until when, and what no longer is', async () => {
  const ann = await holder();
  const before = await policyOf(ann.agent);
  expect(before.allow).toEqual([]);
  const wait = (known: number) => policyOf(ann.agent, `?known=${known}&known_definitions=${before.definitions_version}&wait=25`);
  const started = Date.now();

  const hears = wait(before.version);
  const { body } = await ann.add('definition', 'anydesk', 'hour');
  const allowed = { type: 'definition', identifier: 'anydesk', until: body.until };
  expect(await hears).toMatchObject({ version: before.version + 1, allow: [allowed] });
  server.clock.turn(1000);
  const hearsMore = wait(before.version + 1);
  await ann.add('domain', 'example.com');
  expect(await hearsMore).toMatchObject({ version: before.version + 2, allow: [{ identifier: 'example.com', until: null }, allowed] });
  const hearsLess = wait(before.version + 2);
  await ann.remove(body.id);
  expect(await hearsLess).toMatchObject({ version: before.version + 3, allow: [{ identifier: 'example.com' }] });
  expect(Date.now() - started).toBeLessThan(3000);
});

test('what is refused is no news for the agent', async () => {
  const ann = await holder();
  await ann.add('definition', 'anydesk');
  const { version } = await policyOf(ann.agent);
  await ann.add('definition', 'anydesk');
  await ann.add('domain', 'no website');
  await ann.remove('11111111-1111-4111-8111-111111111111');
  expect((await policyOf(ann.agent)).version).toBe(version);
});

test("someone else's device and their exceptions are the same as none", async () => {
  const [ann, eve] = [await holder(), await holder()];
  const { body } = await ann.add('definition', 'anydesk');
  const { version } = await policyOf(ann.agent);
  for (const reply of [
    await server.call(`GET ${path(ann.uuid)}`, { token: eve.token }),
    await server.call(`POST ${path(ann.uuid)}`, { token: eve.token, body: { type: 'definition', identifier: 'teamviewer' } }),
    await server.call(`DELETE ${path(ann.uuid)}`, { token: eve.token, body: { id: body.id } }),
    await eve.remove(body.id),
  ])
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await ann.list()).toHaveLength(1);
  expect((await policyOf(ann.agent)).version).toBe(version);
});

test('so many changes in an hour, and no more', async () => {
  const ann = await holder();
  const none = '11111111-1111-4111-8111-111111111111';
  for (let i = 0; i < 120; i++) expect((await ann.remove(none)).status).toBe(404);
  expect(await ann.add('definition', 'anydesk')).toMatchObject({ status: 429, body: { code: 'too_many' } });
  expect((await ann.remove(none)).status).toBe(429);
  expect(await ann.list()).toEqual([]);
  server.clock.turn(hour);
  expect((await ann.add('definition', 'anydesk')).status).toBe(200);
});

test('[7.24] [3.14] the programs that may be allowed are a bare list for anyone, and not sent again while it is the same', async () => {
  const key = 'GET /definitions/allowlistable.json';
  const { status, body, headers } = await server.call(key);
  expect(status).toBe(200);
  const items = body as unknown as Record<string, unknown>[];
  expect(items.length).toBeGreaterThanOrEqual(20);
  expect(items).toContainEqual({ identifier: 'anydesk', category: 'RemoteControl', name: 'AnyDesk' });
  expect(items).toContainEqual({ identifier: 'driver-support', category: 'DeceptiveUtility', name: 'Driver Support' });
  expect(headers['cache-control']).toBe('public, no-cache');
  const again = (etag: string) =>
    server.app.http.inject({ url: '/api/definitions/allowlistable.json', headers: { 'if-none-match': etag } });
  expect(await again(String(headers.etag))).toMatchObject({ statusCode: 304, body: '' });
  expect(await again('"an older one"')).toMatchObject({ statusCode: 200 });
});

test('what is only ever harmful is not offered and cannot be allowed', async () => {
  const definitions = readCatalogue().map((one) => (one.identifier === 'reimage' ? { ...one, allowlistable: false } : one));
  const strict = await testServer({}, definitions);
  onTestFinished(() => strict.close());
  const { body } = await strict.call('GET /definitions/allowlistable.json');
  const offered = (body as unknown as { identifier: string }[]).map(({ identifier }) => identifier);
  expect(offered).not.toContain('reimage');
  expect(offered).toEqual(definitions.filter(({ allowlistable }) => allowlistable).map(({ identifier }) => identifier));
  const { token } = await person(strict);
  const { uuid } = await linkedDevice(strict, token);
  const add = (identifier: string) => strict.call(`POST ${path(uuid)}`, { token, body: { type: 'definition', identifier } });
  expect(await add('reimage')).toMatchObject({ status: 422, body: { fields: [{ field: 'Identifier', tag: 'definition' }] } });
  expect((await add('anydesk')).status).toBe(200);
});
