import type { Told } from '@porchlight/contract/alerts.ts';
import type { WeakeningAct } from '@porchlight/contract/care.ts';
import type { Trx } from './db/open.ts';
import type { Notification } from './notifications/render/render.ts';

/** What slices ask of each other: each function type once. Only types stand here; `app.ts` hands the functions over. */

/** Queues a notification for the holder and every active guardian, in `trx`: once for each person and channel (P5.4). */
export type Notify = (trx: Trx, account: string, notification: Notification) => Promise<void>;

/** Done by somebody who sat at the device, perhaps long before the server heard of it. `over`: it lasts no longer. */
export interface AtDevice {
  time: Date;
  over?: boolean;
}

/** The one gate for everything that weakens protection: it may refuse, and it queues the notifications in the same transaction. */
export type WeakeningGate = (trx: Trx, account: string, act: WeakeningAct, there?: AtDevice) => Promise<void>;

/** The name of an account's holder. */
export type NameLookup = (account: string, trx?: Trx) => Promise<string>;

/** Where the holder reads about an alert. */
export type AlertUrl = (trx: Trx, account: string, alert: string) => Promise<string>;

/** The deliveries of these notifications, by what each is about. */
export type DeliveryLookup = (account: string, kind: 'alert' | 'drill', about: string[]) => Promise<Map<string, Told[]>>;

/** The words that the published definitions have for these threats. */
export type DefinitionHelpLookup = (identifiers: string[]) => Promise<Map<string, DefinitionHelp>>;

export interface DefinitionHelp {
  what_it_is: string;
  what_to_do: string;
}

export type DeviceOwnership = (account: string, device: string) => Promise<boolean>;

/** The numbers among these that have opted out of texts. */
export type OptOutLookup = (numbers: string[], trx?: Trx) => Promise<Set<string>>;
