import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Identity, Store } from '../state/store.ts';
import type { Call } from './call.ts';

/** Sends what is queued, oldest first, until nothing is left; each is removed from the disk only when the server has said that it has it (P4.5). */
export async function reportAll(store: Store, call: Call, identity: Identity, stop: AbortSignal): Promise<number> {
  let sent = 0;
  for (;;) {
    const batch = (await store.queued()).slice(0, serverLimits.detections_per_report);
    if (!batch.length || stop.aborted) return sent;
    const { stored } = await call('POST /agent/detections', { body: { detections: batch } }, { token: identity.agent_token });
    const known = new Set(stored);
    const done = batch.filter((d) => known.has(d.uuid));
    for (const detection of done) await store.acknowledged(detection);
    sent += done.length;
    if (!done.length) throw new Error('the server acknowledged none of what was sent');
  }
}
