import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { Change, Store } from '../state/store.ts';

const POLL_MS = 1000;
const PERSIST_MS = 60_000;
/** Two changes are stored: an undo returns to the former account, whose own first day may still run. */
const MAX_CHANGES = 2;

export interface OwnershipChangesDeps {
  store: Pick<Store, 'changes' | 'setChanges'>;
  readClock: () => ClockReading;
  device: () => string | null;
  changed: () => void;
  notWritten: (why: unknown) => void;
}

export interface OwnershipChanges {
  strictFor(): number;
  undoable(): Change | null;
  /** Persists a change before the computer becomes a device, so that a crash does not prevent an undo. */
  begin(change: Omit<Change, 'span'>): Promise<void>;
  close(): Promise<void>;
}

/** The first day after a computer changed accounts; neither a restart nor the clock shortens it (P10.8). */
export async function ownershipChanges({ store, readClock, device, changed, notWritten }: OwnershipChangesDeps): Promise<OwnershipChanges> {
  let changes = await store.changes();
  let persistedAt = readClock().up;
  const timeLeft = ({ span }: Change) => leftOf(span, readClock(), 'latest');
  const currentChange = () => changes.find((one) => one.device === device() && timeLeft(one) > 0) ?? null;
  /** Persists the time left, and removes ended changes with the tokens of former accounts. */
  const persist = () => {
    const reading = readClock();
    persistedAt = reading.up;
    changes = changes.filter((one) => timeLeft(one) > 0).map((one) => ({ ...one, span: seenSpan(one.span, reading, 'latest') }));
    return store.setChanges(changes).catch(notWritten);
  };
  if (changes.length) await persist();

  let polling: NodeJS.Timeout | undefined;
  const poll = () => {
    const hasEnded = changes.some((one) => timeLeft(one) === 0);
    if (hasEnded || Math.abs(readClock().up - persistedAt) >= PERSIST_MS) void persist();
    if (hasEnded) changed();
    if (!changes.length) clearInterval(polling);
  };
  const startPolling = () => {
    clearInterval(polling);
    if (changes.length) polling = setInterval(poll, POLL_MS);
  };
  startPolling();

  return {
    strictFor() {
      const change = currentChange();
      return change?.strict ? timeLeft(change) : 0;
    },
    undoable: currentChange,
    async begin(change) {
      const nextChanges = [
        ...changes.filter((one) => one.device !== change.device),
        { ...change, span: beginSpan(readClock(), agentLimits.first_day) },
      ];
      await store.setChanges(nextChanges.slice(-MAX_CHANGES));
      changes = nextChanges.slice(-MAX_CHANGES);
      startPolling();
    },
    async close() {
      clearInterval(polling);
      if (changes.length) await persist();
    },
  };
}
