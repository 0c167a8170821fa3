import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { newKeyPair } from '@porchlight/definitions/signature.ts';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../state/store.ts';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';
import type { Mood } from '../testing/server.ts';
import { until } from '../testing/until.ts';
import { caller } from './call.ts';
import { startFreePlan } from './free-plan.ts';
import { partFetcher } from './parts.ts';

const hour = 3_600_000;

/** The loop with waits that last until the test ends them. */
async function freePlanForTest(random: number, mood: Mood = 'well') {
  const server = await serverForTest();
  server.be(mood);
  const store = await openStore(await temporaryFolder());
  const waits: number[] = [];
  const said: string[] = [];
  const inForce: DefinitionSet[] = [];
  let goOn = () => {};
  const { close } = startFreePlan({
    store,
    call: caller(server.url),
    fetchPart: partFetcher(server.url),
    now: () => new Date(),
    known: () => inForce.at(-1) ?? null,
    changed: (set) => void inForce.push(set),
    random: () => random,
    log: (sentence) => void said.push(sentence),
    rest: (ms, stop) =>
      new Promise((resolve) => {
        waits.push(ms);
        goOn = resolve;
        stop.addEventListener('abort', () => resolve(), { once: true });
      }),
  });
  onTestFinished(close);
  /** Lets the n-th wait be over, and answers how long the next one is. */
  const next = async () => {
    const before = waits.length;
    goOn();
    await until('the next wait', () => waits.length > before);
    return waits.at(-1);
  };
  if (mood === 'well') await until('the first wait', () => waits.length === 1);
  return { server, store, waits, said, inForce, next, close };
}

it.each([
  [0, 5.4],
  [0.5, 6],
  [0.999, 6.599],
])('[1.2] fetches at once and again every six hours, a tenth more or less (chance %d: %d h)', async (random, hours) => {
  const { server, waits, inForce, next } = await freePlanForTest(random);
  expect(waits[0]).toBeCloseTo(hours * hour, -4);
  expect(inForce.map(({ version }) => version)).toEqual([1]);
  expect(await next()).toBeCloseTo(hours * hour, -4);
  expect(inForce).toHaveLength(1);
  server.setDefinitions({});
  await next();
  expect(inForce.map(({ version }) => version)).toEqual([1, 2]);
  expect(server.calls.filter((call) => call !== 'GET /agent/server')).toEqual(Array(3).fill('GET /agent/free-plan'));
});

it('the free plan waits longer after each failure, at most half an hour, logs it once, and returns to six hours after a success', async () => {
  const { server, said, next } = await freePlanForTest(1);
  server.be('failing');
  const waits: unknown[] = [];
  for (let n = 0; n < 13; n++) waits.push(await next());
  const seconds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1800, 1800];
  expect(waits).toEqual(seconds.map((s) => s * 1000));
  expect(said).toHaveLength(1);
  server.be('well');
  expect(await next()).toBeCloseTo(6.6 * hour, 0);
  server.be('failing');
  expect(await next()).toBe(1000);
});

it('the free plan never accepts an older set or one signed by another key', async () => {
  const { server, store, inForce, next } = await freePlanForTest(0.5);
  server.setDefinitions({ version: 5 });
  await next();
  for (const attempt of [
    () => server.setDefinitions({ version: 4, definitions: [] }),
    () => server.setDefinitions({ version: 9, definitions: [] }, newKeyPair()),
    () => server.setDefinitions({ version: 9, definitions: [] }, server.keys.policy),
  ]) {
    attempt();
    await next();
    expect(inForce.map(({ version }) => version)).toEqual([1, 5]);
    expect((await store.definitions())?.version).toBe(5);
  }
});

it.each(['GET /agent/server', 'GET /agent/free-plan'])('closes at once, though the server is silent on %s', async (call) => {
  const known = call === 'GET /agent/free-plan';
  const { server, next, close } = await freePlanForTest(0.5, known ? 'well' : 'silent');
  server.be('silent');
  if (known) void next().catch(() => {});
  await until('the call', () => server.calls.filter((made) => made === call).length === (known ? 2 : 1));
  const begun = performance.now();
  await close();
  expect(performance.now() - begun).toBeLessThan(3000);
});
