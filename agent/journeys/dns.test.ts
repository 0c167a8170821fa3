import { createSocket } from 'node:dgram';
import { noNames } from '@porchlight/definitions/names/format.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerTo, ask, blockAll, filterForTest, queryFor, queryTcp, upstreamForTest } from '../testing/dns.ts';

const list = ['evil.test', 'scam.weebly.com'];

describe('the DNS filter', () => {
  const start = async (overrides: Parameters<typeof filterForTest>[1] = {}) => {
    const upstream = await upstreamForTest();
    return { upstream, filter: await filterForTest([upstream.socketAddress], { list, ...overrides }) };
  };

  it('[P4.3] a blocked site and its subdomains get no address, without a query to any upstream', async () => {
    const { upstream, filter } = await start();
    // Labels may contain any byte, also bytes that end a host in a URL.
    const oddLabels = ['*', '!', 'a/b', 'a?b', 'a#b', 'a\\b', 'a:80/x', 'a:80', 'x@y', 'a b', 'é', '%61', 'http://a', '[::1]', '-a-'];
    const oddNames = oddLabels.flatMap((label) => [`${label}.evil.test`, `a.${label}.www.evil.test`, `${label}.${label}.scam.weebly.com`]);
    for (const name of ['evil.test', 'WWW.Evil.TEST', 'a.b.c.evil.test', 'net.anydesk.com', 'scam.weebly.com', ...oddNames])
      expect(await ask(filter.socketAddress, queryFor(name)), name).toMatchObject({ id: 0x1234, code: 0, addresses: ['0.0.0.0'] });
    expect((await ask(filter.socketAddress, queryFor('evil.test', 28))).addresses).toEqual(['0'.repeat(32)]);
    for (const type of [65, 15, 16, 255, 5])
      expect(await ask(filter.socketAddress, queryFor('evil.test', type))).toMatchObject({ code: 0, addresses: [] });
    expect(upstream.asked).toEqual([]);
    for (const name of ['notevil.test', 'test', 'evil.test.example', 'weebly.com', 'other.weebly.com', 'evil.test/.example', 'evil.test/x'])
      expect((await ask(filter.socketAddress, queryFor(name))).addresses, name).toEqual(['192.0.2.1']);
  });

  it('upstream answers are passed on, cached for their TTL, and count down', async () => {
    const { upstream, filter } = await start();
    upstream.answer = () => ({ addresses: ['192.0.2.7', '192.0.2.8'], ttl: 300 });
    const firstAnswer = await ask(filter.socketAddress, queryFor('Example.ORG', 1, { id: 7 }));
    expect(firstAnswer).toMatchObject({ id: 7, addresses: ['192.0.2.7', '192.0.2.8'], ttls: [300, 300] });
    const secondAnswer = await ask(filter.socketAddress, queryFor('example.org', 1, { id: 8 }));
    expect(secondAnswer.id).toBe(8);
    expect(secondAnswer.bytes.includes(Buffer.from('example'))).toBe(true);
    expect(upstream.asked).toEqual(['example.org']);
    await ask(filter.socketAddress, queryFor('example.org', 28));
    expect(upstream.asked).toHaveLength(2);
  });

  it('a DNS filter that stops while a query is at the upstream drops the late answer without an error', async () => {
    const { upstream, filter } = await start();
    const errors: unknown[] = [];
    const note = (error: unknown) => void errors.push(error);
    for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, note);
    onTestFinished(() => void ['unhandledRejection', 'uncaughtException'].map((event) => process.off(event, note)));
    upstream.answer = () => {
      filter.take({ kind: 'stop' });
      return {};
    };
    await expect(ask(filter.socketAddress, queryFor('late.example'), 500)).rejects.toThrow('no answer');
    expect(upstream.asked).toEqual(['late.example']);
    expect(errors).toEqual([]);
  });

  it('many concurrent queries each get their own answer', async () => {
    const { filter } = await start();
    const received = await Promise.all(
      Array.from({ length: 100 }, (_, id) =>
        ask(filter.socketAddress, queryFor(id % 3 ? `n${id}.evil.test` : `n${id}.example`, 1, { id })),
      ),
    );
    expect(received.map(({ id }) => id)).toEqual(received.map((_, at) => at));
    expect(received.filter(({ id, addresses }) => addresses[0] !== (id % 3 ? '0.0.0.0' : '192.0.2.1'))).toEqual([]);
  });

  it('the DNS filter survives malformed packets, and never answers a DNS response', async () => {
    const { filter } = await start();
    const socket = createSocket('udp4');
    for (const bytes of ['', '00', '123401000001000000000000ff', '1234810000010000000000000161000001 0001'])
      socket.send(Buffer.from(bytes.replace(' ', ''), 'hex'), filter.socketAddress.port, filter.socketAddress.address);
    expect((await ask(filter.socketAddress, queryFor('evil.test'))).addresses).toEqual(['0.0.0.0']);
    socket.close();
    const malformedQuery = Buffer.from('123401000001000000000000ff', 'hex');
    expect(await ask(filter.socketAddress, malformedQuery)).toMatchObject({ code: 1, id: 0x1234 });
  });
});

