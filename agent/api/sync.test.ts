import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../state/store.ts';
import { temporaryFolder } from '../testing/agent.ts';
import { until } from '../testing/until.ts';
import type { Call } from './call.ts';
import { type Sync, startSync } from './sync.ts';

const syncs: Sync[] = [];
afterEach(async () => {
  for (const sync of syncs.splice(0)) await sync.close();
});

/** The synchronization with a server that answers reports of detections, and nothing else. */
async function syncWithoutServer() {
  const store = await openStore(await temporaryFolder());
  const counts = { answers: 0, rounds: 0 };
  const call = (async (key: string, input: { body: { detections: { uuid: string }[] } }) => {
    if (key !== 'POST /agent/detections') throw new Error('There is no server.');
    return { stored: input.body.detections.map(({ uuid }) => uuid) };
  }) as unknown as Call;
  const info = { name: 'pc', platform: 'linux' as const, os_version: '1', arch: 'x64', agent_version: '1.0.0', time_zone: 'UTC' };
  const sync = startSync(
    {
      ...{ store, call, info: () => info, now: () => new Date(), random: () => 1, up: () => performance.now(), log: () => {} },
      ...{ known: () => ({ policy: null, definitions: null }), isKnown: () => true, changed: () => {} },
      lock: { beginRound: async () => ({ change: 0, settled: true, wants_word: false, needs_word: false }), heard: async () => {} },
      fetchPart: async () => new Uint8Array(),
      ...{ problems: () => [], countdowns: () => ({ strict_for: 0, leaves_in: null }), asks: () => [], notified: () => {} },
      ...{ protecting: () => true, reportsSleep: () => false, recognized: async () => {}, unrecognized: async () => false },
      ...{ signedNow: () => new Date(0), heardTime: () => {} },
      unlinked: () => {},
      answered: () => void counts.answers++,
      reportMore: async () => void counts.rounds++,
    },
    { server: 'http://localhost', agent_token: 'x'.repeat(43), device: { uuid: randomUUID(), name: 'PC' }, holder: null },
  );
  syncs.push(sync);
  /** Resolves when a whole round of reports has ended: the next one has begun. */
  const reportRound = async () => {
    const end = counts.rounds + 2;
    await until('two rounds of reports', () => {
      sync.report();
      return counts.rounds >= end;
    });
  };
  return { store, counts, reportRound };
}

test('[P12.7] a round without anything to report is no answer of the server, so the agent knows how long it was offline', async () => {
  const { counts, reportRound } = await syncWithoutServer();
  await reportRound();
  expect(counts.answers).toBe(0);
});

test('[P12.7] a reported detection is an answer of the server', async () => {
  const { store, counts, reportRound } = await syncWithoutServer();
  const detection = { name: 'A', identifier: 'a', category: 'RemoteControl', details: '', blocked: true, certainty: 'certain' } as const;
  await store.queue({ ...detection, uuid: randomUUID(), time: new Date().toISOString(), start: 'person' });
  await reportRound();
  expect(counts.answers).toBeGreaterThan(0);
});
