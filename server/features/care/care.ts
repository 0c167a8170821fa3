import type { Told } from '@porchlight/contract/alerts.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Enqueue, JobKinds } from '../../jobs/queue.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import { actStore } from './act-store.ts';
import { acts as newActs } from './acts.ts';
import { fireDrills } from './drill.ts';
import { hourly } from './hourly.ts';
import type { SettingsStore } from './settings.ts';
import { silences as newSilences } from './silence.ts';
import { silenceStore } from './silence-store.ts';
import type { Tell } from './tell.ts';
import { weeklyMails } from './weekly.ts';

export interface CareParts {
  db: Db;
  clock: Clock;
  limit: Limit;
  enqueue: Enqueue;
  settings: SettingsStore;
  tell: Tell;
  dashboard_url: string;
  nameOf(account: string, trx?: Trx): Promise<string>;
  deliveriesOf(account: string, kind: 'drill', about: string[]): Promise<Map<string, Told[]>>;
  forgetJobs(kind: keyof JobKinds, before: Date): Promise<unknown>;
  /** Deletes what counts no more. */
  forgetEnded(now: Date): Promise<unknown>;
}

/** Everything that looks after people once all is set up, in the order in which each uses what stands above it. */
export function care(parts: CareParts) {
  const { db, clock } = parts;
  const actRows = actStore(db, clock);
  const acts = newActs({ ...parts, store: actRows });
  const silences = newSilences({ ...parts, store: silenceStore(db, clock), acts });
  const drills = fireDrills(parts);
  const weekly = weeklyMails(parts);
  const hours = hourly({ ...parts, tellSilences: silences.tellAll, queueWeeklies: weekly.queueAll });
  return {
    actRows,
    acts,
    silences,
    drills,
    queueNext: hours.queueNext,
    handlers: { ...acts.handlers, ...silences.handlers, ...weekly.handlers, ...hours.handlers },
  };
}
