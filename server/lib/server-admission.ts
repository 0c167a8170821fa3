import type { TrafficControl } from '../db/traffic.ts';
import { type Admission, newAdmission } from './admission.ts';
import type { Clock } from './clock.ts';
import { eventLoopLag, watchEventLoop } from './event-loop.ts';

interface ServerAdmissionDeps {
  traffic: Pick<TrafficControl, 'roomOf' | 'waitedFor'>;
  /** The delay of the event loop since it was read last, in milliseconds. */
  eventLoopDelay: () => number;
  clock: Clock;
  config: { busy_after: number };
}

/** Who is let in, by how busy the database and the event loop are. */
export function serverAdmission({ traffic, eventLoopDelay, clock, config }: ServerAdmissionDeps): {
  admission: Admission;
  /** When a call of an agent was refused last, of those that came since this was asked before; null for none. */
  refusedAgent(): Date | null;
  close(): void;
} {
  const now = () => performance.now();
  const watch = watchEventLoop({ limit: config.busy_after, read: eventLoopDelay });
  const loop = eventLoopLag(now);
  const admission = newAdmission({ ...traffic, now, random: Math.random, lag: loop.lag, isOverloaded: watch.isOverloaded });
  let refused: Date | null = null;
  return {
    admission: {
      ...admission,
      admit(call, kind) {
        const retry_after = admission.admit(call, kind);
        if (retry_after !== null && kind === 'agent') refused = clock.now();
        return retry_after;
      },
    },
    refusedAgent() {
      const last = refused;
      refused = null;
      return last;
    },
    close() {
      watch.close();
      loop.close();
    },
  };
}
