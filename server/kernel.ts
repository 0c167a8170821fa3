import type { Logger } from 'pino';
import type { Db } from './db/open.ts';
import type { Gates } from './http/gates.ts';
import type { Limit } from './http/rate-limit.ts';
import type { Enqueue, ForgetJobs } from './jobs/queue.ts';
import type { Clock } from './lib/clock.ts';
import type { EventHub } from './lib/event-hub.ts';
import type { NameLookup, Notify, WeakeningGate, WeakeningLog } from './ports.ts';
import type { Sealer } from './secrets/seal.ts';
import type { Budgets } from './texts/budgets.ts';
import type { Countries } from './texts/phone.ts';

/** What the operator has set, as far as several parts need it. */
export interface Settings {
  public_url: string;
  dashboard_url: string;
  secure_cookies: boolean;
  email_check: boolean;
  phone_verification: boolean;
  sms: boolean;
  /** The number or name that texts come from; null: no text leaves. */
  texts_from: string | null;
  /** Texts and calls go there. */
  countries: Countries;
  /** Whether calls can be placed. */
  calls: boolean;
}

/** What parts must hear of that are made after the one where it happens. */
export interface ServerEvents {
  incident_ended: { account: string; device: string };
}

/** What most parts of the server need. A part takes those members that it uses: `Pick<Kernel, 'db' | 'clock'>`. */
export interface Kernel {
  db: Db;
  clock: Clock;
  log: Logger;
  settings: Settings;
  sealer: Sealer;
  enqueue: Enqueue;
  forgetJobs: ForgetJobs;
  events: EventHub<ServerEvents>;
  limit: Limit;
  budgets: Budgets;
  gates: Gates;
  notify: Notify;
  weaken: WeakeningLog;
  weakening: WeakeningGate;
  nameOf: NameLookup;
}
