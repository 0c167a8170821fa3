import type { Urgency } from '../../jobs/lanes.ts';
import type { Email, WrittenEmail } from '../../lib/email.ts';
import type { LateSms } from '../../lib/late-message.ts';

/** Stored with each delivery; SMS are counted by it. */
export type Category = 'alert' | 'scan' | 'drill' | 'silence' | 'act' | 'weekly';

/** How a notification is delivered, as far as its facts decide that. */
export interface DeliveryRule {
  category: Category;
  /** What it is about: with the category it reaches each person once by each channel. */
  about: string;
  urgency: Urgency;
  /** The holder gets the email even with emails off: no switch hides from them what weakens protection (P10.4). STOP always ends SMS (P5.5). */
  always?: boolean;
  /** It may use the SMS of the day that are reserved for a kind that nobody got an SMS about lately. */
  reserve?: boolean;
  /** When it happened, so that what leaves late can say so. */
  happened?: { time: Date; time_zone: string };
}

/** What one person gets; null: nothing by that channel. An SMS fits into one message (`lib/sms-text.ts`). */
export interface Message {
  email: WrittenEmail | null;
  sms: string | null;
  /** What it says instead when it leaves long after it happened; without it the same words. */
  late?: { email: Email; sms: LateSms };
}

export interface Holder {
  name: string;
  /** Without a slash at the end. */
  dashboard_url: string;
}

export interface Guardian {
  uuid: string;
  name: string;
  holder_name: string;
  /** To the guardian's own page. */
  link: string;
}

/** One kind of notification: facts in, messages out. */
export interface Rendering<F> {
  delivery(facts: F): DeliveryRule;
  toHolder(facts: F, holder: Holder): Message;
  toGuardian(facts: F, guardian: Guardian): Message;
}
