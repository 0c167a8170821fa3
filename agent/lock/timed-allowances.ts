import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import { type ClockReading, leftOf, policySpan, seenSpan } from '../lib/span.ts';
import type { Store, TimedAllowance } from '../state/store.ts';

const POLL_MS = 250;
const PERSIST_MS = 5000;

export interface TimedAllowancesDeps {
  store: Pick<Store, 'timedAllowances' | 'setTimedAllowances'>;
  readClock: () => ClockReading;
  policy: () => DevicePolicy | null;
  ended: () => void;
}

type Entry = DevicePolicy['allow'][number];
const keyOf = ({ type, identifier, until }: Entry) => `${type} ${identifier} ${until}`;

/** A timed allowance ends after its length in running time, whatever the clock says. */
export async function timedAllowances({ store, readClock, policy, ended }: TimedAllowancesDeps) {
  let spans = new Map<string, TimedAllowance>((await store.timedAllowances()).map((one) => [one.key, one]));
  let persistedAt = readClock().up;
  const inForceKeys = new Set<string>();

  const persist = () => store.setTimedAllowances([...spans.values()]).catch(() => {});
  const allowanceFor = (currentPolicy: DevicePolicy, entry: Entry): TimedAllowance => {
    const known = spans.get(keyOf(entry));
    if (known && known.issued >= currentPolicy.issued) return known;
    const span = policySpan(currentPolicy, entry.until ?? '', known?.span, readClock());
    if (known?.span === span) return known;
    const newAllowance = { key: keyOf(entry), issued: currentPolicy.issued, span };
    spans.set(newAllowance.key, newAllowance);
    void persist();
    return newAllowance;
  };
  const timedEntries = (currentPolicy: DevicePolicy | null) => (currentPolicy?.allow ?? []).filter(({ until }) => until !== null);
  const isInForce = (now: DevicePolicy, entry: Entry) =>
    entry.until === null || leftOf(allowanceFor(now, entry).span, readClock(), 'soonest') > 0;

  const poll = () => {
    const currentPolicy = policy();
    const entries = timedEntries(currentPolicy);
    const policyKeys = new Set(entries.map(keyOf));
    if (currentPolicy && [...spans.keys()].some((key) => !policyKeys.has(key))) {
      spans = new Map([...spans].filter(([key]) => policyKeys.has(key)));
      void persist();
    }
    if (spans.size === 0 && entries.length === 0) rest();
    if (!currentPolicy || !entries.length) return inForceKeys.clear();
    const activeKeys = new Set(entries.filter((entry) => isInForce(currentPolicy, entry)).map(keyOf));
    const hasEnded = [...inForceKeys].some((key) => !activeKeys.has(key));
    for (const key of inForceKeys) if (!activeKeys.has(key)) inForceKeys.delete(key);
    const reading = readClock();
    if (hasEnded || (activeKeys.size && Math.abs(reading.up - persistedAt) >= PERSIST_MS)) {
      persistedAt = reading.up;
      // Ended allowances are persisted while the policy contains them, so that they stay ended.
      spans = new Map([...spans].map(([key, one]) => [key, { ...one, span: seenSpan(one.span, reading, 'soonest') }]));
      void persist();
    }
    if (hasEnded) ended();
  };
  let polling: NodeJS.Timeout | undefined;
  const rest = () => {
    clearInterval(polling);
    polling = undefined;
  };
  const watch = () => {
    polling ??= setInterval(poll, POLL_MS);
  };
  watch();

  return {
    /** To be called after a change of the policy. Time is read only while there are such allowances: most computers never have one. */
    watch,
    /** The policy without ended allowances; the same object when it has no timed entries. */
    inForce(currentPolicy: DevicePolicy): DevicePolicy {
      if (!timedEntries(currentPolicy).length) return currentPolicy;
      const allow = currentPolicy.allow.filter((entry) => isInForce(currentPolicy, entry));
      for (const entry of allow) if (entry.until !== null) inForceKeys.add(keyOf(entry));
      return { ...currentPolicy, allow };
    },
    close: rest,
  };
}
