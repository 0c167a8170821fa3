import type { DevicePolicy } from '@porchlight/contract/agent.ts';

/** Milliseconds between checks; the longest delay after a clock change or sleep. */
const atMost = 1000;

/** Calls `ended` when an allow-list entry expires. Polls, because one long timer would miss clock changes and stop during sleep. */
export function watchAllowListExpiry(deps: { now: () => Date; allow: () => DevicePolicy['allow']; ended: () => void }): { close(): void } {
  let lastCheck = deps.now().getTime();
  let timer: NodeJS.Timeout;
  const check = () => {
    const now = deps.now().getTime();
    const expiryTimes = deps.allow().flatMap(({ until }) => (until === null ? [] : [Date.parse(until)]));
    if (expiryTimes.some((end) => lastCheck < end && end <= now)) deps.ended();
    lastCheck = now;
    timer = setTimeout(check, Math.min(atMost, ...expiryTimes.filter((end) => end > now).map((end) => end - now)));
  };
  check();
  return { close: () => clearTimeout(timer) };
}
