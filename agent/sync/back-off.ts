/** Waits longer after each failure, with full jitter so that many agents do not come back at once: 0.5 s doubling up to 30 s. */
export interface BackOff {
  failed(): number;
  reset(): void;
}

export function backOff(random: () => number, first = 500, most = 30_000): BackOff {
  let limit = first;
  return {
    failed() {
      const wait = Math.max(100, random() * limit);
      limit = Math.min(most, limit * 2);
      return wait;
    },
    reset() {
      limit = first;
    },
  };
}
