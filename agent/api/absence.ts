/** Milliseconds; shorter outages are not reported. */
const MIN_REPORTED_MS = 2 * 60_000;

export interface Absence {
  answered(): void;
  /** Seconds offline, to report in the next check-in; undefined when there was no outage. */
  seconds(): number | undefined;
  reported(): void;
}

/**
 * Measures the longest outage since this agent's first answer from the server. `up`: milliseconds since boot, sleep included; no clock
 * change affects it.
 */
export function absence(up: () => number): Absence {
  let lastAnswerAt: number | null = null;
  let longest = 0;
  const gap = () => (lastAnswerAt === null ? 0 : up() - lastAnswerAt);
  return {
    answered() {
      longest = Math.max(longest, gap());
      lastAnswerAt = up();
    },
    seconds() {
      const outage = Math.max(longest, gap());
      return outage < MIN_REPORTED_MS ? undefined : Math.round(outage / 1000);
    },
    reported() {
      longest = 0;
      lastAnswerAt = up();
    },
  };
}
