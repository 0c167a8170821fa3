import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface EventLoopWatch {
  /** Whether the event loop lagged at several readings in a row. */
  isOverloaded(): boolean;
  close(): void;
}

export interface EventLoopOptions {
  /** In milliseconds: a longer delay is lag. */
  limit: number;
  /** The delay of the event loop in milliseconds since the last reading; NaN for unknown. */
  read: () => number;
  every?: number;
}

/** A single pause (garbage collection, a computer that slept) is not overload. */
const overload_readings = 3;

/** One reading below the limit ends the overload. */
export function watchEventLoop({ limit, read, every = 1_000 }: EventLoopOptions): EventLoopWatch {
  let lateCount = 0;
  const timer = setInterval(() => {
    const delay = read();
    lateCount = Number.isFinite(delay) && delay > limit ? lateCount + 1 : 0;
  }, every).unref();
  return { isOverloaded: () => lateCount >= overload_readings, close: () => clearInterval(timer) };
}

/** In milliseconds: how often Node samples its event loop. */
const resolution = 20;

/** The median, so that a single pause among many turns does not count. */
export function eventLoopDelay(): { read: () => number; close: () => void } {
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  return {
    read() {
      const delay = histogram.count > 0 ? histogram.percentile(50) / 1e6 - resolution : Number.NaN;
      histogram.reset();
      return delay;
    },
    close: () => void histogram.disable(),
  };
}

const sample_interval = 20;

/** In milliseconds: the delay of an overdue timer, or of its last run. */
export function eventLoopLag(now: () => number): { lag: () => number; close: () => void } {
  let due = now() + sample_interval;
  let lateCount = 0;
  const timer = setInterval(() => {
    lateCount = Math.max(0, now() - due);
    due = now() + sample_interval;
  }, sample_interval).unref();
  return { lag: () => Math.max(lateCount, now() - due), close: () => clearInterval(timer) };
}
