import type { FilterClock } from '../dns-filter/clock.ts';

export interface ManualClock extends FilterClock {
  /** Lets time pass: timers run in their order, each at its time. */
  advance(ms: number): void;
}

/** A clock that moves only when a test advances it. */
export function manualClock(): ManualClock {
  let time = 1000;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => time,
    after(ms, run) {
      const timer = { at: time + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      const end = time + ms;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (!next) break;
        timers = timers.filter((other) => other !== next);
        time = Math.max(time, next.at);
        next.run();
      }
      time = end;
    },
  };
}
