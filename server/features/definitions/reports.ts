import type { Certainty, DetectionCategory } from '@porchlight/contract/shapes.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

/** A match without personal data; `file` has no folder because folders contain names. */
export interface WrongMatch {
  identifier: string;
  name: string;
  category: DetectionCategory;
  certainty: Certainty;
  /** The file name; empty for a site. */
  file: string;
  /** Such as `product=anydesk`; empty when unknown. */
  evidence: string;
}

/** Counts wrong matches (P9.6) without storing who reported them. */
export function reportStore(db: Db, clock: Clock) {
  return {
    async add(trx: Trx, match: WrongMatch): Promise<void> {
      const day = clock.now().toISOString().slice(0, 10);
      await trx
        .insertInto('wrong_matches')
        .values({ ...match, count: 1, first_day: day, last_day: day })
        .onConflict((oc) =>
          oc
            .columns(['identifier', 'name', 'category', 'certainty', 'file', 'evidence'])
            .doUpdateSet({ count: sql`wrong_matches.count + 1`, last_day: day }),
        )
        .execute();
    },

    /** The most frequent matches, at most `max`, and the total count. */
    async list(max: number) {
      const totalRow = await db.selectFrom('wrong_matches').select(db.fn.countAll<string>().as('n')).executeTakeFirstOrThrow();
      const rows = await db
        .selectFrom('wrong_matches')
        .selectAll()
        .orderBy('count', 'desc')
        .orderBy('last_day', 'desc')
        .orderBy('identifier')
        .orderBy('name')
        .orderBy('file')
        .orderBy('evidence')
        .limit(max)
        .execute();
      return { rows, all: Number(totalRow.n) };
    },
  };
}
