import type { Told } from '@porchlight/contract/alerts.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Enqueue, JobKinds } from '../../jobs/queue.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import { actStore } from './act-store.ts';
import { acts as newActs } from './acts.ts';
import { fireDrills } from './drill.ts';
import { hourly } from './hourly.ts';
import { outageStore } from './outage-store.ts';
import { outages as newOutages, type OutageParts } from './outages.ts';
import type { SettingsStore } from './settings.ts';
import { silences as newSilences } from './silence.ts';
import { silenceStore } from './silence-store.ts';
import { standingStore } from './standing-store.ts';
import type { Tell } from './tell.ts';
import { weeklyMails } from './weekly.ts';

export interface CareParts {
  db: Db;
  clock: Clock;
  log: OutageParts['log'];
  limit: Limit;
  enqueue: Enqueue;
  settings: SettingsStore;
  tell: Tell;
  /** Whether this server has guardians at all. */
  has_guardians: boolean;
  dashboard_url: string;
  hasValidPlan(account: string): Promise<boolean>;
  nameOf(account: string, trx?: Trx): Promise<string>;
  /** Where the holder reads of an alert. */
  alertUrl(trx: Trx, account: string, alert: string): Promise<string>;
  /** The alert that a wish for this name is about, at that device and moment. */
  wishedOf(trx: Trx, device: string, name: string, time: Date): Promise<string | undefined>;
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
  const silenceRows = silenceStore(clock);
  const watched = outageStore(db, clock);
  const silences = newSilences({ ...parts, store: silenceRows, watched, acts });
  const outages = newOutages({ ...parts, store: watched, silences: silenceRows });
  const drills = fireDrills(parts);
  const weekly = weeklyMails(parts);
  const hours = hourly({ ...parts, forgetOutages: outages.forget, tellSilences: silences.tellAll, queueWeeklies: weekly.queueAll });
  return {
    actRows,
    standings: standingStore(parts),
    acts,
    silences: { ...silences, heard: outages.heard },
    drills,
    /** Calls of agents were refused: short silences say nothing for a while. */
    noteRefused: watched.noteRefused,
    queueNext: async () => {
      await hours.queueNext();
      await outages.queueNext();
    },
    handlers: { ...acts.handlers, ...silences.handlers, ...outages.handlers, ...weekly.handlers, ...hours.handlers },
  };
}
