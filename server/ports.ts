import type { WeakeningActivity } from '@porchlight/contract/activity-log.ts';
import type { NotificationDelivery } from '@porchlight/contract/alerts.ts';
import type { BrowsingProtection } from '@porchlight/contract/browsing-protection.ts';
import type { Trx } from './db/open.ts';
import type { Notification } from './notifications/render/render.ts';

/** Types of the functions that features call in each other; `app.ts` passes the functions. */

/** Queues a notification in `trx`, once for each person and channel (P5.4). */
export type Notify = (trx: Trx, account: string, notification: Notification) => Promise<void>;

/** `time`: perhaps long before the server received it. `over`: the activity has ended, such as a pause. */
export interface AtDevice {
  time: Date;
  over?: boolean;
}

/** The gate may refuse an activity, and queues the notifications in the same transaction. */
export type WeakeningGate = (trx: Trx, account: string, act: WeakeningActivity, atDevice?: AtDevice) => Promise<void>;

export type NameLookup = (account: string, trx?: Trx) => Promise<string>;

export type AlertUrl = (trx: Trx, account: string, alert: string) => Promise<string>;

export type DeliveryLookup = (account: string, kind: 'alert' | 'drill', about: string[]) => Promise<Map<string, NotificationDelivery[]>>;

export type DefinitionHelpLookup = (identifiers: string[]) => Promise<Map<string, DefinitionHelp>>;

export interface DefinitionHelp {
  what_it_is: string;
  what_to_do: string;
}

export type DeviceOwnership = (account: string, device: string) => Promise<boolean>;

export type BrowsingProtectionLookup = (account: string) => Promise<BrowsingProtection>;

export type OptOutLookup = (numbers: string[], trx?: Trx) => Promise<Set<string>>;
