import type { DevicePolicy } from '@porchlight/contract/agent.ts';

/** A changed clock, or a sleep, is noticed at most this late. */
const atMost = 1000;

/**
 * Calls `ended` at the moment an allow-list entry expires, with or without the server. The timer is checked often: one that ran until the end would
 * miss a clock set forward, and stand still during sleep.
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
