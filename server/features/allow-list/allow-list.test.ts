import { limits } from '@porchlight/contract/limits.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { hour } from '@porchlight/contract/time.ts';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkInBody, agentInfo as info } from '../../testing/agent-info.ts';
import { nextPolicyOf, policyOf } from '../../testing/policy-of.ts';
import { linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const path = (device: string) => `/web/devices/${device}/v2/exceptions`;

async function holder() {
  const { token } = await person(server);
  const { uuid, agent } = await linkedDevice(server, token);
  return {
    token,
    uuid,
    agent,
    list: async () => (await server.call(`GET ${path(uuid)}`, { token })).body.items as unknown as Record<string, unknown>[],
    add: (type: 'domain' | 'definition', identifier: string, duration?: string | null) =>
      server.call(`POST ${path(uuid)}`, { token, body: { type, identifier, ...(duration === undefined ? {} : { lasts: duration }) } }),
    remove: (id: unknown) => server.call(`DELETE ${path(uuid)}`, { token, body: { id } }),
  };
}

test('[7.25] [7.26] [3.13] the allow list shows names, start and end times, newest first', async () => {
  const ann = await holder();
  expect(await ann.list()).toEqual([]);
  const since = server.clock.now().toISOString();
  const { body: program } = await ann.add('definition', 'anydesk');
  const entry = { id: program.id, type: 'definition', identifier: 'anydesk', name: 'AnyDesk', added: since };
  expect(program).toEqual({ ...entry, until: null, asks_until: null, waits: false, refused: null });
  server.clock.turn(1000);
  const { body: website } = await ann.add('domain', 'https://www.Bücher.example/x?y', 'hour');
  const addedAt = server.clock.now();
  expect(website).toEqual({
    id: website.id,
    type: 'domain',
    identifier: 'xn--bcher-kva.example',
    name: 'bücher.example',
    added: addedAt.toISOString(),
    until: new Date(addedAt.getTime() + hour).toISOString(),
    asks_until: null,
    waits: false,
    refused: null,
  });
  expect(await ann.list()).toEqual([website, program]);
});

test('[7.27] a removed entry disappears and can be added again; other entries stay', async () => {
  const ann = await holder();
  const { body } = await ann.add('definition', 'anydesk');
  const { body: otherEntry } = await ann.add('domain', 'example.com');
  expect((await ann.remove(body.id)).status).toBe(200);
  expect(await ann.list()).toEqual([otherEntry]);
  expect(await ann.remove(body.id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect((await ann.add('definition', 'anydesk')).status).toBe(200);
});

test('[5.27] a program or website on the list cannot be added again in another spelling', async () => {
  const ann = await holder();
  await ann.add('definition', 'anydesk');
  await ann.add('domain', 'example.com');
  for (const spelling of [
    await ann.add('definition', 'AnyDesk'),
    await ann.add('definition', 'ANYDESK', 'hour'),
    await ann.add('domain', 'EXAMPLE.com'),
    await ann.add('domain', 'http://www.Example.Com/path'),
  ])
    expect(spelling).toMatchObject({ status: 409, body: { code: 'already_allowed' } });
  expect(await ann.list()).toHaveLength(2);
  expect((await ann.add('domain', 'anydesk.com')).status).toBe(200);
});

test('five simultaneous requests to allow one program add one entry', async () => {
  const ann = await holder();
  const replies = await Promise.all(Array.from({ length: 5 }, () => ann.add('definition', 'teamviewer')));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  expect(await ann.list()).toHaveLength(1);
});

test.each([
  ['domain', 'anydesk', 'website'],
  ['domain', 'ftp://example.com', 'website'],
  ['domain', '192.168.0.1', 'website'],
  ['definition', 'no-such-program', 'definition'],
  ['definition', 'example.com', 'definition'],
] as const)('an invalid %s is refused beside its field: %s', async (type, identifier, expectedTag) => {
  const ann = await holder();
  expect(await ann.add(type, identifier)).toMatchObject({
    status: 422,
    body: { code: 'invalid_input', fields: [{ field: 'Identifier', tag: expectedTag }] },
  });
  expect(await ann.list()).toEqual([]);
});

test.each(['co.uk', 'https://www.co.uk/', 'github.io', 'GitHub.io', 'weebly.com', 'example.ck'])(
  '[5.24] a name under which different people have their websites cannot be allowed as a whole, and the answer says so: %s',
  async (identifier) => {
    const ann = await holder();
    const { status, body } = await ann.add('domain', identifier);
    expect([status, body.code]).toEqual([422, 'site_shared']);
    expect(body.error).toContain('can’t be allowed as a whole');
    expect(await ann.list()).toEqual([]);
  },
);

test('[5.24] a website of its own under such a name can be allowed', async () => {
  const ann = await holder();
  for (const identifier of ['example.co.uk', 'somebody.github.io', 'shop.weebly.com', 'google.com'])
    expect((await ann.add('domain', identifier)).status, identifier).toBe(200);
});

test('[5.23] a website of 253 characters is accepted, one of 254 is refused', async () => {
  const ann = await holder();
  const longDomain = `${'a.'.repeat(125)}com`;
  expect(longDomain).toHaveLength(limits.domain_search_max);
  expect((await ann.add('domain', longDomain)).status).toBe(200);
  expect(await ann.add('domain', `a${longDomain}`)).toMatchObject({ status: 422, body: { fields: [{ field: 'Identifier', tag: 'max' }] } });
});

test('an expired entry leaves the list and the policy at its exact millisecond, and can be added again', async () => {
  const ann = await holder();
  await ann.add('definition', 'anydesk', 'hour');
  server.clock.turn(hour - 1);
  expect(await ann.list()).toHaveLength(1);
  expect(await ann.add('definition', 'anydesk')).toMatchObject({ status: 409 });
  server.clock.turn(1);
  expect(await ann.list()).toEqual([]);
  expect(await policyOf(server, ann.agent)).toMatchObject({ allow: [] });
  expect((await ann.add('definition', 'anydesk')).status).toBe(200);
  expect(await ann.list()).toMatchObject([{ identifier: 'anydesk', until: null }]);
});

test("an allowance for today ends at midnight in the device's time zone, not the server's", async () => {
  server.clock.turn(Date.parse('2027-01-15T03:00:00.000Z') - server.clock.now().getTime());
  const ann = await holder();
  await server.call('POST /agent/check-in', {
    token: ann.agent,
    body: { ...checkInBody, info: { ...info, time_zone: 'America/Los_Angeles' } },
  });
  expect((await ann.add('definition', 'anydesk', 'today')).body).toMatchObject({ until: '2027-01-15T08:00:00.000Z' });
});

test('the allow list has a maximum size, in which expired entries do not count', async () => {
  const ann = await holder();
  const row = (i: number) => ({ id: crypto.randomUUID(), device: ann.uuid, type: 'domain' as const, identifier: `site-${i}.example` });
  const addedAt = server.clock.now();
  const rows = Array.from({ length: serverLimits.exceptions_max }, (_, i) => ({
    ...row(i),
    added: addedAt,
    until: i ? null : new Date(addedAt.getTime() + hour),
  }));
  await server.db.insertInto('allow_list').values(rows).execute();
  expect(await ann.add('domain', 'one-more.example')).toMatchObject({ status: 409, body: { code: 'exception_limit' } });
  server.clock.turn(hour);
  expect((await ann.add('domain', 'one-more.example')).status).toBe(200);
  expect(await ann.add('domain', 'and-another.example')).toMatchObject({ status: 409, body: { code: 'exception_limit' } });
});

test('a waiting agent immediately gets added entries with their ends, and removals', async () => {
  const ann = await holder();
  const firstPolicy = await policyOf(server, ann.agent);
  expect(firstPolicy.allow).toEqual([]);
  const waitForPolicy = (version: number) => nextPolicyOf(server, ann.agent, { ...firstPolicy, version });

  const firstChange = waitForPolicy(firstPolicy.version);
  const { body } = await ann.add('definition', 'anydesk', 'hour');
  const expectedEntry = { type: 'definition', identifier: 'anydesk', until: body.until };
  expect(await firstChange).toMatchObject({ version: firstPolicy.version + 1, allow: [expectedEntry] });
  server.clock.turn(1000);
  const secondChange = waitForPolicy(firstPolicy.version + 1);
  await ann.add('domain', 'example.com');
  expect(await secondChange).toMatchObject({
    version: firstPolicy.version + 2,
    allow: [{ identifier: 'example.com', until: null }, expectedEntry],
  });
  const removal = waitForPolicy(firstPolicy.version + 2);
  await ann.remove(body.id);
  expect(await removal).toMatchObject({ version: firstPolicy.version + 3, allow: [{ identifier: 'example.com' }] });
});

test('a refused change does not raise the policy version', async () => {
  const ann = await holder();
  await ann.add('definition', 'anydesk');
  const { version } = await policyOf(server, ann.agent);
  await ann.add('definition', 'anydesk');
  await ann.add('domain', 'no website');
  await ann.remove('11111111-1111-4111-8111-111111111111');
  expect((await policyOf(server, ann.agent)).version).toBe(version);
});

test("another account's device and allow list are treated as unknown", async () => {
  const [ann, eve] = [await holder(), await holder()];
  const { body } = await ann.add('definition', 'anydesk');
  const { version } = await policyOf(server, ann.agent);
  for (const reply of [
    await server.call(`GET ${path(ann.uuid)}`, { token: eve.token }),
    await server.call(`POST ${path(ann.uuid)}`, { token: eve.token, body: { type: 'definition', identifier: 'teamviewer' } }),
    await server.call(`DELETE ${path(ann.uuid)}`, { token: eve.token, body: { id: body.id } }),
    await eve.remove(body.id),
  ])
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await ann.list()).toHaveLength(1);
  expect((await policyOf(server, ann.agent)).version).toBe(version);
});

test('an account can change its allow lists 120 times an hour', async () => {
  const ann = await holder();
  const unknownId = '11111111-1111-4111-8111-111111111111';
  for (let i = 0; i < 120; i++) expect((await ann.remove(unknownId)).status).toBe(404);
  expect(await ann.add('definition', 'anydesk')).toMatchObject({ status: 429, body: { code: 'too_many' } });
  expect((await ann.remove(unknownId)).status).toBe(429);
  expect(await ann.list()).toEqual([]);
  server.clock.turn(hour);
  expect((await ann.add('definition', 'anydesk')).status).toBe(200);
});

test('[7.24] [3.14] anyone can read the list of programs that may be allowed, and an unchanged list is not sent again', async () => {
  const callName = 'GET /definitions/allowlistable.json';
  const { status, body, headers } = await server.call(callName);
  expect(status).toBe(200);
  const items = body as unknown as Record<string, unknown>[];
  expect(items.length).toBeGreaterThanOrEqual(20);
  expect(items).toContainEqual({ identifier: 'anydesk', category: 'RemoteControl', name: 'AnyDesk' });
  expect(items).toContainEqual({ identifier: 'driver-support', category: 'DeceptiveUtility', name: 'Driver Support' });
  expect(headers['cache-control']).toBe('public, no-cache');
  const revalidate = (etag: string) =>
    server.app.http.inject({ url: '/api/definitions/allowlistable.json', headers: { 'if-none-match': etag } });
  expect(await revalidate(String(headers.etag))).toMatchObject({ statusCode: 304, body: '' });
  expect(await revalidate('"an older one"')).toMatchObject({ statusCode: 200 });
});

test('a program that is always harmful is neither offered nor accepted', async () => {
  const definitions = readCatalogue().map((one) => (one.identifier === 'reimage' ? { ...one, allowlistable: false } : one));
  const strictServer = await testServer({}, definitions);
  onTestFinished(() => strictServer.close());
  const { body } = await strictServer.call('GET /definitions/allowlistable.json');
  const offeredPrograms = (body as unknown as { identifier: string }[]).map(({ identifier }) => identifier);
  expect(offeredPrograms).not.toContain('reimage');
  expect(offeredPrograms).toEqual(definitions.filter(({ allowlistable }) => allowlistable).map(({ identifier }) => identifier));
  const { token } = await person(strictServer);
  const { uuid } = await linkedDevice(strictServer, token);
  const add = (identifier: string) => strictServer.call(`POST ${path(uuid)}`, { token, body: { type: 'definition', identifier } });
  expect(await add('reimage')).toMatchObject({ status: 422, body: { fields: [{ field: 'Identifier', tag: 'definition' }] } });
  expect((await add('anydesk')).status).toBe(200);
});
