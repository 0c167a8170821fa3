import type { Trx } from '../../db/open.ts';
import type { WrittenLetter } from '../../lib/letter.ts';

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
  toHolder(holder: { name: string }): Told;
  toGuardian(guardian: { uuid: string; name: string; holder_name: string; link: string }): Told;
}

/** Queues news for all of them, in `trx` (P5.4). */
export type Tell = (trx: Trx, account: string, news: News) => Promise<unknown>;
