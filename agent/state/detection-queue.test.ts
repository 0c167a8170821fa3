import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { minute } from '@porchlight/contract/time.ts';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { detectionQueue } from './detection-queue.ts';
import { sealedFiles } from './sealed-files.ts';
import { openStore } from './store.ts';

const startTime = Date.parse('2026-01-01T00:00:00Z');
const detection = (at: number, identifier: string, blocked = true): ReportedDetection => ({
  ...{ uuid: randomUUID(), time: new Date(startTime + at).toISOString(), name: identifier, identifier, category: 'RemoteControl' },
  ...{ details: '/opt/it', blocked, certainty: 'likely', why: '', start: 'person' },
});

const max = 20;
async function fullQueue() {
  const folder = await temporaryFolder();
  const queue = detectionQueue(
    folder,
    sealedFiles(randomBytes(32), () => {}),
    { max },
  );
  for (let n = 0; n < max; n++) await queue.queue(detection(n - 1000, 'ultraviewer'));
  const queuedIds = async () => {
    const detections: (ReportedDetection | null)[] = [];
    for (const path of await queue.queuedFiles()) detections.push(await queue.queuedIn(path));
    return detections.map((one) => one?.uuid);
  };
  expect(await queuedIds()).toHaveLength(max);
  return { ...queue, kept: async () => (await queuedIds()).slice(max) };
}

it('the queue accepts every detection below the limit', async () => {
  const folder = await temporaryFolder();
  const store = await openStore(folder);
  for (let n = 3; n < agentLimits.detections_stored_max; n++) writeFileSync(join(folder, 'detections', `0-${n}.json`), '');
  for (let n = 0; n < 5; n++) await store.queue(detection(n, 'anydesk'));
  expect(await readdir(join(folder, 'detections'))).toHaveLength(agentLimits.detections_stored_max);
});

it('[P4.5] above the limit the queue accepts, within ten minutes, the first detection of each definition and all unblocked detections', async () => {
  const { queue, kept } = await fullQueue();
  const accepted = [
    detection(0, 'anydesk'),
    detection(1, 'teamviewer'),
    detection(2, 'anydesk', false),
    detection(3, 'anydesk', false),
    detection(10 * minute, 'anydesk'),
    detection(20 * minute, 'anydesk'),
  ];
  const repeats = [detection(4, 'anydesk'), detection(10 * minute - 1, 'anydesk'), detection(20 * minute - 1, 'anydesk')];
  for (const entry of [...accepted, ...repeats].toSorted((a, b) => a.time.localeCompare(b.time))) await queue(entry);
  expect(await kept()).toEqual(accepted.map(({ uuid }) => uuid));
});

it('the queue starts empty for a new device', async () => {
  const { queue, queuedFiles, forgetQueue } = await fullQueue();
  await forgetQueue();
  expect(await queuedFiles()).toEqual([]);
  for (let n = 0; n < max; n++) await queue(detection(n, 'teamviewer'));
  await queue(detection(0, 'ultraviewer'));
  expect(await queuedFiles()).toHaveLength(max + 1);
});

it.each([
  { acknowledged: true, waiting: 0 },
  { acknowledged: false, waiting: 1 },
])(
  '[P4.5] a detection on a full disk waits for the server until it is acknowledged, also while writing it again fails ($acknowledged)',
  async ({ acknowledged, waiting }) => {
    const files = sealedFiles(randomBytes(32), () => {});
    const fullDisk = { first: Promise.withResolvers<void>(), second: Promise.withResolvers<void>() };
    const writes = [fullDisk.first.promise, fullDisk.second.promise];
    const write: typeof files.write = (...args) => writes.shift() ?? files.write(...args);
    const queue = detectionQueue(await temporaryFolder(), { ...files, write });
    const entry = detection(0, 'anydesk');
    fullDisk.first.reject(new Error('ENOSPC'));
    await expect(queue.queue(entry)).rejects.toThrow('ENOSPC');
    const retry = queue.queuedFiles();
    expect(writes).toHaveLength(0);
    if (acknowledged) await queue.acknowledged(entry);
    fullDisk.second.reject(new Error('ENOSPC'));
    await retry;
    expect(await queue.queuedFiles()).toHaveLength(waiting);
  },
);
