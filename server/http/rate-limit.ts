import type { ErrorCode } from '@porchlight/contract/errors.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/open.ts';
import type { Clock } from '../lib/clock.ts';
import { fail } from '../lib/errors.ts';
import type { Sealer } from '../secrets/seal.ts';

export interface Rate {
  /** `max` attempts in `per` milliseconds. */
  max: number;
  per: number;
}

/** For whom attempts are counted; of several parts the first can be found without the others. */
export type CountedFor = string | readonly [string, string];

/** The stored key of a count. */
export type CountKey = (action: string, caller: CountedFor) => string;

const isId = (text: string) => /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/.test(text);

/** Counts outlast an account (P13.2), so email addresses, phone numbers and networks are in them only as keyed hashes. Ids stay. */
export function countKeys(sealer: Pick<Sealer, 'mac'>): CountKey {
  const masked = (part: string) => (isId(part) ? part : sealer.mac('rate-count', part));
  return (action, caller) =>
    `${action}:${[caller]
      .flat()
      .map((part) => masked(part.toLowerCase()))
      .join(' ')}`;
}

/** Throws `refusal` (default `too_many`, 429) above the limit. All servers share the counts, and they survive a restart. */
export type Limit = (action: string, caller: CountedFor, rate: Rate, refusal?: ErrorCode) => Promise<void>;

export function limiter(db: Db, clock: Clock, keyOf: CountKey): Limit {
  const countAttempt = attemptCounter(clock, keyOf);
  return async (action, caller, rate, refusal = 'too_many') => {
    const { count, ends } = await countAttempt(db, action, caller, rate.per);
    if (count > rate.max) fail(refusal, { retry_after: (ends.getTime() - clock.now().getTime()) / 1000 });
  };
}

/** Counts an attempt, and refuses nothing. Returns how many there are within `per` milliseconds, and when that time ends. */
export type CountAttempt = (
  connection: Db | Trx,
  action: string,
  caller: CountedFor,
  per: number,
) => Promise<{ count: number; ends: Date }>;

export function attemptCounter(clock: Clock, keyOf: CountKey): CountAttempt {
  return (connection, action, caller, per) => {
    const now = clock.now();
    const ends = new Date(now.getTime() + per);
    return connection
      .insertInto('rate_counts')
      .values({ key: keyOf(action, caller), count: 1, ends })
      .onConflict((oc) =>
        oc.column('key').doUpdateSet({
          count: sql<number>`case when rate_counts.ends <= ${now} then 1 else rate_counts.count + 1 end`,
          ends: sql<Date>`case when rate_counts.ends <= ${now} then excluded.ends else rate_counts.ends end`,
        }),
      )
      .returning(['count', 'ends'])
      .executeTakeFirstOrThrow();
  };
}

/** Takes back one attempt that `Limit` counted. */
export type GiveBack = (action: string, caller: CountedFor) => Promise<void>;

export function attemptsBack(db: Db, keyOf: CountKey): GiveBack {
  return async (action, caller) => {
    await db
      .updateTable('rate_counts')
      .set({ count: sql<number>`greatest(0, count - 1)` })
      .where('key', '=', keyOf(action, caller))
      .execute();
  };
}

/** Deletes the counts of all actions for a caller, also those with a second part. */
export type ForgetAttempts = (trx: Trx, caller: string) => Promise<unknown>;

export const attemptsForgotten =
  (keyOf: CountKey): ForgetAttempts =>
  (trx, caller) =>
    trx
      .deleteFrom('rate_counts')
      .where(sql<string>`split_part(substr(key, strpos(key, ':') + 1), ' ', 1)`, '=', keyOf('', caller).slice(1))
      .execute();
