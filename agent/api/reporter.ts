import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { AgentScan } from '@porchlight/contract/scan.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Identity, Store } from '../state/store.ts';
import { type Call, Refused } from './call.ts';

/** What no proxy refuses as too long, also where the server would take more. */
const bytesAtOnce = serverLimits.body_max - 1024;

interface Queue<T> {
  /** Paths, oldest first. */
  waiting: () => Promise<string[]>;
  /** Null when the file is gone. */
  read: (path: string) => Promise<T | null>;
  batch: number;
  /** Answers the ids that the server has. */
  send: (batch: T[]) => Promise<string[]>;
  /** The replacement for an entry that is too long even alone, so that the others get through. */
  shorter: (one: T) => T;
  done: (one: T) => Promise<void>;
}

/**
 * Sends the queue, oldest first; an entry is removed from the disk only when the server has it (P4.5). Entries queued meanwhile wait for the next
 * call.
 */
async function sendAll<T extends { uuid: string }>(queue: Queue<T>, stop: AbortSignal): Promise<void> {
  const { waiting, read, batch, done } = queue;
  const paths = await waiting();
  for (let at = 0; at < paths.length; at += batch) {
    const next: T[] = [];
    for (const path of paths.slice(at, at + batch)) {
      const one = await read(path);
      if (one) next.push(one);
    }
    for (const some of inBodies(next)) {
      if (stop.aborted) return;
      const known = new Set(await sendSome(queue, some));
      const stored = some.filter(({ uuid }) => known.has(uuid));
      for (const one of stored) await done(one);
      if (!stored.length) throw new Error('the server acknowledged none of what was sent');
    }
  }
}

/** In the same order, each body no longer than `bytesAtOnce`, or one entry alone. */
function inBodies<T>(all: T[]): T[][] {
  const bodies: T[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const one of all) {
    const more = Buffer.byteLength(JSON.stringify(one)) + 1;
    if (length + more > bytesAtOnce) {
      bodies.push([]);
      length = 0;
    }
    bodies.at(-1)?.push(one);
    length += more;
  }
  return bodies;
}

/** Sends in halves where the server accepts less. Answers the ids that the server has. */
async function sendSome<T extends { uuid: string }>(queue: Queue<T>, some: T[]): Promise<string[]> {
  const { send, shorter } = queue;
  try {
    return await send(some);
  } catch (err) {
    if (!isTooLong(err)) throw err;
    if (some.length === 1) return send(some.map(shorter));
    const half = Math.ceil(some.length / 2);
    return [...(await sendSome(queue, some.slice(0, half))), ...(await sendSome(queue, some.slice(half)))];
  }
}

/** By the status alone: a proxy before the server may have a limit of its own. */
const isTooLong = (err: unknown) => err instanceof Refused && err.status === 413;

/** Detections first, because a pause comes after what happened before it. */
export async function reportAll(store: Store, call: Call, { agent_token: token }: Identity, stop: AbortSignal): Promise<void> {
  const detections: Queue<NonNullable<Awaited<ReturnType<Store['queuedIn']>>>> = {
    waiting: store.queuedFiles,
    read: store.queuedIn,
    batch: serverLimits.detections_per_report,
    send: async (batch) => (await call('POST /agent/detections', { body: { detections: batch } }, { token })).stored,
    shorter: (one) => ({ ...one, details: '' }),
    done: store.acknowledged,
  };
  const news: Queue<NonNullable<Awaited<ReturnType<Store['untoldIn']>>>> = {
    waiting: store.untoldFiles,
    read: store.untoldIn,
    batch: agentLimits.news_per_report,
    send: async (batch) => (await call('POST /agent/news', { body: { news: batch } }, { token })).stored,
    shorter: (one) => one,
    done: store.told,
  };
  await sendAll(detections, stop);
  await sendAll(news, stop);
}

/** A scan is one report that is not split: if it is too long it is sent without details. */
export async function reportScan(call: Call, body: AgentScan, token: string): Promise<void> {
  try {
    await call('POST /agent/scan', { body }, { token });
  } catch (err) {
    if (!isTooLong(err)) throw err;
    const items = body.items.map((one) => ({ ...one, details: '' }));
    await call('POST /agent/scan', { body: { ...body, items } }, { token });
  }
}