it('[P4.3] a blocked site is reported once, by its registrable domain and without the visited page', async () => {
  const upstream = await upstreamForTest();
  const filter = await filterForTest([upstream.socketAddress], { list: ['login.evil.test', ...list] });
  for (const name of ['login.evil.test', 'secret.path.evil.test', 'me.scam.weebly.com', 'relay.net.anydesk.com'])
    for (const type of [1, 28, 65]) await ask(filter.socketAddress, queryFor(name, type));
  expect(filter.tried).toEqual([
    { site: 'evil.test', blocked: true, definition: null },
    { site: 'scam.weebly.com', blocked: true, definition: null },
    { site: 'anydesk.com', blocked: true, definition: { identifier: 'anydesk', category: 'RemoteControl' } },
  ]);
});

it('at most thirty sites are reported in ten minutes, and all are blocked', async () => {
  const manyNames = Array.from({ length: 40 }, (_, n) => `evil${n}.test`);
  const filter = await filterForTest([], { list: manyNames });
  for (const name of manyNames) expect((await ask(filter.socketAddress, queryFor(name))).addresses).toEqual(['0.0.0.0']);
  expect(filter.tried).toHaveLength(30);
});

it('[P4.1] sites of each category are treated as the policy says, and without a policy no site is blocked', async () => {
  const upstream = await upstreamForTest();
  const filter = await filterForTest([upstream.socketAddress], { list, rules: null });
  const address = async (name: string) => (await ask(filter.socketAddress, queryFor(name))).addresses[0];
  expect([await address('evil.test'), await address('net.anydesk.com')]).toEqual(['192.0.2.1', '192.0.2.1']);
  filter.take({ kind: 'rules', rules: { actions: { ...blockAll.actions, ScamWebsite: 'ignore' }, allow: [] } });
  expect([await address('evil.test'), await address('net.anydesk.com')]).toEqual(['192.0.2.1', '0.0.0.0']);
  filter.take({ kind: 'rules', rules: { actions: { ...blockAll.actions, RemoteControl: 'alert' }, allow: [] } });
  expect([await address('evil.test'), await address('net.anydesk.com')]).toEqual(['0.0.0.0', '192.0.2.1']);
  expect(filter.tried).toMatchObject([
    { site: 'anydesk.com', blocked: true },
    { site: 'evil.test', blocked: true },
    { site: 'anydesk.com', blocked: false },
  ]);
});

it('an allow-list entry for a site or a definition prevents blocking until the entry expires', async () => {
  const upstream = await upstreamForTest();
  const filter = await filterForTest([upstream.socketAddress], { list });
  const address = async (name: string) => (await ask(filter.socketAddress, queryFor(name))).addresses[0];
  const allow = (type: 'domain' | 'definition', identifier: string, until: Date | null) =>
    filter.take({
      kind: 'rules',
      rules: { ...blockAll, allow: [{ type, identifier, until: until?.toISOString() ?? null, reported_until: null }] },
    });
  allow('domain', 'evil.test', null);
  expect([await address('www.evil.test'), await address('net.anydesk.com')]).toEqual(['192.0.2.1', '0.0.0.0']);
  allow('definition', 'anydesk', new Date(Date.now() + 3_600_000));
  expect([await address('www.evil.test'), await address('net.anydesk.com')]).toEqual(['0.0.0.0', '192.0.2.1']);
  const end = Date.now() + 150;
  allow('domain', 'evil.test', new Date(end));
  expect(await address('evil.test')).toBe('192.0.2.1');
  while (Date.now() < end) await ask(filter.socketAddress, queryFor('evil.test'));
  expect(await address('evil.test')).toBe('0.0.0.0');
});

it('a new site list is loaded while queries are answered, and a damaged one is refused', async () => {
  const filter = await filterForTest([], { list });
  filter.take({ kind: 'definitions', definitions: [], money: [], names: noNames, sites: Buffer.from('nonsense') });
  expect(filter.messages.at(-1)).toMatchObject({ kind: 'refused' });
  expect((await ask(filter.socketAddress, queryFor('evil.test'))).addresses).toEqual(['0.0.0.0']);
});

it("browsers with their own encrypted DNS are made to use the system's DNS servers", async () => {
  const upstream = await upstreamForTest();
  const filter = await filterForTest([upstream.socketAddress]);
  expect((await ask(filter.socketAddress, queryFor('Use-Application-DNS.net'))).code).toBe(3);
  expect(upstream.asked).toEqual([]);
});

it('each upstream query uses another port and id, and only a matching answer is accepted', async () => {
  const upstream = await upstreamForTest();
  const filter = await filterForTest([upstream.socketAddress]);
  for (let n = 0; n < 12; n++) await ask(filter.socketAddress, queryFor(`n${n}.example`));
  expect(new Set(upstream.ports).size).toBeGreaterThan(6);
  expect(new Set(upstream.ids).size).toBeGreaterThan(6);
  const forgedAnswer = answerTo(queryFor('other.example', 1, { id: 1 }), {});
  upstream.answer = () => ({ raw: forgedAnswer });
  expect((await ask(filter.socketAddress, queryFor('real.example'))).code).toBe(2);
});

