import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface EventLoopWatch {
  /** Has the event loop been late for several readings in a row? */
  isOverloaded(): boolean;
  close(): void;
}

export interface EventLoopOptions {
  /** In milliseconds: a reading above this is late. */
  limit: number;
  /** The delay of the event loop in milliseconds since the last reading; NaN for unknown. */
  read: () => number;
  /** In milliseconds. */
  every?: number;
}

/** One pause, however long (garbage collection, a computer that slept), is one late reading; work that does not fit is late again and again. */
const late_in_a_row = 3;

/** Watches how late the event loop is. One reading that is not late ends the overload. */
export function watchEventLoop({ limit, read, every = 1_000 }: EventLoopOptions): EventLoopWatch {
  let late = 0;
  const timer = setInterval(() => {
    const delay = read();
    // What is not a number says nothing about the load.
    late = Number.isFinite(delay) && delay > limit ? late + 1 : 0;
  }, every).unref();
  return { isOverloaded: () => late >= late_in_a_row, close: () => clearInterval(timer) };
}

/** In milliseconds: how often Node looks at its own event loop. */
const resolution = 20;

/** Reads the delay of this process's event loop: the median since the last reading, so that a single pause among many turns does not count. */
export function eventLoopDelay(): { read: () => number; close: () => void } {
  const seen = monitorEventLoopDelay({ resolution });
  seen.enable();
  return {
    read() {
      const delay = seen.count > 0 ? seen.percentile(50) / 1e6 - resolution : Number.NaN;
      seen.reset();
      return delay;
    },
    close: () => void seen.disable(),
  };
}

/** In milliseconds: how often the event loop is looked at for its lag. */
const looked_every = 20;

/** How late this process's event loop is now, in milliseconds: a timer that should have run says it while it still waits, and after that until the next one. */
export function eventLoopLag(now: () => number): { lag: () => number; close: () => void } {
  let due = now() + looked_every;
  let late = 0;
  const timer = setInterval(() => {
    late = Math.max(0, now() - due);
    due = now() + looked_every;
  }, looked_every).unref();
  return { lag: () => Math.max(late, now() - due), close: () => clearInterval(timer) };
}
