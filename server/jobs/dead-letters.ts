import { notify } from '../db/notify.ts';
import type { Db } from '../db/open.ts';
import type { Clock } from '../lib/clock.ts';
import type { Settled } from './worker.ts';

export interface DeadLetter {
  id: string;
  kind: string;
  /** The beginning of its key: `alert`, `act`, `weekly`, `account` … */
  about: string;
  /** The address or number; empty when its words are gone. */
  to: string;
  created: Date;
  failed: Date;
  attempts: number;
  why: string;
  /** What was said, in numbers. */
  error: string;
}

/** What could not be sent, for whoever runs the server. */
export function deadLetters(db: Db, clock: Clock, settled?: Settled) {
  const dead = () => db.selectFrom('jobs').where('failed_at', 'is not', null).where('kind', 'in', ['mail', 'sms']);
  return {
    /** The newest first; `all`: how many there are. */
    async list(max: number): Promise<{ letters: DeadLetter[]; all: number }> {
      const rows = await dead().selectAll().orderBy('failed_at', 'desc').orderBy('id').limit(max).execute();
      const { all } = await dead()
        .select(({ fn }) => fn.countAll<string>().as('all'))
        .executeTakeFirstOrThrow();
      const letters = rows.map(({ id, kind, unique_key, payload, created, failed_at, attempts, why, last_error }) => ({
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
      return { letters, all: Number(all) };
    },

    /** What waits, by lane, with the oldest of each; and who takes nothing just now. */
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

    /** Sends all of them again, or the one with this id. Answers how many that are; those whose words are gone are left. */
    async retry(id: string | null): Promise<number> {
      const ids = await dead()
        .select('id')
        .where((eb) => eb(eb.ref('payload', '->>').key('to' as never), 'is not', null))
        .$if(id !== null, (jobs) => jobs.where('id', '=', id ?? ''))
        .execute();
      const all = ids.map((row) => row.id);
      return reviveJobs(db, clock, all, settled);
    },
  };
}

/**
 * Puts dead letters back to where they waited, under the Message-ID that they had, with all their tries. `settled`: as in the worker's parts; `run_at`:
 * not before then, and it is still known since when it fails.
 */
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
