import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { AgentScan } from '@porchlight/contract/scan.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Identity, Store } from '../state/store.ts';
import { type Call, Refused } from './call.ts';

/** Bytes; below the limit of a proxy and of the server. */
const bytesAtOnce = serverLimits.body_max - 1024;

interface Queue<T> {
  waiting: () => Promise<string[]>;
  read: (path: string) => Promise<T | null>;
  batch: number;
  send: (batch: T[]) => Promise<string[]>;
  /** The replacement for an entry that is too long even when sent alone: it would block all later entries. */
  shorter: (one: T) => T;
  done: (one: T) => Promise<void>;
}

/**
 * Sends the queue, oldest first; an entry is removed from the disk only when the server has stored it (P4.5). Entries queued meanwhile wait
 * for the next call. Returns whether there was something to send.
 */
async function sendAll<T extends { uuid: string }>(queue: Queue<T>, stop: AbortSignal): Promise<boolean> {
  const { waiting, read, batch, done } = queue;
  const paths = await waiting();
  for (let offset = 0; offset < paths.length; offset += batch) {
    const entries: T[] = [];
    for (const path of paths.slice(offset, offset + batch)) {
      const entry = await read(path);
      if (entry) entries.push(entry);
    }
    for (const body of inBodies(entries)) {
      if (stop.aborted) return true;
      const storedIds = new Set(await sendSome(queue, body));
      const stored = body.filter(({ uuid }) => storedIds.has(uuid));
      for (const entry of stored) await done(entry);
      if (!stored.length) throw new Error('the server acknowledged none of what was sent');
    }
  }
  return paths.length > 0;
}

function inBodies<T>(entries: T[]): T[][] {
  const bodies: T[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const entryLength = Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (length + entryLength > bytesAtOnce) {
      bodies.push([]);
      length = 0;
    }
    bodies.at(-1)?.push(entry);
    length += entryLength;
  }
  return bodies;
}

/** Splits a batch in halves when the server refuses it as too long. Returns the ids that the server has stored. */
async function sendSome<T extends { uuid: string }>(queue: Queue<T>, entries: T[]): Promise<string[]> {
  const { send, shorter } = queue;
  try {
    return await send(entries);
  } catch (err) {
    if (!isTooLong(err)) throw err;
    if (entries.length === 1) return send(entries.map(shorter));
    const half = Math.ceil(entries.length / 2);
    return [...(await sendSome(queue, entries.slice(0, half))), ...(await sendSome(queue, entries.slice(half)))];
  }
}

/** Judged by the status alone, because a proxy may have a lower limit than our server. */
const isTooLong = (err: unknown) => err instanceof Refused && err.status === 413;

/** Sends detections before events, because a pause comes after the detections made before it. Returns whether there was something to send. */
export async function reportAll(store: Store, call: Call, { agent_token: token }: Identity, stop: AbortSignal): Promise<boolean> {
  const detections: Queue<NonNullable<Awaited<ReturnType<Store['queuedIn']>>>> = {
    waiting: store.queuedFiles,
    read: store.queuedIn,
    batch: serverLimits.detections_per_report,
    send: async (batch) => (await call('POST /agent/detections', { body: { detections: batch } }, { token })).stored,
    shorter: (one) => ({ ...one, details: '' }),
    done: store.acknowledged,
  };
  const events: Queue<NonNullable<Awaited<ReturnType<Store['eventIn']>>>> = {
    waiting: store.eventFiles,
    read: store.eventIn,
    batch: agentLimits.events_per_report,
    send: async (batch) => (await call('POST /agent/events', { body: { events: batch } }, { token })).stored,
    shorter: (one) => one,
    done: store.eventReported,
  };
  const hadDetections = await sendAll(detections, stop);
  const hadEvents = await sendAll(events, stop);
  return hadDetections || hadEvents;
}

/** A scan is one report and cannot be split: if it is too long it is sent without details. */
export async function reportScan(call: Call, body: AgentScan, token: string): Promise<void> {
  try {
    await call('POST /agent/scan', { body }, { token });
  } catch (err) {
    if (!isTooLong(err)) throw err;
    const items = body.items.map((one) => ({ ...one, details: '' }));
    await call('POST /agent/scan', { body: { ...body, items } }, { token });
  }
}
