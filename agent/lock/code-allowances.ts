import { oneTimeCodes } from '@porchlight/contract/one-time-codes.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { CodeAllowance } from '../state/lock-files.ts';
import type { Store } from '../state/store.ts';

const POLL_MS = 1000;
const PERSIST_MS = 5000;

export interface CodeAllowancesDeps {
  store: Pick<Store, 'codeAllowances' | 'setCodeAllowances'>;
  readClock: () => ClockReading;
  device: () => string | null;
  changed: () => void;
  notWritten: (why: unknown) => void;
}

/** Programs that a one-time code allowed, each for an hour, which neither the clock nor a restart prolongs (P10.7). */
export async function codeAllowances({ store, readClock, device, changed, notWritten }: CodeAllowancesDeps) {
  let allowances: CodeAllowance[] = await store.codeAllowances();
  let persistedAt = readClock().up;
  const left = ({ span }: CodeAllowance) => leftOf(span, readClock(), 'soonest');
  const persist = () => {
    const reading = readClock();
    persistedAt = reading.up;
    allowances = allowances.filter((one) => left(one) > 0).map((one) => ({ ...one, span: seenSpan(one.span, reading, 'soonest') }));
    return store.setCodeAllowances(allowances);
  };
  let polling: NodeJS.Timeout | undefined;
  const poll = () => {
    const hasEnded = allowances.some((one) => left(one) === 0);
    if (hasEnded || Math.abs(readClock().up - persistedAt) >= PERSIST_MS) persist().catch(notWritten);
    if (hasEnded) changed();
    if (!allowances.length) clearInterval(polling);
  };
  const startPolling = () => {
    clearInterval(polling);
    if (allowances.length) polling = setInterval(poll, POLL_MS);
  };
  if (allowances.length) await persist().catch(notWritten);
  startPolling();

  return {
    /** The identifiers of the definitions that are allowed now. */
    allowed: (): string[] => allowances.filter((one) => one.device === device() && left(one) > 0).map(({ identifier }) => identifier),

    /** Returns the end by the wall clock. Throws when it cannot be stored; then nothing is allowed. */
    async begin(identifier: string): Promise<Date> {
      const allowedDevice = device();
      if (allowedDevice === null) throw new Error('There is no account.');
      const reading = readClock();
      const others = allowances.filter((one) => one.device === allowedDevice && one.identifier !== identifier);
      const next = [...others, { device: allowedDevice, identifier, span: beginSpan(reading, oneTimeCodes.allows_for) }];
      await store.setCodeAllowances(next);
      allowances = next;
      startPolling();
      changed();
      return new Date(reading.wall + oneTimeCodes.allows_for);
    },

    /** Ends all, for an emergency stop. */
    async endAll(): Promise<void> {
      if (!allowances.length) return;
      allowances = [];
      changed();
      await store.setCodeAllowances([]);
    },

    close: () => clearInterval(polling),
  };
}
