import type { QueryCreator } from 'kysely';
import { notify } from '../db/notify.ts';
import type { Db } from '../db/open.ts';
import type { Tables } from '../db/tables.ts';
import type { Clock } from '../lib/clock.ts';

/** `why`: of `PermanentJobError` or `Unsent`; `gave_up` after the last attempt; `ours` while the carrier accepts no messages. */
export interface Outcome {
  state: 'done' | 'again' | 'dead';
  attempts: number;
  why: string | null;
}

/**
 * Stored in the statement (`with …`) of the job's state: if the process dies between the mail server's acceptance and this statement, the
 * email is sent twice, so there must be only one round trip.
 */
export type Settled = (db: Db, unique_key: string, outcome: Outcome) => QueryCreator<Tables>;

export interface DeadLetter {
  id: string;
  kind: string;
  /** The prefix of the job's key: `alert`, `act`, `weekly`, `account` … */
  about: string;
  /** The recipient's address or number; empty when the content was deleted. */
  to: string;
  created: Date;
  failed: Date;
  attempts: number;
  why: string;
  error: string;
}

export function deadLetters(db: Db, clock: Clock, settled?: Settled) {
  const selectDead = () => db.selectFrom('jobs').where('failed_at', 'is not', null).where('kind', 'in', ['mail', 'sms']);
  return {
    /** The newest first. `all`: the total number. */
    async list(max: number): Promise<{ messages: DeadLetter[]; all: number }> {
      const rows = await selectDead().selectAll().orderBy('failed_at', 'desc').orderBy('id').limit(max).execute();
      const { all } = await selectDead()
        .select(({ fn }) => fn.countAll<string>().as('all'))
        .executeTakeFirstOrThrow();
      const messages = rows.map(({ id, kind, unique_key, payload, created, failed_at, attempts, why, last_error }) => ({
        id,
        kind,
        about: unique_key.split(':')[0] ?? '',
        to: 'to' in payload ? String(payload.to) : '',
        created,
        failed: failed_at ?? created,
        attempts,
        why: why ?? 'refused',
        error: last_error ?? '',
      }));
      return { messages, all: Number(all) };
    },

    async waiting() {
      const lanes = await db
        .selectFrom('jobs')
        .select(({ fn }) => ['lane', fn.countAll<string>().as('count'), fn.min('created').as('oldest')])
        .where('done_at', 'is', null)
        .where('failed_at', 'is', null)
        .where('kind', 'in', ['mail', 'sms'])
        .where('run_at', '<=', clock.now())
        .groupBy('lane')
        .orderBy('lane')
        .execute();
      return {
        lanes: lanes.map(({ lane, count, oldest }) => ({ lane, count: Number(count), oldest })),
        away: await db.selectFrom('carriers_away').selectAll().orderBy('carrier').execute(),
      };
    },

    /** Returns how many dead letters were queued again; without content a letter cannot be. */
    async retry(id: string | null): Promise<number> {
      const ids = await selectDead()
        .select('id')
        .where((eb) => eb(eb.ref('payload', '->>').key('to' as never), 'is not', null))
        .$if(id !== null, (jobs) => jobs.where('id', '=', id ?? ''))
        .execute();
      const jobIds = ids.map((row) => row.id);
      return reviveJobs(db, clock, jobIds, settled);
    },
  };
}

/** The Message-ID and `failing_since` stay. `settled`: see the worker; `run_at`: the earliest time. */
export async function reviveJobs(db: Db, clock: Clock, ids: string[], settled?: Settled, run_at?: Date): Promise<number> {
  if (!ids.length) return 0;
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'unique_key', 'lane'])
    .where('id', 'in', ids)
    .where('failed_at', 'is not', null)
    .execute();
  for (const { id, unique_key } of rows) {
    await (settled?.(db, unique_key, { state: 'again', attempts: 0, why: null }) ?? db)
      .updateTable('jobs')
      .set({ failed_at: null, why: null, attempts: 0, run_at: run_at ?? clock.now(), ...(run_at ? {} : { failing_since: null }) })
      .where('id', '=', id)
      .where('failed_at', 'is not', null)
      .execute();
  }
  for (const lane of new Set(rows.map((row) => row.lane))) await notify(db, 'jobs', lane);
  return rows.length;
}
