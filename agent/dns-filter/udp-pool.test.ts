import { expect, it, onTestFinished } from 'vitest';
import { answerTo, queryFor, upstreamForTest } from '../testing/dns.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { until } from '../testing/until.ts';
import { readQuery } from './dns/query.ts';
import { udpPool } from './udp-pool.ts';

async function start() {
  const upstream = await upstreamForTest();
  const clock = manualClock();
  const pool = udpPool(upstream.socketAddress, clock, 1000);
  onTestFinished(pool.close);
  const ask = (name: string) => {
    const packet = queryFor(name);
    const query = readQuery(packet);
    if (typeof query === 'number') throw new Error('that is no query');
    return pool.ask(packet, query);
  };
  /** Sends queries for names below `zone` at the same time; more than a hundred would overflow the upstream's socket. */
  const askMany = (count: number, zone: string) => Promise.all(Array.from({ length: count }, (_, n) => ask(`n${n}.${zone}`)));
  return { upstream, clock, ask, askMany };
}

it('a flood of queries uses thirty-two ports at random, and random ids (RFC 5452)', async () => {
  const { upstream, askMany } = await start();
  for (let round = 0; round < 4; round++) expect(await askMany(100, `r${round}.example`)).not.toContain(null);
  expect(new Set(upstream.ports).size).toBe(32);
  // By chance about one id is used twice.
  expect(new Set(upstream.ids).size).toBeGreaterThan(390);
  const inTurn = upstream.ports.slice(64).filter((port, at) => port === upstream.ports[32 + at]);
  expect(inTurn.length).toBeLessThan(100);
});

it('a port is not used again after five seconds or after five hundred queries', async () => {
  const { upstream, clock, askMany } = await start();
  await askMany(100, 'first.example');
  const firstPorts = new Set(upstream.ports);
  upstream.ports.length = 0;
  clock.advance(4999);
  await askMany(1, 'still.example');
  expect(firstPorts).toContain(upstream.ports[0]);
  upstream.ports.length = 0;
  clock.advance(1);
  await askMany(100, 'second.example');
  // By chance a port may come again; four of 32 do once in millions of runs.
  expect([...new Set(upstream.ports)].filter((port) => firstPorts.has(port)).length).toBeLessThan(4);
  upstream.ports.length = 0;
  for (let round = 0; round < 175; round++) await askMany(100, `r${round}.example`);
  const counts = new Map<number, number>();
  for (const port of upstream.ports) counts.set(port, (counts.get(port) ?? 0) + 1);
  expect([...counts.values()].filter((count) => count > 500).length).toBeLessThan(4);
});

it('an answer with the id and the question of a query is accepted only at the port from which the query left', async () => {
  const { upstream, ask } = await start();
  upstream.answer = () => null;
  const [first, second] = [ask('first.example'), ask('second.example')];
  await until('both queries', () => upstream.ports.length === 2);
  const at = { first: upstream.asked.indexOf('first.example'), second: upstream.asked.indexOf('second.example') };
  const send = (name: 'first' | 'second', address: string, port: number | undefined) =>
    upstream.send(answerTo(queryFor(`${name}.example`, 1, { id: upstream.ids[at[name]] ?? 0 }), { addresses: [address] }), port ?? 0);
  // The socket of the second query reads the forged answer to the first before its own.
  send('first', '203.0.113.66', upstream.ports[at.second]);
  send('second', '192.0.2.2', upstream.ports[at.second]);
  expect((await second)?.bytes.subarray(-4).join('.')).toBe('192.0.2.2');
  send('first', '192.0.2.1', upstream.ports[at.first]);
  expect((await first)?.bytes.subarray(-4).join('.')).toBe('192.0.2.1');
});

it('each query that a server leaves without an answer ends after the timeout of its own', async () => {
  const { upstream, clock, askMany } = await start();
  upstream.answer = () => null;
  const ended: string[] = [];
  const first = askMany(2, 'first.example').then(() => ended.push('first'));
  clock.advance(600);
  const second = askMany(2, 'second.example').then(() => ended.push('second'));
  clock.advance(400);
  await first;
  expect(ended).toEqual(['first']);
  clock.advance(599);
  await Promise.resolve();
  expect(ended).toEqual(['first']);
  clock.advance(1);
  await second;
  expect(ended).toEqual(['first', 'second']);
});
