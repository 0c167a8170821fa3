import type { Trx } from './db/open.ts';
import type { WrittenLetter } from './lib/email.ts';

/** What somebody gets; null: nothing that way. A text fits into one message (`lib/texts.ts`). */
export interface Told {
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
  toHolder(holder: { name: string }): Told;
  /** When it happened, so that what leaves late can say so. */
  happened?: { time: Date; time_zone: string };
  /** It may use the texts of the day that are kept for what nobody was texted about lately. */
  reserve?: boolean;
  /** How soon it must leave; that of its kind when it is left out. */
  urgency?: 'urgent' | 'ordinary' | 'bulk';
  toGuardian(guardian: { uuid: string; name: string; holder_name: string; link: string }): Told;
}

/** Queues news for all of them, in `trx` (P5.4). */
export type Tell = (trx: Trx, account: string, news: News) => Promise<unknown>;
