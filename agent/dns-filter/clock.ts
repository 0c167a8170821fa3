/** Monotonic milliseconds and timers; tests hand in a clock of their own. `after` returns a function that cancels the timer. */
export interface FilterClock {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

export const systemClock: FilterClock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** The value of `work`, or `otherwise` when it takes longer than `ms`; `work` continues. */
export function within<T, O>(clock: FilterClock, ms: number, work: Promise<T>, otherwise: O): Promise<T | O> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(otherwise));
    work.then(resolve, reject).finally(cancel);
  });
}
