import type { Db } from './db/open.ts';
import type { Gates } from './http/gates.ts';
import type { Limit } from './http/rate-limit.ts';
import type { Enqueue, ForgetJobs } from './jobs/queue.ts';
import type { Clock } from './lib/clock.ts';
import type { NameLookup, Notify, WeakeningGate, WeakeningLog } from './ports.ts';
import type { Sealer } from './secrets/seal.ts';

/** What most parts of the server need. A part takes those members that it uses: `Pick<Kernel, 'db' | 'clock'>`. */
export interface Kernel {
  db: Db;
  clock: Clock;
  sealer: Sealer;
  enqueue: Enqueue;
  forgetJobs: ForgetJobs;
  limit: Limit;
  gates: Gates;
  notify: Notify;
  weaken: WeakeningLog;
  weakening: WeakeningGate;
  nameOf: NameLookup;
}
