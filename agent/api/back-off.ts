/**
 * Exponential backoff in milliseconds, 0.5 s to 30 s, with full jitter so that many agents do not return at once. `retry_after`, at most a
 * minute, is a minimum and is spread over twice its length.
 */
export interface BackOff {
  failed(retry_after?: number): number;
  reset(): void;
}

const MAX_RETRY_AFTER_MS = 60_000;

export function backOff(random: () => number, initialLimit = 500, maxLimit = 30_000): BackOff {
  let limit = initialLimit;
  return {
    failed(retry_after = 0) {
      const serverWait = Math.min(MAX_RETRY_AFTER_MS, Math.max(0, retry_after));
      const wait = Math.max(100, serverWait + random() * Math.max(limit, serverWait));
      limit = Math.min(maxLimit, limit * 2);
      return wait;
    },
    reset() {
      limit = initialLimit;
    },
  };
}
