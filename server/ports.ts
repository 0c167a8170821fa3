import type { Told } from '@porchlight/contract/alerts.ts';
import type { WeakeningAct } from '@porchlight/contract/care.ts';
import type { Trx } from './db/open.ts';
import type { WrittenLetter } from './lib/email.ts';

/** What slices ask of each other: each function type once. Only types stand here; `app.ts` hands the functions over. */

/** What somebody gets; null: nothing that way. A text fits into one message (`lib/sms-text.ts`). */
export interface Message {
  letter: WrittenLetter | null;
  text: string | null;
}

/** News for the holder and every active guardian. */
export interface News {
  kind: 'drill' | 'silence' | 'act' | 'weekly';
  /** What it is about: with the kind it is told once to each person, each way. */
  about: string;
  /** The holder gets the mail even with mails off: what weakens protection cannot be hidden from them by a switch (P10.4). */
  always?: boolean;
  toHolder(holder: { name: string }): Message;
  /** When it happened, so that what leaves late can say so. */
  happened?: { time: Date; time_zone: string };
  /** It may use the texts of the day that are kept for what nobody was texted about lately. */
  reserve?: boolean;
  /** How soon it must leave; that of its kind when it is left out. */
  urgency?: 'urgent' | 'ordinary' | 'bulk';
  toGuardian(guardian: { uuid: string; name: string; holder_name: string; link: string }): Message;
}

/** Queues news for all of them, in `trx` (P5.4). */
export type Tell = (trx: Trx, account: string, news: News) => Promise<unknown>;

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
