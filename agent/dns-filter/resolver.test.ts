import { expect, it } from 'vitest';
import { answerTo, ask, filterForTest, queryFor, type TestUpstream, upstreamForTest } from '../testing/dns.ts';
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
