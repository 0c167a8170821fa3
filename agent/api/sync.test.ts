import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { AgentLimitation } from '@porchlight/contract/device-health.ts';
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

/** The synchronization with a server that answers reports of detections, check-ins if wanted, and leaves the rest without an answer. */
async function syncForTest({ answersCheckIns = false } = {}) {
  const store = await openStore(await temporaryFolder());
  // Without them each wait for a change fails, and each answer after that counts as the return of the server, which asks for a check-in.
  await store.pinKeys({ public_url: 'http://localhost', keys: { link: '', policy: '', definitions: '' } });
  const counts = { answers: 0, rounds: 0 };
  let limitations: AgentLimitation[] = [];
  /** Of each check-in that was answered. */
  const reportedLimitations: string[] = [];
  type Input = { body: { detections: { uuid: string }[]; info: AgentInfo } };
  const call = (async (key: string, input: Input, { signal }: { signal: AbortSignal }) => {
    if (key === 'POST /agent/detections') return { stored: input.body.detections.map(({ uuid }) => uuid) };
    if (!answersCheckIns) throw new Error('There is no server.');
    if (key !== 'POST /agent/check-in') return once(signal, 'abort').then(() => signal.throwIfAborted());
    reportedLimitations.push(input.body.info.limitations.join());
    return { notified: [] };
  }) as unknown as Call;
  const info = {
    name: 'pc',
    platform: 'linux' as const,
    os_version: '1',
    arch: 'x64',
    agent_version: '1.0.0',
    time_zone: 'UTC',
    limitations: [],
  };
  const sync = startSync(
    {
      ...{
        store,
        call,
        info: () => ({ ...info, limitations }),
        now: () => new Date(),
        random: () => 1,
        up: () => performance.now(),
        log: () => {},
      },
      ...{ known: () => ({ policy: null, definitions: null }), isKnown: () => true, changed: () => {} },
      lock: { beginRound: async () => ({ change: 0, settled: true, wants_word: false, needs_word: false }), policyArrived: async () => {} },
      fetchPart: async () => new Uint8Array(),
      ...{ problems: () => [], countdowns: () => ({ strict_for: 0, leaves_in: null }), asks: () => [], notified: () => {} },
      ...{ protecting: () => true, reportsSleep: () => false, recognized: async () => {}, unrecognized: async () => false },
      ...{ signedNow: () => new Date(0), noteServerTime: () => {} },
      unlinked: () => {},
      answered: () => void counts.answers++,
      reportMore: async () => void counts.rounds++,
    },
    {
      server: 'http://localhost',
      agent_token: 'x'.repeat(43),
      device: { uuid: randomUUID(), name: 'PC' },
      holder: { first_name: 'Ann', masked_email: 'a•••@example.org' },
    },
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
  const setLimitations = (...now: AgentLimitation[]) => {
    limitations = now;
  };
  return { store, counts, reportRound, reportedLimitations, setLimitations };
}

test('[P12.7] a round without anything to report is no answer of the server, so the agent knows how long it was offline', async () => {
  const { counts, reportRound } = await syncForTest();
  await reportRound();
  expect(counts.answers).toBe(0);
});

test('[P12.7] a reported detection is an answer of the server', async () => {
  const { store, counts, reportRound } = await syncForTest();
  const detection = {
    name: 'A',
    identifier: 'a',
    category: 'RemoteControl',
    details: '',
    blocked: true,
    certainty: 'certain',
    why: '',
  } as const;
  await store.queue({ ...detection, uuid: randomUUID(), time: new Date().toISOString(), start: 'person' });
  await reportRound();
  expect(counts.answers).toBeGreaterThan(0);
});

test('a check-in follows when what the agent cannot do has changed, and none while it stays the same', async () => {
  const { reportRound, reportedLimitations, setLimitations } = await syncForTest({ answersCheckIns: true });
  await until('the first check-in', () => reportedLimitations.length === 1);
  await reportRound();
  setLimitations('sites_not_blocked');
  await reportRound();
  await until('the limitation', () => reportedLimitations.length === 2);
  await reportRound();
  setLimitations();
  await reportRound();
  await until('its end', () => reportedLimitations.length === 3);
  await reportRound();
  expect(reportedLimitations).toEqual(['', 'sites_not_blocked', '']);
});
