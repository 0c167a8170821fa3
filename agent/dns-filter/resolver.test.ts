import { expect, it } from 'vitest';
import { answerTo, ask, blockAll, encodedName, filterForTest, queryFor, type TestUpstream, upstreamForTest } from '../testing/dns.ts';
import { until } from '../testing/until.ts';

it('clients that query one name at the same time share one upstream query, each with its own id and upper and lower case', async () => {
  const upstream = await upstreamForTest();
  const filter = await filterForTest([upstream.socketAddress]);
  const spellings = ['shared.example', 'SHARED.example', 'sHaReD.eXaMpLe', 'shared.EXAMPLE'];
  const answers = await Promise.all(spellings.map((name, at) => ask(filter.socketAddress, queryFor(name, 1, { id: 100 + at }))));
  expect(answers.map(({ id }) => id)).toEqual([100, 101, 102, 103]);
  expect(answers.map(({ addresses }) => addresses)).toEqual(spellings.map(() => ['192.0.2.1']));
  for (const [at, { bytes }] of answers.entries()) expect(bytes.includes(Buffer.from(spellings[at]?.split('.')[0] ?? ''))).toBe(true);
  expect(upstream.asked).toHaveLength(1);
  // The cached answer has the spelling and the id of the client that asks, not of those before.
  const later = await ask(filter.socketAddress, queryFor('Shared.Example', 1, { id: 7 }));
  expect([later.id, later.bytes.includes(Buffer.from('Shared'))]).toEqual([7, true]);
  expect(upstream.asked).toHaveLength(1);
});

it('the answer to a query from before a change of the network does not end the sharing of a later query for the name', async () => {
  const [oldUpstream, newUpstream] = [await upstreamForTest(), await upstreamForTest()];
  for (const upstream of [oldUpstream, newUpstream]) upstream.answer = () => null;
  const filter = await filterForTest([oldUpstream.socketAddress]);
  const query = (id: number) => ask(filter.socketAddress, queryFor('moved.example', 1, { id }));
  const answerLate = ({ send, ids, ports }: TestUpstream, address: string) =>
    send(answerTo(queryFor('moved.example', 1, { id: ids[0] ?? 0 }), { addresses: [address] }), ports[0] ?? 0);
  const oldAnswer = query(1);
  await until('the query at the old server', () => oldUpstream.asked.length === 1);
  filter.take({ kind: 'upstream', servers: [newUpstream.socketAddress] });
  const newAnswer = query(2);
  await until('the query at the new server', () => newUpstream.asked.length === 1);
  answerLate(oldUpstream, '192.0.2.1');
  expect((await oldAnswer).addresses).toEqual(['192.0.2.1']);
  const sharedAnswer = query(3);
  // The filter reads queries in their order, so it has that one when it answers the next.
  await ask(filter.socketAddress, queryFor('use-application-dns.net'));
  answerLate(newUpstream, '192.0.2.2');
  expect([(await newAnswer).addresses, (await sharedAnswer).addresses]).toEqual([['192.0.2.2'], ['192.0.2.2']]);
  expect(newUpstream.asked).toHaveLength(1);
});

const priority = Buffer.from([0, 1]);
it.for([
  { kind: 'CNAME', type: 5, data: encodedName },
  { kind: 'DNAME', type: 39, data: encodedName },
  { kind: 'HTTPS target', type: 65, data: (name: string) => Buffer.concat([priority, encodedName(name)]) },
  { kind: 'SVCB target', type: 64, data: (name: string) => Buffer.concat([priority, encodedName(name)]) },
])(
  '[P16.7] an answer that is a $kind of a blocked, allowed, resting or innocent name is judged as that name, also from the cache',
  async ({ type, data }) => {
    const upstream = await upstreamForTest();
    const targets: Record<string, string> = {
      'innocent.example': 'cdn.example',
      'scam.example': 'www.Evil.test',
      'tool.example': 'relays.net.anydesk.com',
      'allowed.example': 'evil.test',
      'bank.example': 'www.my-bank.test',
    };
    upstream.answer = (name) => ({ records: [{ type, data: data(targets[name] ?? '') }] });
    const rules = { ...blockAll, allow: [{ type: 'domain' as const, identifier: 'allowed.example', until: null, reported_until: null }] };
    const filter = await filterForTest([upstream.socketAddress], { list: ['evil.test'], rules });
    const passes = async (name: string) => (await ask(filter.socketAddress, queryFor(name))).addresses.includes('192.0.2.1');
    const judged = async () => Object.fromEntries(await Promise.all(Object.keys(targets).map(async (name) => [name, await passes(name)])));
    const expected = {
      'innocent.example': true,
      'scam.example': false,
      'tool.example': false,
      'allowed.example': true,
      'bank.example': true,
    };
    for (let n = 0; n < 2; n++) expect(await judged()).toEqual(expected);
    expect(filter.tried.map(({ site }) => site).toSorted()).toEqual(['anydesk.com', 'evil.test']);
    // Rules count for what is in the cache.
    const askedBefore = upstream.asked.length;
    filter.take({ kind: 'rules', rules: { ...rules, money: { sites: ['my-bank.test'], open: [] } } });
    expect([await passes('bank.example'), await passes('innocent.example')]).toEqual([false, true]);
    filter.take({ kind: 'rules', rules: null });
    expect(Object.values(await judged())).toEqual([true, true, true, true, true]);
    expect(upstream.asked.length).toBe(askedBefore);
  },
);

it('[P16.7] the names by which Apple lets a network switch iCloud Private Relay off do not exist, and other names of Apple do', async () => {
  const upstream = await upstreamForTest();
  const filter = await filterForTest([upstream.socketAddress]);
  const codeOf = async (name: string, type: number) => (await ask(filter.socketAddress, queryFor(name, type))).code;
  for (const type of [1, 28, 65]) {
    expect([await codeOf('mask.icloud.com', type), await codeOf('MASK-H2.icloud.com', type)]).toEqual([3, 3]);
    expect([await codeOf('www.icloud.com', type), await codeOf('unmask.icloud.com', type)]).toEqual([0, 0]);
  }
  filter.take({ kind: 'rules', rules: null });
  expect(await codeOf('mask.icloud.com', 1)).toBe(0);
});

it('an alias that points into other names is read; an alias that points at itself or forward is ignored', async () => {
  const upstream = await upstreamForTest();
  const filter = await filterForTest([upstream.socketAddress], { list: ['deep.evil.test'] });
  const addressesOf = async (name: string) => (await ask(filter.socketAddress, queryFor(name))).addresses.at(-1);
  // `deep` and a pointer to the name that was asked, at byte 12.
  upstream.answer = () => ({ records: [{ type: 5, data: Buffer.from([4, 0x64, 0x65, 0x65, 0x70, 0xc0, 12]) }] });
  expect([await addressesOf('evil.test'), await addressesOf('good.test')]).toEqual(['0.0.0.0', '192.0.2.1']);
  const start = queryFor('self.test').length + 12;
  for (const pointer of [start, start + 1, 0x3fff]) {
    upstream.answer = () => ({ ttl: 0, records: [{ type: 5, data: Buffer.from([0xc0 | (pointer >> 8), pointer & 255]) }] });
    expect(await addressesOf('self.test')).toBe('192.0.2.1');
  }
});
