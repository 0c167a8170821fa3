import { hour } from '@porchlight/contract/time.ts';
import type { DefinitionSet } from '@porchlight/definitions/recognition.ts';
import { newKeyPair, signDocument } from '@porchlight/definitions/signature.ts';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../state/store.ts';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';
import type { Mood } from '../testing/server.ts';
import { until } from '../testing/until.ts';
import { type Call, caller } from './call.ts';
import { partFetcher } from './feed-parts.ts';
import { startFreePlan } from './free-plan.ts';

async function freePlanForTest(random: number, mood: Mood = 'well', now = () => new Date(), change = (answer: object) => answer) {
  const server = await serverForTest();
  server.setMood(mood);
  const store = await openStore(await temporaryFolder());
  const waits: number[] = [];
  const logLines: string[] = [];
  const inForce: DefinitionSet[] = [];
  let endWait = () => {};
  const { close } = startFreePlan({
    store,
    call: (async (key, ...rest) => change((await caller(server.url)(key, ...rest)) as object)) as Call,
    fetchPart: partFetcher(server.url),
    now,
    known: () => inForce.at(-1) ?? null,
    changed: (set) => void inForce.push(set),
    random: () => random,
    log: (sentence) => void logLines.push(sentence),
    rest: (ms, stop) =>
      new Promise((resolve) => {
        waits.push(ms);
        endWait = resolve;
        stop.addEventListener('abort', () => resolve(), { once: true });
      }),
  });
  onTestFinished(close);
  const next = async () => {
    const waitCount = waits.length;
    endWait();
    await until('the next wait', () => waits.length > waitCount);
    return waits.at(-1);
  };
  if (mood === 'well') await until('the first wait', () => waits.length === 1);
  return { server, store, waits, said: logLines, inForce, next, close };
}

it.each([
  [0, 5.4],
  [0.5, 6],
  [0.999, 6.599],
])(
  '[1.2] the free plan fetches definitions at once and then every six hours, ten percent more or less (random number %d: after %d h)',
  async (random, hours) => {
    const { server, waits, inForce, next } = await freePlanForTest(random);
    expect(waits[0]).toBeCloseTo(hours * hour, -4);
    expect(inForce.map(({ version }) => version)).toEqual([1]);
    expect(await next()).toBeCloseTo(hours * hour, -4);
    expect(inForce).toHaveLength(1);
    server.setDefinitions({});
    await next();
    expect(inForce.map(({ version }) => version)).toEqual([1, 2]);
    expect(server.calls.filter((call) => call !== 'GET /agent/server')).toEqual(Array(3).fill('GET /agent/free-plan'));
  },
);

it('the free plan waits longer after each failed fetch, at most half an hour, logs the failure once, and returns to six hours after a success', async () => {
  const { server, said, next } = await freePlanForTest(1);
  server.setMood('failing');
  const waits: unknown[] = [];
  for (let n = 0; n < 13; n++) waits.push(await next());
  const seconds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1800, 1800];
  expect(waits).toEqual(seconds.map((s) => s * 1000));
  expect(said).toHaveLength(1);
  server.setMood('well');
  expect(await next()).toBeCloseTo(6.6 * hour, 0);
  server.setMood('failing');
  expect(await next()).toBe(1000);
});

it('the free plan never accepts older definitions or definitions signed by another key', async () => {
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

it.each(['GET /agent/server', 'GET /agent/free-plan'])(
  'closing the free plan does not wait for a server that is silent on %s',
  async (call) => {
    const hasKeys = call === 'GET /agent/free-plan';
    const { server, next, close } = await freePlanForTest(0.5, hasKeys ? 'well' : 'silent');
    server.setMood('silent');
    if (hasKeys) void next().catch(() => {});
    await until('the call', () => server.calls.filter((calledKey) => calledKey === call).length === (hasKeys ? 2 : 1));
    const startedAt = performance.now();
    await close();
    expect(performance.now() - startedAt).toBeLessThan(3000);
  },
);

it.for([-2500, 0, 40, 380, 3000])(
  '[P4.2] a free agent whose clock is %d days off takes the definitions that the server calls new',
  async (days) => {
    const wrongClock = () => new Date(Date.now() + days * 24 * hour);
    const { server, said, inForce, next } = await freePlanForTest(0.5, 'well', wrongClock);
    const offer = (version: number, daysAgo: number) => {
      const issued = new Date(Date.now() - daysAgo * 24 * hour);
      server.offer(server.feed.publish({ version, definitions: server.definitions.definitions }, server.feed.signing(), { issued }));
    };
    // What is out of date by the server's own time stays so.
    for (const [version, daysAgo] of [
      [2, 60],
      [3, 0],
    ] as const) {
      offer(version, daysAgo);
      await next();
    }
    expect(inForce.map(({ version }) => version)).toEqual([1, 3]);
    expect(said.filter((line) => line.includes('out of date'))).toHaveLength(1);
  },
);

it('[P4.2] a time that the server signed for another call, or another key for this call, is not believed', async () => {
  let time: unknown;
  const earlier = (answer: object) => {
    if (!('time' in answer)) return answer;
    time ??= answer.time;
    return { ...answer, time };
  };
  const ahead = () => new Date(Date.now() + 40 * 24 * hour);
  const { server, inForce, next } = await freePlanForTest(0.5, 'well', ahead, earlier);
  expect(inForce.map(({ version }) => version)).toEqual([1]);
  server.setDefinitions({});
  await next();
  expect(inForce).toHaveLength(1);
  const foreign = signDocument({ time: new Date().toISOString(), nonce: 'x'.repeat(22) }, newKeyPair());
  const { inForce: none, waits } = await freePlanForTest(0.5, 'well', ahead, (answer) =>
    'time' in answer ? { ...answer, time: foreign } : answer,
  );
  expect([none, waits.length]).toEqual([[], 1]);
});
