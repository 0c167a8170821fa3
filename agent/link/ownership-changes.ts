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
  /** Whether the free plan is the minimum, for a day after an undo. */
  isFreeMinimum(): boolean;
  undoable(): Change | null;
  /** Persists a change before the computer becomes a device, so that a crash does not prevent an undo. */
  begin(change: Omit<Change, 'span' | 'undone'>): Promise<void>;
  /** Call after an undo that returned the computer to this device. */
  beginAfterUndo(device: string): Promise<void>;
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
  const add = async (change: Omit<Change, 'span'>) => {
    const newest = { ...change, span: beginSpan(readClock(), agentLimits.first_day) };
    const nextChanges = [...changes.filter((one) => one.device !== change.device), newest].slice(-MAX_CHANGES);
    await store.setChanges(nextChanges);
    changes = nextChanges;
    startPolling();
  };

  return {
    strictFor() {
      const change = currentChange();
      return change?.strict ? timeLeft(change) : 0;
    },
    isFreeMinimum: () => currentChange()?.undone ?? false,
    undoable() {
      const change = currentChange();
      return change?.undone ? null : change;
    },
    begin: (change) => add({ ...change, undone: false }),
    async beginAfterUndo(undoneTo) {
      // The former account's own first day is stricter.
      if (!changes.some((one) => one.device === undoneTo && timeLeft(one) > 0))
        await add({ device: undoneTo, strict: false, undone: true, before: null });
    },
    async close() {
      clearInterval(polling);
      if (changes.length) await persist();
    },
  };
}
