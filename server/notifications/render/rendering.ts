import type { DeliveryKind } from '../../db/retention.ts';
import type { Urgency } from '../../jobs/lanes.ts';
import type { Email, WrittenEmail } from '../../texts/email.ts';
import type { LateSms } from '../../texts/late-message.ts';

/** Stored with each delivery. SMS are counted by category. */
export type Category = Exclude<DeliveryKind, 'invitation'>;

/** How a notification is delivered, depending on its facts. */
export interface DeliveryRule {
  category: Category;
  /** With the category, identifies a notification: each person gets it once by each channel. */
  about: string;
  urgency: Urgency;
  /** Sent even with emails off, so that weakened protection is never hidden (P10.4). STOP always ends SMS (P5.5). */
  always?: boolean;
  /** May use the SMS reserved for kinds without a recent SMS. */
  reserve?: boolean;
  /** When the event happened, for late messages. */
  happened?: { time: Date; time_zone: string };
}

/** Null: no message by that channel. The SMS is never split (`lib/sms-text.ts`). */
export interface Message {
  email: WrittenEmail | null;
  sms: string | null;
  /** For messages sent long after the event; default: the same text. */
  late?: { email: Email; sms: LateSms };
}

/** For a holder or guardian who did it. */
export const noMessage: Message = { email: null, sms: null };

export interface Holder {
  /** The account, so that a notification can leave out a holder who caused it. */
  uuid: string;
  name: string;
  dashboard_url: string;
}

export interface Guardian {
  uuid: string;
  name: string;
  holder_name: string;
  link: string;
  /** Whether the guardian chose the report of quiet weeks too (P15.6). */
  every_week?: boolean;
}

export interface Rendering<F> {
  delivery(facts: F): DeliveryRule;
  toHolder(facts: F, holder: Holder): Message;
  toGuardian(facts: F, guardian: Guardian): Message;
}
