import { createSocket } from 'node:dgram';
import { expect, it, onTestFinished } from 'vitest';
import { answerTo, ask, filterForTest, queryFor, queryTcp, upstreamForTest } from '../testing/dns.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { until } from '../testing/until.ts';

async function start() {
  const [upstream, clock] = [await upstreamForTest(), manualClock()];
  const filter = await filterForTest([upstream.socketAddress], { settings: { clock } });
  return { upstream, clock, filter };
}

it('queries at the pace of a person each leave from a port of their own', async () => {
  const { upstream, clock, filter } = await start();
  for (let n = 0; n < 40; n++) {
    await ask(filter.socketAddress, queryFor(`n${n}.example`));
    clock.advance(250);
  }
  // The system chooses each port at random, so two may happen to be the same.
  expect(new Set(upstream.ports).size).toBeGreaterThan(37);
});

it('a flood of queries shares 32 ports, and none of them is used for more than 500 queries or 5 s', async () => {
  const { upstream, clock, filter } = await start();
  upstream.answer = () => ({ ttl: 0 });
  const flood = async (count: number) => {
    for (let from = 0; from < count; from += 100) {
      const queries = Array.from({ length: 100 }, (_, n) => queryFor(`n${from + n}.example`, 1, { id: n }));
      for (const { code } of await queryTcp(filter.socketAddress, queries)) expect(code).toBe(0);
    }
  };
  await flood(1000);
  const firstPorts = new Set(upstream.ports);
  expect(firstPorts.size).toBeLessThanOrEqual(32);
  expect(firstPorts.size).toBeGreaterThan(28);
  expect(new Set(upstream.ids).size).toBeGreaterThan(900);
  clock.advance(5000);
  upstream.ports.length = 0;
  await flood(18_000);
  const uses = Map.groupBy(upstream.ports, (port) => port);
  expect([...uses.keys()].filter((port) => firstPorts.has(port)).length).toBeLessThan(4);
  expect(uses.size).toBeGreaterThanOrEqual(36);
  // The system may give the same port again, so one of them may count twice.
  expect([...uses.values()].filter(({ length }) => length > 501)).toEqual([]);
});

it('an answer with the right id and question from another port or address is not accepted', async () => {
  const { upstream, filter } = await start();
  const forgers = ['127.0.0.1', '127.0.0.8'].map((address) => ({ address, socket: createSocket('udp4') }));
  await Promise.all(forgers.map(({ address, socket }) => new Promise<void>((resolve) => socket.bind(0, address, resolve))));
  onTestFinished(() => forgers.forEach(({ socket }) => void socket.close()));
  upstream.answer = () => null;
  const answer = ask(filter.socketAddress, queryFor('one.example'));
  await until('the query', () => upstream.asked.length === 1);
  const [port = 0, id = 0] = [upstream.ports[0], upstream.ids[0]];
  const packet = queryFor('one.example', 1, { id });
  for (const { socket } of forgers)
    await new Promise((resolve) => socket.send(answerTo(packet, { addresses: ['198.51.100.66'] }), port, '127.0.0.1', resolve));
  // The query is repeated by another round only after its timeout, so the right answer comes from the server's own socket.
  upstream.send(answerTo(packet, {}), port);
  expect((await answer).addresses).toEqual(['192.0.2.1']);
});

it('a server without any way to it is skipped at once', async () => {
  const { upstream, filter } = await start();
  const servers = [{ address: 'fe80::1%nowhere', port: 53 }, { address: '127.0.0.1', port: 9 }, upstream.socketAddress];
  filter.take({ kind: 'upstream', servers });
  // The clock does not move, so no timeout can pass.
  expect((await ask(filter.socketAddress, queryFor('one.example'))).addresses).toEqual(['192.0.2.1']);
});

it('a query whose server is silent is repeated once after 1.2 s, and gets SERVFAIL after another 1.2 s', async () => {
  const { upstream, clock, filter } = await start();
  upstream.answer = () => null;
  const answer = ask(filter.socketAddress, queryFor('one.example'));
  await until('the first query', () => upstream.asked.length === 1);
  clock.advance(1199);
  clock.advance(1);
  await until('the second query', () => upstream.asked.length === 2);
  clock.advance(1200);
  expect((await answer).code).toBe(2);
  expect(upstream.asked).toEqual(['one.example', 'one.example']);
});
