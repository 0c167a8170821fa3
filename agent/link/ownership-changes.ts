import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { Change, Store } from '../state/store.ts';

/** How often the end of the first day is checked, and the remaining time persisted. */
const POLL_MS = 1000;
const PERSIST_MS = 60_000;
/** An undone change may have been made on the first day of the one before. */
const KEPT_MAX = 2;

export interface OwnershipChangesDeps {
  store: Pick<Store, 'changes' | 'setChanges'>;
  readClock: () => ClockReading;
  device: () => string | null;
  changed: () => void;
  notWritten: (why: unknown) => void;
}

export interface OwnershipChanges {
  /** Milliseconds for which nothing weaker than Strict is in force; 0 afterwards. */
  strictFor(): number;
  /** How this computer joined its account, while that can be undone; null afterwards. */
  undoable(): Change | null;
  /** Persists how this computer becomes a device before it does, so that no crash loses the way back. */
  begin(change: Omit<Change, 'span'>): Promise<void>;
  close(): Promise<void>;
}

/** The first day after a computer changed hands, which neither a restart nor the clock shortens (P10.8). */
export async function changes({ store, readClock, device, changed, notWritten }: OwnershipChangesDeps): Promise<OwnershipChanges> {
  let all = await store.changes();
  let persistedAt = readClock().up;
  const left = ({ span }: Change) => leftOf(span, readClock(), 'latest');
  const mine = () => all.find((one) => one.device === device() && left(one) > 0) ?? null;
  /** Removes the tokens of former accounts as well. */
  const persist = () => {
    const at = readClock();
    persistedAt = at.up;
    all = all.filter((one) => left(one) > 0).map((one) => ({ ...one, span: seenSpan(one.span, at, 'latest') }));
    return store.setChanges(all).catch(notWritten);
  };
  if (all.length) await persist();

  let polling: NodeJS.Timeout | undefined;
  const poll = () => {
    const over = all.some((one) => left(one) === 0);
    if (over || Math.abs(readClock().up - persistedAt) >= PERSIST_MS) void persist();
    if (over) changed();
    if (!all.length) clearInterval(polling);
  };
  const startPolling = () => {
    clearInterval(polling);
    if (all.length) polling = setInterval(poll, POLL_MS);
  };
  startPolling();

  return {
    strictFor() {
      const one = mine();
      return one?.strict ? left(one) : 0;
    },
    undoable: mine,
    async begin(change) {
      const next = [
        ...all.filter((one) => one.device !== change.device),
        { ...change, span: beginSpan(readClock(), agentLimits.first_day) },
      ];
      await store.setChanges(next.slice(-KEPT_MAX));
      all = next.slice(-KEPT_MAX);
      startPolling();
    },
    async close() {
      clearInterval(polling);
      if (all.length) await persist();
    },
  };
}
