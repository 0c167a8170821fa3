import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Identity, Store } from '../state/store.ts';
import type { Call } from './call.ts';

interface Queue<T> {
  waiting: () => Promise<T[]>;
  batch: number;
  /** Answers the ids that the server has. */
  send: (batch: T[]) => Promise<string[]>;
  done: (one: T) => Promise<void>;
}

/** Sends what is queued, oldest first, until nothing is left; each is removed from the disk only when the server has said that it has it (P4.5). */
async function sendAll<T extends { uuid: string }>({ waiting, batch, send, done }: Queue<T>, stop: AbortSignal): Promise<void> {
  for (;;) {
    const next = (await waiting()).slice(0, batch);
    if (!next.length || stop.aborted) return;
    const known = new Set(await send(next));
    const stored = next.filter(({ uuid }) => known.has(uuid));
    for (const one of stored) await done(one);
    if (!stored.length) throw new Error('the server acknowledged none of what was sent');
  }
}

/** Detections first: that somebody paused comes after what happened before. */
export async function reportAll(store: Store, call: Call, { agent_token: token }: Identity, stop: AbortSignal): Promise<void> {
  const detections: Queue<Awaited<ReturnType<Store['queued']>>[number]> = {
    waiting: store.queued,
    batch: serverLimits.detections_per_report,
    send: async (batch) => (await call('POST /agent/detections', { body: { detections: batch } }, { token })).stored,
    done: store.acknowledged,
  };
  const news: Queue<Awaited<ReturnType<Store['untold']>>[number]> = {
    waiting: store.untold,
    batch: agentLimits.news_per_report,
    send: async (batch) => (await call('POST /agent/news', { body: { news: batch } }, { token })).stored,
    done: store.told,
  };
  await sendAll(detections, stop);
  await sendAll(news, stop);
}
