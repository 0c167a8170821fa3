import type { Told } from '@porchlight/contract/alerts.ts';
import type { Db, Trx } from './db/open.ts';
import { acts as newActs } from './features/activity-log/gate.ts';
import { actStore } from './features/activity-log/store.ts';
import { standingStore } from './features/activity-log/undo-store.ts';
import { silenceStore } from './features/device-health/outage-store.ts';
import { silences as newSilences } from './features/device-health/outages.ts';
import { outages as newOutages, type OutageParts } from './features/device-health/watch.ts';
import { outageStore } from './features/device-health/watch-store.ts';
import { fireDrills } from './features/fire-drill/drills.ts';
import { weeklyMails } from './features/weekly-report/reports.ts';
import { hourly } from './hourly.ts';
import type { Enqueue, JobKinds } from './jobs/queue.ts';
import type { Clock } from './lib/clock.ts';
import type { Limit } from './lib/rate-limit.ts';
import type { SettingsStore } from './notifications/settings.ts';
import type { Tell } from './ports.ts';

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
    standings: standingStore(db, clock, parts.settings, parts.has_guardians),
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
