import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { answerTo, ask, queryFor, queryTcp } from '../testing/dns.ts';
import { advanced, networkAddress, protectedFilterForTest, serviceAddress, tlsServiceForTest } from '../testing/tls-dns.ts';
import { until } from '../testing/until.ts';

it('[P12.1] a service that does not listen delays no query', async () => {
  const { protective, address } = await protectedFilterForTest();
  await protective.stop();
  expect([await address('one.example'), await address('two.example')]).toEqual([networkAddress, networkAddress]);
});

it('[P12.1] [P16.6] a service that never answers delays the first query by less than 2 s, and later queries not at all', async () => {
  const { protective, address, addressInTime } = await protectedFilterForTest();
  protective.handle = () => {};
  const first = await addressInTime('one.example', () => protective.asked.includes('one.example'));
  expect(first.address).toBe(networkAddress);
  expect(first.after).toBeLessThan(2000);
  expect([await address('two.example'), await address('three.example')]).toEqual([networkAddress, networkAddress]);
  expect(protective.asked.filter((name) => name !== '')).toEqual(['one.example']);
});

it('[P12.1] a service that accepts connections but does not speak TLS delays the first query by less than 2 s, and later queries not at all', async () => {
  let connections = 0;
  const mute = createServer((socket) => {
    connections++;
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => void mute.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void mute.close());
  const protective = await tlsServiceForTest();
  const bound = mute.address();
  protective.tls = { ...protective.tls, port: bound && typeof bound === 'object' ? bound.port : 0 };
  const { address, addressInTime } = await protectedFilterForTest(protective);
  const first = await addressInTime('one.example', () => connections > 0);
  expect(first.address).toBe(networkAddress);
  expect(first.after).toBeLessThan(2000);
  expect(await address('two.example')).toBe(networkAddress);
});

it('[P12.1] a query is answered even when the service dies while it has it', async () => {
  const { protective, network, address } = await protectedFilterForTest();
  expect(await address('one.example')).toBe(serviceAddress);
  protective.handle = () => void protective.stop();
  expect(await address('two.example')).toBe(networkAddress);
  expect(network.asked).toEqual(['two.example']);
});

it('[P12.1] a service that is back is used again, and what the network answered meanwhile is looked up again', async () => {
  const { protective, clock, address, reachable } = await protectedFilterForTest();
  await protective.stop();
  expect(await address('one.example')).toBe(networkAddress);
  expect(reachable()).toEqual([false]);
  clock.advance(1000);
  await protective.start();
  await until('the retry', () => {
    clock.advance(500);
    return reachable().length === 2;
  });
  expect(reachable()).toEqual([false, true]);
  expect(await address('one.example')).toBe(serviceAddress);
});

it('[P12.1] a service that is away is tried again ever more seldom, at most once a minute', async () => {
  const { protective, clock, addressInTime } = await protectedFilterForTest();
  protective.handle = () => {};
  await addressInTime('one.example', () => protective.asked.length > 0);
  const retries = () => protective.asked.filter((name) => name === '').length;
  const retryTimes: number[] = [];
  for (let count = 1; count <= 8; count++) {
    await until(`retry ${count}`, () => {
      if (retries() < count) clock.advance(1000);
      return retries() >= count;
    });
    retryTimes.push(clock.now());
  }
  const gaps = retryTimes.slice(1).map((at, index) => at - (retryTimes[index] ?? 0));
  // A retry lasts up to six seconds itself.
  expect(gaps.at(0)).toBeLessThan(12_000);
  expect(gaps.at(-1)).toBeGreaterThan(60_000);
});

it('[P12.1] a computer without any network does not say that the service cannot be reached', async () => {
  const { protective, network, filter, reachable } = await protectedFilterForTest();
  await protective.stop();
  network.answer = () => ({ code: 2, addresses: [] });
  expect((await ask(filter.socketAddress, queryFor('none.example'))).code).toBe(2);
  expect(network.asked).toEqual(['none.example']);
  filter.take({ kind: 'upstream', servers: [] });
  expect((await ask(filter.socketAddress, queryFor('one.example'))).code).toBe(2);
  expect(reachable()).toEqual([]);
});

it('[P12.1] after a change of the network the service is reached over a new connection, at once where it was away', async () => {
  const { protective, network, filter, address, reachable } = await protectedFilterForTest();
  expect(await address('one.example')).toBe(serviceAddress);
  filter.take({ kind: 'upstream', servers: [network.socketAddress] });
  expect([await address('two.example'), protective.connections]).toEqual([serviceAddress, 2]);
  await protective.stop();
  expect(await address('three.example')).toBe(networkAddress);
  await protective.start();
  filter.take({ kind: 'upstream', servers: [network.socketAddress] });
  await until('the retry', () => reachable().at(-1) === true);
  expect(await address('four.example')).toBe(serviceAddress);
});

it('[P12.1] a service that closes idle connections is reached over a new one, without asking the network', async () => {
  const { protective, network, clock, address } = await protectedFilterForTest();
  for (let n = 1; n <= 3; n++) {
    expect(await address(`n${n}.example`)).toBe(serviceAddress);
    protective.disconnect();
  }
  expect([protective.connections, network.asked]).toEqual([3, []]);
  expect(await address('n4.example')).toBe(serviceAddress);
  expect(await address('n5.example')).toBe(serviceAddress);
  expect(protective.connections).toBe(4);
  // After 30 s without a query the filter itself closes the connection.
  clock.advance(31_000);
  expect(await address('n6.example')).toBe(serviceAddress);
  expect([protective.connections, network.asked]).toEqual([5, []]);
});

it('[P12.1] a query that is slow at a service that answers others is looked up at the network, and the service stays in use', async () => {
  const { protective, network, clock, address, reachable } = await protectedFilterForTest();
  protective.handle = (packet, send) => {
    if (!packet.includes('slow')) send(answerTo(packet, { addresses: [serviceAddress] }));
  };
  const slow = address('slow.example');
  await until('the slow query', () => protective.asked.includes('slow.example'));
  clock.advance(1000);
  expect(await address('fast.example')).toBe(serviceAddress);
  clock.advance(500);
  expect(await slow).toBe(networkAddress);
  expect(await address('next.example')).toBe(serviceAddress);
  expect([network.asked, reachable()]).toEqual([['slow.example'], []]);
});

it('[P12.1] of 1,000 queries at a service that answers none, 400 wait for it, the rest are looked up at the network at once, and all are answered', async () => {
  const { protective, clock, filter } = await protectedFilterForTest();
  protective.handle = () => {};
  const queries = Array.from({ length: 1000 }, (_, id) => queryFor(`n${id}.example`, 1, { id }));
  const waiting = queryTcp(filter.socketAddress, queries.slice(0, 400));
  await until('400 queries at the service', () => protective.asked.length === 400);
  for (let from = 400; from < 1000; from += 100)
    for (const { addresses } of await queryTcp(filter.socketAddress, queries.slice(from, from + 100)))
      expect(addresses).toEqual([networkAddress]);
  expect(protective.asked).toHaveLength(400);
  const received = await advanced(clock, waiting);
  expect(received.filter(({ addresses }) => addresses[0] === networkAddress)).toHaveLength(400);
});

it('[P12.1] of 1,000 queries while neither the service nor the network answers, 400 wait for each, and the rest get SERVFAIL, so any load is bounded', async () => {
  const { protective, network, clock, filter } = await protectedFilterForTest();
  protective.handle = () => {};
  network.answer = () => null;
  const queries = Array.from({ length: 1000 }, (_, id) => queryFor(`n${id}.example`, 1, { id }));
  const answers = queryTcp(filter.socketAddress, queries);
  await until('400 queries at the service', () => protective.asked.length === 400);
  const received = await advanced(clock, answers);
  // At a thousand times this load the same 400 queries wait at each, and the clients of all others repeat theirs.
  expect([received.length, received.filter(({ code }) => code === 2).length]).toEqual([1000, 1000]);
  expect(new Set(protective.asked.filter((name) => name !== '')).size).toBe(400);
  expect(new Set(network.asked).size).toBeLessThanOrEqual(400);
});
