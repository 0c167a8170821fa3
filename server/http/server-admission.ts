import type { TrafficControl } from '../db/traffic.ts';
import { type Clock, stopwatch } from '../lib/clock.ts';
import { type Admission, newAdmission } from './admission.ts';
import { eventLoopLag, watchEventLoop } from './event-loop.ts';

interface ServerAdmissionDeps {
  traffic: Pick<TrafficControl, 'roomOf' | 'waitedFor'>;
  eventLoopDelay: () => number;
  clock: Clock;
  config: { busy_after: number };
}

/** Admission by the load of the database and the event loop. */
export function serverAdmission({ traffic, eventLoopDelay, clock, config }: ServerAdmissionDeps): {
  admission: Admission;
  /** When an agent's call was refused since the last call of this function; null for never. */
  refusedAgent(): Date | null;
  close(): void;
} {
  const watch = watchEventLoop({ limit: config.busy_after, read: eventLoopDelay });
  const loop = eventLoopLag(stopwatch);
  const admission = newAdmission({ ...traffic, now: stopwatch, random: Math.random, lag: loop.lag, isOverloaded: watch.isOverloaded });
  let refusedAt: Date | null = null;
  return {
    admission: {
      ...admission,
      admit(call, kind) {
        const retry_after = admission.admit(call, kind);
        if (retry_after !== null && kind === 'agent') refusedAt = clock.now();
        return retry_after;
      },
    },
    refusedAgent() {
      const lastRefusal = refusedAt;
      refusedAt = null;
      return lastRefusal;
    },
    close() {
      watch.close();
      loop.close();
    },
  };
}
