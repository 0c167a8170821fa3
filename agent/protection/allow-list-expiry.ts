import type { DevicePolicy } from '@porchlight/contract/agent.ts';

/** A clock that is set, or a computer that slept, is noticed at most this late. In milliseconds. */
const atMost = 1000;

/**
 * Calls `ended` when something that was allowed no longer is, at that moment, whether the server can be reached or not. No timer runs until
 * the end itself: it would not hear of a clock that is set forward, and stands still while the computer sleeps.
 */
export function watchAllowListExpiry(parts: { now: () => Date; allow: () => DevicePolicy['allow']; ended: () => void }): { close(): void } {
  let looked = parts.now().getTime();
  let timer: NodeJS.Timeout;
  const inspect = () => {
    const now = parts.now().getTime();
    const ends = parts.allow().flatMap(({ until }) => (until === null ? [] : [Date.parse(until)]));
    if (ends.some((end) => looked < end && end <= now)) parts.ended();
    looked = now;
    timer = setTimeout(inspect, Math.min(atMost, ...ends.filter((end) => end > now).map((end) => end - now)));
  };
  inspect();
  return { close: () => clearTimeout(timer) };
}
