import type { IncidentOpener } from '@porchlight/contract/incident-events.ts';
import type { IncidentState } from '@porchlight/contract/incidents.ts';
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

/** What happens, for each part that must hear of it. */
export interface ServerEvents {
  /** `device`: null for each device of the account. Their agents are woken (P4.8). */
  policy_changed: { account: string; device: string | null };
  /** An active guardian was removed or left: for 7 days the account counts as guarded (P10.2). */
  guardian_gone: { account: string };
  /** Opened or prolonged. `what`: the program's name. `before`: the incident's state. */
  incident_opened: {
    incident: string;
    account: string;
    device: { uuid: string };
    opener: IncidentOpener;
    what: string | null;
    time: Date;
    before: 'none' | IncidentState;
  };
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
