import type { Selectable } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { CallState, ReachTables } from '../../db/reach-tables.ts';
import type { Clock } from '../../lib/clock.ts';

export type EscalationRow = Selectable<ReachTables['escalations']>;
export type StepRow = Selectable<ReachTables['escalation_steps']>;
/** `result`: the newest state of the step's call; null if the step is no call. */
export type StepWithCall = StepRow & { result: { state: CallState; pressed: string | null } | null };
export type EscalationStore = ReturnType<typeof escalationStore>;

/** Escalations and their steps. Answers and calls are read from other slices' tables. */
export function escalationStore(db: Db, clock: Clock) {
  const latest = (incident: string, connection: Db | Trx = db): Promise<EscalationRow | undefined> =>
    connection.selectFrom('escalations').selectAll().where('incident', '=', incident).orderBy('number', 'desc').limit(1).executeTakeFirst();

  return {
    latest,

    /** The caller has locked the incident. */
    async begin(trx: Trx, incident: string, reason: Pick<EscalationRow, 'opener' | 'what'>): Promise<EscalationRow> {
      const before = await latest(incident, trx);
      return trx
        .insertInto('escalations')
        .values({ incident, number: (before?.number ?? 0) + 1, begun: clock.now(), ...reason })
        .returningAll()
        .executeTakeFirstOrThrow();
    },

    stop: (trx: Trx, { incident, number }: EscalationRow, answered: boolean) =>
      trx
        .updateTable('escalations')
        .set({ stopped: clock.now(), answered })
        .where('incident', '=', incident)
        .where('number', '=', number)
        .execute(),

    /** The steps of one escalation. */
    steps: (connection: Db | Trx, { incident, number }: EscalationRow): Promise<StepRow[]> =>
      connection.selectFrom('escalation_steps').selectAll().where('incident', '=', incident).where('number', '=', number).execute(),

    addStep: (trx: Trx, { incident, number }: EscalationRow, step: Pick<StepRow, 'step' | 'person' | 'call' | 'name'>) =>
      trx
        .insertInto('escalation_steps')
        .values({ incident, number, time: clock.now(), ...step })
        .execute(),

    /** The steps of all escalations of an incident with the results of their calls, oldest first. */
    async stepsWithCalls(incident: string): Promise<StepWithCall[]> {
      const rows = await db
        .selectFrom('escalation_steps as s')
        .leftJoin('calls as c', 'c.uuid', 's.call')
        .selectAll('s')
        .select(['c.state', 'c.pressed'])
        .where('s.incident', '=', incident)
        .orderBy('s.sequence')
        .execute();
      return rows.map(({ state, pressed, ...step }) => ({ ...step, result: state === null ? null : { state, pressed } }));
    },

    /** The calls to those who may answer, that an escalation made. */
    calls: (connection: Db | Trx, { incident, begun }: EscalationRow) =>
      connection
        .selectFrom('calls')
        .select(['state', 'created'])
        .where('incident', '=', incident)
        .where('purpose', '=', 'guardian')
        .where('created', '>=', begun)
        .execute(),

    /** Who has answered about the incident since a time, in any of the ways there are. */
    async answeredBy(connection: Db | Trx, incident: string, since: Date): Promise<string[]> {
      const events = await connection
        .selectFrom('incident_events')
        .select('person')
        .where('incident', '=', incident)
        .where('kind', 'in', ['on_it', 'over', 'stop'])
        .where('person', 'is not', null)
        .where('time', '>=', since)
        .execute();
      const answers = await connection
        .selectFrom('request_answers')
        .innerJoin('held_requests', 'held_requests.uuid', 'request_answers.request')
        .select('request_answers.person')
        .where('held_requests.incident', '=', incident)
        .where('request_answers.time', '>=', since)
        .execute();
      return [...new Set([...events, ...answers].flatMap(({ person }) => person ?? []))];
    },

    /** The first name of who is on it since a time; null if nobody is. */
    async whoIsOnIt(incident: string, since: Date, connection: Db | Trx = db): Promise<string | null> {
      const row = await connection
        .selectFrom('incident_events')
        .select('name')
        .where('incident', '=', incident)
        .where('kind', '=', 'on_it')
        // Not what the account alone says (P18.2).
        .where('what', 'is', null)
        .where('time', '>=', since)
        .orderBy('time')
        .limit(1)
        .executeTakeFirst();
      return row?.name ?? null;
    },

    /** When the incident last opened again; null if it never did. */
    async openedAgain(trx: Trx, incident: string): Promise<Date | null> {
      const { time } = await trx
        .selectFrom('incident_events')
        .select(({ fn }) => fn.max('time').as('time'))
        .where('incident', '=', incident)
        .where('kind', '=', 'reopened')
        .executeTakeFirstOrThrow();
      return time;
    },

    /** Escalations of these accounts that nobody has answered, of incidents that nobody has ended, the newest first. */
    unansweredOf: (connection: Db | Trx, accounts: string[]): Promise<(EscalationRow & { account: string; device: string })[]> =>
      accounts.length === 0
        ? Promise.resolve([])
        : connection
            .selectFrom('escalations as e')
            .innerJoin('incidents as i', 'i.uuid', 'e.incident')
            .selectAll('e')
            .select(['i.account', 'i.device'])
            .where('i.account', 'in', accounts)
            .where('i.over', 'is', null)
            .where('e.answered', '=', false)
            .orderBy('e.begun', 'desc')
            .execute(),
  };
}
