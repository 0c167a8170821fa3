/**
 * Waits longer after each failure, with full jitter so that many agents do not come back at once: 0.5 s doubling up to 30 s. Where the server says when to
 * come back (`retry_after`, in milliseconds), never before that, and spread over as long again; a server that says more than a minute is asked sooner.
 */
export interface BackOff {
  failed(retry_after?: number): number;
  reset(): void;
}

const longestSaid = 60_000;

export function backOff(random: () => number, first = 500, max = 30_000): BackOff {
  let limit = first;
  return {
    failed(retry_after = 0) {
      const said = Math.min(longestSaid, Math.max(0, retry_after));
      const wait = Math.max(100, said + random() * Math.max(limit, said));
      limit = Math.min(max, limit * 2);
      return wait;
    },
    reset() {
      limit = first;
    },
  };
}
