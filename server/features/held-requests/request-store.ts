import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '@porchlight/contract/errors.ts';
import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import { day, minute } from '@porchlight/contract/time.ts';
import { isAboutProgram } from '@porchlight/contract/words/waiting.ts';
import type { Insertable, Selectable } from 'kysely';
import type { DoneActivity, IncidentTables } from '../../db/incident-tables.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Answerer } from '../../incident-ports.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { sameSecret } from '../../secrets/same-secret.ts';
import { no_wins, type RequestFact, server_open, waited_open, waits, yes_open } from './decide.ts';

/** How many requests of an account may wait at once (P10.1). */
export const requests_max = 3;
/** A request lapses this long after it was made (P10.3). */
const lapses_after = day;
/** The longest time after a request was made that a no to it is in force: it was answered yes at last, and refused a day later. */
const refused_until = lapses_after + 2 * no_wins;

export type AnswerRow = Selectable<IncidentTables['request_answers']>;
export type RequestRow = Selectable<IncidentTables['held_requests']> & { answers: AnswerRow[] };
export type RequestStore = ReturnType<typeof requestStore>;

const newest = (answers: AnswerRow[], kind: 'yes' | 'no'): Date | null => {
  const times = answers.filter(({ answer }) => answer === kind).map(({ time }) => time.getTime());
  return times.length ? new Date(Math.max(...times)) : null;
};

/** In milliseconds: how long a yes opens the call. */
const opensFor = ({ sealed_call }: Pick<RequestRow, 'sealed_call'>): number => (sealed_call === null ? yes_open : server_open);

/** When the same call passes without an answer (P10.2). */
export const passesAt = ({ time, rule }: Pick<RequestRow, 'time' | 'rule'>): Date => after(time, waits[rule]);

/** Until when the call passes with the password, if nobody answers. */
export const passesEnd = (row: Pick<RequestRow, 'time' | 'rule'>): Date => after(passesAt(row), waited_open);

/** The no that wins over every yes (P10.1). */
export const refusalOf = ({ answers }: Pick<RequestRow, 'answers'>, now: Date): AnswerRow | undefined =>
  answers.findLast(({ answer, time }) => answer === 'no' && after(time, no_wins) > now);

/** A no after the yes to a start: what ran cannot be taken back, and the agent ends it. */
const isEndedStart = ({ cause, done }: RequestRow, no: Date | null) => cause === 'waiting' && done !== null && no !== null;

export function requestState(row: RequestRow, now: Date): HeldRequest['state'] {
  const [yes, no] = [newest(row.answers, 'yes'), newest(row.answers, 'no')];
  if (row.undone) return 'undone';
  if (row.done && !isEndedStart(row, no)) return 'done';
  if (row.failed) return 'impossible';
  if (no) return after(no, no_wins) > now ? 'no' : 'lapsed';
  const opened = row.lifted ?? yes;
  if (opened) return after(opened, opensFor(row)) > now ? 'yes' : 'lapsed';
  return after(row.time, lapses_after) > now ? 'open' : 'lapsed';
}

/** Nobody has answered yet, or what a yes opened is not done yet. */
export const isWaiting = (row: RequestRow, now: Date): boolean => ['open', 'yes'].includes(requestState(row, now));

/** Until when the state lasts. */
export function requestEnds(row: RequestRow): Date {
  const [yes, no] = [newest(row.answers, 'yes'), newest(row.answers, 'no')];
  if (no) return after(no, no_wins);
  const opened = row.lifted ?? yes;
  return opened ? after(opened, opensFor(row)) : after(row.time, lapses_after);
}

export const toRequestFact = (row: RequestRow): RequestFact => ({
  time: row.time,
  rule: row.rule,
  yes: newest(row.answers, 'yes'),
  no: newest(row.answers, 'no'),
  lifted: row.lifted,
  opens_for: opensFor(row),
});

