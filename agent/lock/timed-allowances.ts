import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { Store, TimedAllowance } from '../state/store.ts';

/** How often an end is checked, and the rest persisted. */
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

/** A timed allowance ends after its length, whatever the clock says and however often the computer restarts. */
export async function timedAllowances({ store, readClock, policy, ended }: TimedAllowancesDeps) {
  let spans = new Map<string, TimedAllowance>((await store.timedAllowances()).map((one) => [one.key, one]));
  let persistedAt = readClock().up;
  /** The keys that were answered as allowed. */
  const said = new Set<string>();

  const persist = () => store.setTimedAllowances([...spans.values()]).catch(() => {});
  /** By the server's times alone, whatever this computer's clock says. */
  const lengthIn = ({ issued }: DevicePolicy, { until }: Entry) => Math.max(0, Date.parse(until ?? '') - Date.parse(issued));
  /** A newer policy names the length again, which can only shorten what is left. */
  const counted = (now: DevicePolicy, entry: Entry): TimedAllowance => {
    const [known, at] = [spans.get(keyOf(entry)), readClock()];
    const length = lengthIn(now, entry);
    if (known && (known.issued >= now.issued || leftOf(known.span, at, 'soonest') <= length)) return known;
    const next = { key: keyOf(entry), issued: now.issued, span: beginSpan(at, length) };
    spans.set(next.key, next);
    void persist();
    return next;
  };
  const timed = (now: DevicePolicy | null) => (now?.allow ?? []).filter(({ until }) => until !== null);
  const holds = (now: DevicePolicy, entry: Entry) => entry.until === null || leftOf(counted(now, entry).span, readClock(), 'soonest') > 0;

  const poll = () => {
    const now = policy();
    const entries = timed(now);
    const named = new Set(entries.map(keyOf));
    if (now && [...spans.keys()].some((key) => !named.has(key))) {
      spans = new Map([...spans].filter(([key]) => named.has(key)));
      void persist();
    }
    if (!now || !entries.length) return said.clear();
    const holding = new Set(entries.filter((entry) => holds(now, entry)).map(keyOf));
    const less = [...said].some((key) => !holding.has(key));
    for (const key of said) if (!holding.has(key)) said.delete(key);
    const at = readClock();
    if (less || (holding.size && Math.abs(at.up - persistedAt) >= PERSIST_MS)) {
      persistedAt = at.up;
      // An ended allowance is persisted as long as the policy names it, so that it stays ended.
      spans = new Map([...spans].map(([key, one]) => [key, { ...one, span: seenSpan(one.span, at, 'soonest') }]));
      void persist();
    }
    if (less) ended();
  };
  const polling = setInterval(poll, POLL_MS);

  return {
    /** The policy with what is still allowed; the same object without timed entries. */
    inForce(now: DevicePolicy): DevicePolicy {
      if (!timed(now).length) return now;
      const allow = now.allow.filter((entry) => holds(now, entry));
      for (const entry of allow) if (entry.until !== null) said.add(keyOf(entry));
      return { ...now, allow };
    },
    close: () => clearInterval(polling),
  };
}