it('a silent or failing upstream is skipped, and later queries go first to the upstream that answered', async () => {
  const [silentUpstream, refusingUpstream, workingUpstream] = [await upstreamForTest(), await upstreamForTest(), await upstreamForTest()];
  silentUpstream.answer = () => null;
  refusingUpstream.answer = () => ({ code: 5, addresses: [] });
  const unreachableServer = { address: '127.0.0.1', port: 9 };
  const filter = await filterForTest([
    unreachableServer,
    silentUpstream.socketAddress,
    refusingUpstream.socketAddress,
    workingUpstream.socketAddress,
  ]);
  expect((await ask(filter.socketAddress, queryFor('one.example'))).addresses).toEqual(['192.0.2.1']);
  await ask(filter.socketAddress, queryFor('two.example'));
  expect([silentUpstream.asked, refusingUpstream.asked, workingUpstream.asked]).toEqual([
    ['one.example'],
    ['one.example'],
    ['one.example', 'two.example'],
  ]);
});

it('an oversized answer is fetched over TCP, and sent whole to TCP clients and truncated to UDP clients', async () => {
  const upstream = await upstreamForTest();
  const addresses = Array.from({ length: 60 }, (_, n) => `192.0.2.${n}`);
  upstream.answer = (_, tcp) => ({ addresses, truncated: !tcp });
  const filter = await filterForTest([upstream.socketAddress], { list });
  expect(await ask(filter.socketAddress, queryFor('long.example'))).toMatchObject({ truncated: true, addresses: [] });
  expect((await ask(filter.socketAddress, queryFor('long.example', 1, { id: 2, edns: 1232 }))).addresses).toHaveLength(60);
  const received = await queryTcp(filter.socketAddress, [queryFor('long.example', 1, { id: 3 }), queryFor('www.evil.test', 1, { id: 4 })]);
  expect(Object.fromEntries(received.map(({ id, addresses: found }) => [id, found.length]))).toEqual({ 3: 60, 4: 1 });
});

it('the DNS filter never uses itself as upstream', async () => {
  const filter = await filterForTest([]);
  filter.take({ kind: 'upstream', servers: [filter.socketAddress] });
  const startedAt = Date.now();
  expect((await ask(filter.socketAddress, queryFor('round.example'))).code).toBe(2);
  expect(Date.now() - startedAt).toBeLessThan(1000);
});

it('captive-portal probes are always passed on uncached, whatever a list says', async () => {
  const upstream = await upstreamForTest();
  const filter = await filterForTest([upstream.socketAddress], { list: ['neverssl.com'] });
  for (let n = 0; n < 2; n++) expect((await ask(filter.socketAddress, queryFor('neverssl.com'))).addresses).toEqual(['192.0.2.1']);
  expect(upstream.asked).toEqual(['neverssl.com', 'neverssl.com']);
});

it('answers after a network failure are cached only briefly, and answers cached before the failure are dropped', async () => {
  const upstream = await upstreamForTest();
  upstream.answer = () => ({ ttl: 3000 });
  const filter = await filterForTest([upstream.socketAddress]);
  await ask(filter.socketAddress, queryFor('kept.example'));
  upstream.answer = () => null;
  expect((await ask(filter.socketAddress, queryFor('lost.example'))).code).toBe(2);
  expect(filter.messages.some(({ kind }) => kind === 'failing')).toBe(true);
  upstream.answer = () => ({ addresses: ['10.0.0.1'], ttl: 3000 });
  expect((await ask(filter.socketAddress, queryFor('kept.example'))).addresses).toEqual(['10.0.0.1']);
  expect((await ask(filter.socketAddress, queryFor('kept.example'))).ttls).toEqual([5]);
});

it('a blocked site shows a plain-HTTP page with the reason, and no script of the site runs', async () => {
  const filter = await filterForTest([], { list, page: { address: '127.0.0.2', port: 0 } });
  expect(filter.page?.address).toBe('127.0.0.2');
  expect((await ask(filter.socketAddress, queryFor('evil.test'))).addresses).toEqual(['127.0.0.2']);
  expect((await ask(filter.socketAddress, queryFor('evil.test', 28))).addresses).toEqual([]);
  const { get } = await import('node:http');
  const page = (host: string) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      get({ host: '127.0.0.2', port: filter.page?.port, path: '/<b>', headers: { host } }, (answer) => {
        let body = '';
        answer.on('data', (text: Buffer) => (body += text.toString()));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
      }).on('error', reject);
    });
  const { status, body } = await page('www.evil.test:80');
  expect(status).toBe(403);
  expect(body).toContain('We blocked this page');
  expect(body).toContain('evil.test');
  expect(body).not.toMatch(/<script|<b>/);
  expect(await page('example.org')).toEqual({ status: 404, body: '' });
  expect((await page('<script>alert(1)</script>.evil.test')).body).not.toContain('<script');
});