/** Held requests: calls that wait for a yes (P10.1). A keyed hash identifies the call; its content is sealed, while it may be answered. */
export function requestStore(db: Db, clock: Clock) {
  const withAnswers = async (rows: Selectable<IncidentTables['held_requests']>[], connection: Db | Trx): Promise<RequestRow[]> => {
    if (!rows.length) return [];
    const answers = await connection
      .selectFrom('request_answers')
      .selectAll()
      .where(
        'request',
        'in',
        rows.map(({ uuid }) => uuid),
      )
      .orderBy('time')
      .execute();
    return rows.map((row) => ({ ...row, answers: answers.filter(({ request }) => request === row.uuid) }));
  };

  const recent = async (account: string, connection: Db | Trx, since: number): Promise<RequestRow[]> =>
    withAnswers(
      await connection
        .selectFrom('held_requests')
        .selectAll()
        .where('account', '=', account)
        .where('time', '>', after(clock.now(), -since))
        .orderBy('time', 'desc')
        .orderBy('uuid')
        .execute(),
      connection,
    );

  const get = async (account: string, uuid: string, connection: Db | Trx = db): Promise<RequestRow | undefined> => {
    const rows = await connection.selectFrom('held_requests').selectAll().where('account', '=', account).where('uuid', '=', uuid).execute();
    return (await withAnswers(rows, connection))[0];
  };
  return {
    /** The account's requests of the last day, the newest first. */
    recentOf: (account: string, connection: Db | Trx = db) => recent(account, connection, lapses_after),

    ofIncident: async (incident: string): Promise<RequestRow[]> =>
      withAnswers(
        await db.selectFrom('held_requests').selectAll().where('incident', '=', incident).orderBy('time', 'desc').orderBy('uuid').execute(),
        db,
      ),

    /** The requests of the last two days, the oldest first: those that wait or were answered, also of all accounts. */
    async unfinished(account: string | null): Promise<RequestRow[]> {
      const rows = await db
        .selectFrom('held_requests')
        .selectAll()
        .where('time', '>', after(clock.now(), -(lapses_after + no_wins)))
        .where('done', 'is', null)
        .$if(account !== null, (requests) => requests.where('account', '=', account ?? ''))
        .orderBy('time')
        .orderBy('uuid')
        .execute();
      return withAnswers(rows, db);
    },

    async accountOf(uuid: string, connection: Db | Trx = db): Promise<string | null> {
      const row = await connection.selectFrom('held_requests').select('account').where('uuid', '=', uuid).executeTakeFirst();
      return row?.account ?? null;
    },

    get,

    async locked(trx: Trx, account: string, uuid: string): Promise<RequestRow | undefined> {
      await trx.selectFrom('held_requests').select('uuid').where('account', '=', account).where('uuid', '=', uuid).forUpdate().execute();
      return get(account, uuid, trx);
    },

    /**
     * What the account's requests say of a call. `same`: the newest request for exactly this call that has neither passed nor lapsed for good,
     * or that let a program run and was refused since.
     * `just_done`: it was done within the last minute, when the server was faster than the screen that waits. `open`: how many requests wait.
     */
    async about(trx: Trx, account: string, call_mac: Buffer): Promise<{ same: RequestRow | undefined; just_done: boolean; open: number }> {
      const now = clock.now();
      const rows = await recent(account, trx, refused_until);
      const ofCall = rows.filter((row) => sameSecret(row.call_mac.toString('hex'), call_mac.toString('hex')));
      return {
        same: ofCall.find((row) => {
          // A program never passes with the password, so it is asked about again once its question has ended.
          if (isAboutProgram(row.cause)) return isWaiting(row, now) || refusalOf(row, now) !== undefined;
          if (row.done || row.failed) return false;
          if (requestState(row, now) !== 'lapsed') return true;
          // Nobody answered: the call can still be made, with the password.
          return row.answers.length === 0 && row.lifted === null && passesEnd(row) > now;
        }),
        just_done: ofCall.some(({ done }) => done !== null && after(done, minute) > now),
        open: rows.filter((row) => requestState(row, now) === 'open').length,
      };
    },

    /** Requests that wait, or that a yes or the operator opened and that are not used yet: a no refuses them. */
    async refusable(trx: Trx, account: string): Promise<RequestRow[]> {
      const now = clock.now();
      const rows = await recent(account, trx, waits.day + waited_open);
      return rows.filter((row) => isWaiting(row, now));
    },

    async countOpen(trx: Trx, account: string): Promise<number> {
      const now = clock.now();
      return (await recent(account, trx, lapses_after)).filter((row) => requestState(row, now) === 'open').length;
    },

    add: (
      trx: Trx,
      request: Omit<
        Insertable<IncidentTables['held_requests']>,
        'uuid' | 'time' | 'done' | 'done_activities' | 'undone' | 'lifted' | 'failed' | 'failure'
      >,
    ) =>
      trx
        .insertInto('held_requests')
        .values({ ...request, uuid: randomUUID(), time: clock.now() })
        .returningAll()
        .executeTakeFirstOrThrow()
        .then((row): RequestRow => ({ ...row, answers: [] })),

    answer: (trx: Trx, request: string, answer: 'yes' | 'no', { person, name }: Answerer) =>
      trx
        .insertInto('request_answers')
        .values({ request, person, answer, name, time: clock.now() })
        .onConflict((oc) => oc.columns(['request', 'person', 'answer']).doUpdateSet({ time: clock.now(), name }))
        .execute(),

    setRule: (trx: Trx, uuid: string, rule: RequestRow['rule']) =>
      trx.updateTable('held_requests').set({ rule }).where('uuid', '=', uuid).execute(),

    markDone: (trx: Trx, uuid: string, activities: DoneActivity[]) =>
      trx
        .updateTable('held_requests')
        .set({ done: clock.now(), done_activities: JSON.stringify(activities), sealed_call: null })
        .where('uuid', '=', uuid)
        .execute(),

    markUndone: (trx: Trx, uuid: string) =>
      trx.updateTable('held_requests').set({ undone: clock.now() }).where('uuid', '=', uuid).execute(),

    markFailed: (trx: Trx, uuid: string, failure: ErrorCode) =>
      trx.updateTable('held_requests').set({ failed: clock.now(), failure, sealed_call: null }).where('uuid', '=', uuid).execute(),

    /** Deletes its call: somebody refused it, or nobody answered. */
    forgetCall: (trx: Trx, uuid: string) => trx.updateTable('held_requests').set({ sealed_call: null }).where('uuid', '=', uuid).execute(),

    lift: (trx: Trx, uuid: string) => trx.updateTable('held_requests').set({ lifted: clock.now() }).where('uuid', '=', uuid).execute(),
  };
}
