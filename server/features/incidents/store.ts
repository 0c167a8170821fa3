import { randomUUID } from 'node:crypto';
import type { IncidentOpener } from '@porchlight/contract/incident-events.ts';
import type { IncidentState } from '@porchlight/contract/incidents.ts';
import { day, minute } from '@porchlight/contract/time.ts';
import type { Selectable } from 'kysely';
import type { IncidentTables } from '../../db/incident-tables.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Answerer, Opening } from '../../incident-ports.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { beginOfSpan, lastLonePress, type OpeningEvent, pressedAlone, spansOf } from './presses.ts';
import { stepStore } from './step-store.ts';

/** An incident ends this long after its last opener, unless somebody ends it (P9.2). */
export const ends_after = day;
/** How long a device is watched after its incident (P9.2). */
export const watched_for = 7 * day;
/** Openers within this time are one line of the time line, however many starts a program makes. */
const openers_grouped = 10 * minute;

/** In `what` of an *I’m on it* that is not the family's. */
export const from_account = 'from_account';

export type IncidentRow = Selectable<IncidentTables['incidents']>;
export type IncidentEventRow = Selectable<IncidentTables['incident_events']>;
export type IncidentStore = ReturnType<typeof incidentStore>;

/** When an incident ended, or will end if nothing more happens. */
export const endOf = ({ over, last_opener }: Pick<IncidentRow, 'over' | 'last_opener'>): Date => over ?? after(last_opener, ends_after);

export function stateOf(row: Pick<IncidentRow, 'over' | 'last_opener'>, now: Date): IncidentState {
  const end = endOf(row);
  if (end > now) return 'open';
  return after(end, watched_for) > now ? 'watched' : 'over';
}

export function incidentStore(db: Db, clock: Clock) {
  const isOpen = (now: Date) => after(now, -ends_after);
  const addEvent = (trx: Trx, incident: string, event: Omit<IncidentEventRow, 'incident'>) =>
    trx
      .insertInto('incident_events')
      .values({ incident, ...event })
      .execute();

  /** Whether this kind of opener has no line yet since the incident opened or opened again: each has one at least (see `presses.ts`). */
  const isNewOpener = async (trx: Trx, incident: string, { what, person, time }: { what: string; person: string | null; time: Date }) => {
    const events = trx.selectFrom('incident_events').where('incident', '=', incident);
    const { over, reopened } = await events
      .select(({ fn, eb }) => [
        fn
          .max('time')
          .filterWhere(eb('kind', '=', 'over'))
          .as('over'),
        fn
          .max('time')
          .filterWhere(eb('kind', '=', 'reopened'))
          .as('reopened'),
      ])
      .executeTakeFirstOrThrow();
    const since = beginOfSpan(reopened, over);
    if (since !== null && time <= since) return false;
    const known = await events
      .select('time')
      .where('kind', 'in', ['opened', 'reopened'])
      .where('what', '=', what)
      .where('person', 'is not distinct from', person)
      .$if(since !== null, (rows) => rows.where('time', '>', since ?? time))
      .limit(1)
      .executeTakeFirst();
    return known === undefined;
  };

  /** What opened and ended the account's incidents with an opener since `since`, each in the order of time, by the incident's uuid. */
  const openingsOf = async (account: string, since: Date, connection: Db | Trx = db): Promise<Map<string, OpeningEvent[]>> => {
    const rows = await connection
      .selectFrom('incident_events as e')
      .innerJoin('incidents as i', 'i.uuid', 'e.incident')
      .select(['e.incident', 'e.kind', 'e.time', 'e.what', 'e.person'])
      .where('i.account', '=', account)
      .where('i.last_opener', '>', since)
      .where('e.kind', 'in', ['opened', 'reopened', 'over'])
      .orderBy('e.time')
      .execute();
    return Map.groupBy(rows, ({ incident }) => incident);
  };

  /** Open incidents, the newest first. */
  const openOf = (account: string, connection: Db | Trx = db): Promise<IncidentRow[]> =>
    connection
      .selectFrom('incidents')
      .selectAll()
      .where('account', '=', account)
      .where('over', 'is', null)
      .where('last_opener', '>', isOpen(clock.now()))
      .orderBy('opened', 'desc')
      .execute();

  /** The open incident at a device. */
  const openAt = async (account: string, device: string, connection?: Db | Trx): Promise<IncidentRow | undefined> =>
    (await openOf(account, connection)).find((row) => row.device === device);
  const find = (uuid: string, connection: Db | Trx = db): Promise<IncidentRow | undefined> =>
    connection.selectFrom('incidents').selectAll().where('uuid', '=', uuid).executeTakeFirst();
  const byUuid = (trx: Trx, uuid: string): Promise<IncidentRow | undefined> =>
    trx.selectFrom('incidents').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst();
  const shown = (row: IncidentRow | undefined) => row && { ...row, open: stateOf(row, clock.now()) === 'open' };

  return {
    addEvent,

    /**
     * Opens an incident, opens it again within 7 days after its end, or prolongs it (P9.1, P9.2). The caller has locked the device, so
     * two reports do not open two. An opener of more than a day ago opens nothing: it would be over already.
     */
    async open(
      trx: Trx,
      { account, device, opener, what, time, person = null }: Opening,
    ): Promise<{ uuid: string; before: 'none' | IncidentState } | null> {
      const now = clock.now();
      if (after(time, ends_after) <= now) return null;
      const latest = await trx
        .selectFrom('incidents')
        .selectAll()
        .where('device', '=', device.uuid)
        .where('account', '=', account)
        .orderBy('opened', 'desc')
        .limit(1)
        .forUpdate()
        .executeTakeFirst();
      const state = latest ? stateOf(latest, now) : 'over';
      if (!latest || state === 'over') {
        const uuid = randomUUID();
        await trx
          .insertInto('incidents')
          .values({ uuid, account, device: device.uuid, device_name: device.name, opened: time, opener, what, last_opener: time })
          .execute();
        await addEvent(trx, uuid, { kind: 'opened', person, name: what, what: opener, time });
        return { uuid, before: 'none' };
      }
      // A late report of what happened before somebody ended the incident does not open it again.
      if (state === 'watched' && time <= endOf(latest)) return null;
      const last_opener = time > latest.last_opener ? time : latest.last_opener;
      await trx.updateTable('incidents').set({ last_opener, over: null }).where('uuid', '=', latest.uuid).execute();
      const line = { person, name: what, what: opener, time };
      if (state === 'watched') await addEvent(trx, latest.uuid, { kind: 'reopened', ...line });
      else if (time.getTime() - latest.last_opener.getTime() >= openers_grouped || (await isNewOpener(trx, latest.uuid, line))) {
        await addEvent(trx, latest.uuid, { kind: 'opened', ...line });
      }
      return { uuid: latest.uuid, before: state };
    },

    openOf,

    list: (account: string, { offset, length, since }: { offset: number; length: number; since?: Date }): Promise<IncidentRow[]> => {
      const rows = db.selectFrom('incidents').selectAll().where('account', '=', account);
      return (since ? rows.where('last_opener', '>', since) : rows)
        .orderBy('opened', 'desc')
        .orderBy('uuid')
        .offset(offset)
        .limit(length)
        .execute();
    },

    get: (account: string, uuid: string, connection: Db | Trx = db): Promise<IncidentRow | undefined> =>
      connection.selectFrom('incidents').selectAll().where('account', '=', account).where('uuid', '=', uuid).executeTakeFirst(),

    locked: (trx: Trx, account: string, uuid: string): Promise<IncidentRow | undefined> =>
      trx.selectFrom('incidents').selectAll().where('account', '=', account).where('uuid', '=', uuid).forUpdate().executeTakeFirst(),

    accountOf: async (trx: Trx, uuid: string): Promise<string | null> =>
      (await trx.selectFrom('incidents').select('account').where('uuid', '=', uuid).executeTakeFirst())?.account ?? null,

    find,
    byUuid,

    /** With whether it is open. */
    withState: async (uuid: string, connection: Db | Trx) => shown(await find(uuid, connection)),
    lockedWithState: async (trx: Trx, uuid: string) => shown(await byUuid(trx, uuid)),

    /** The incident that each alert belongs to, by the alert's uuid: of the same device, while it was open. */
    async ofAlerts(account: string, alerts: { uuid: string; device: string; time: Date }[]): Promise<Map<string, string>> {
      const devices = [...new Set(alerts.map(({ device }) => device))];
      if (!devices.length) return new Map();
      const rows = await db
        .selectFrom('incidents')
        .selectAll()
        .where('account', '=', account)
        .where('device', 'in', devices)
        .orderBy('opened', 'desc')
        .execute();
      return new Map(
        alerts.flatMap(({ uuid, device, time }): [string, string][] => {
          const incident = rows.find((row) => row.device === device && row.opened <= time && time <= endOf(row));
          return incident ? [[uuid, incident.uuid]] : [];
        }),
      );
    },

    notePlan: (trx: Trx, uuid: string, had_plan: boolean) =>
      trx.updateTable('incidents').set({ had_plan }).where('uuid', '=', uuid).execute(),

    /** When the earliest of the open incidents opened, or opened again; null if none is open. */
    async openSince(account: string, connection: Db | Trx = db): Promise<Date | null> {
      const open = await openOf(account, connection);
      if (!open.length) return null;
      const openings = await openingsOf(account, isOpen(clock.now()), connection);
      const times = open.map(({ uuid, opened }) => spansOf(openings.get(uuid) ?? []).at(-1)?.[0]?.time ?? opened);
      return new Date(Math.min(...times.map((time) => time.getTime())));
    },

    /** Whether an incident of the account is open. */
    hasOpen: async (account: string, connection?: Db | Trx): Promise<boolean> => (await openOf(account, connection)).length > 0,

    openAt,

    /** `what`: see `incident_events`. */
    async end(trx: Trx, uuid: string, { person, name }: Answerer, what: string | null): Promise<void> {
      const time = clock.now();
      await trx.updateTable('incidents').set({ over: time }).where('uuid', '=', uuid).execute();
      await addEvent(trx, uuid, { kind: 'over', person, name, what, time });
    },

    /** Stores a person's answer once since a time (null: ever); later ones of the same kind change nothing. */
    async note(
      trx: Trx,
      uuid: string,
      kind: 'on_it' | 'mine' | 'over_asked' | 'how',
      { person, name }: Answerer,
      { what = null, since = null }: { what?: string | null; since?: Date | null } = {},
    ) {
      const known = await trx
        .selectFrom('incident_events')
        .select('time')
        .where('incident', '=', uuid)
        .where('kind', '=', kind)
        .where('person', '=', person)
        .$if(since !== null, (rows) => rows.where('time', '>=', since ?? clock.now()))
        .limit(1)
        .executeTakeFirst();
      if (!known) await addEvent(trx, uuid, { kind, person, name, what, time: clock.now() });
    },

    markAskedHow: (trx: Trx, uuid: string) =>
      trx.updateTable('incidents').set({ asked_how: clock.now() }).where('uuid', '=', uuid).execute(),

    events: (incident: string, connection: Db | Trx = db): Promise<IncidentEventRow[]> =>
      connection.selectFrom('incident_events').selectAll().where('incident', '=', incident).orderBy('time').execute(),

    /** Whether presses of *Stop this* by this guardian alone opened all open incidents, of which there is one at least (P10.6). */
    async pressedAlone(account: string, guardian: string, connection: Db | Trx = db): Promise<boolean> {
      const open = await openOf(account, connection);
      const openings = await openingsOf(account, isOpen(clock.now()), connection);
      return pressedAlone(
        open.map(({ uuid }) => openings.get(uuid) ?? []),
        guardian,
      );
    },

    /** See `lastLonePress`. `since`: earlier presses do not count. */
    lastLonePress: async (account: string, guardian: string, since: Date, connection: Db | Trx = db): Promise<Date | null> =>
      lastLonePress([...(await openingsOf(account, since, connection)).values()], guardian),

    ...stepStore(db, clock),

    /** Whether an opener opened or prolonged an incident of this device within a day. `name`: what it was about; undefined: whatever that was. */
    async openedToday(trx: Trx, device: string, opener: IncidentOpener, name?: string): Promise<boolean> {
      const row = await trx
        .selectFrom('incident_events')
        .innerJoin('incidents', 'incidents.uuid', 'incident_events.incident')
        .select('incident_events.time')
        .where('incidents.device', '=', device)
        .where('incident_events.what', '=', opener)
        .$if(name !== undefined, (rows) => rows.where('incident_events.name', '=', name ?? null))
        .where('incident_events.time', '>', after(clock.now(), -day))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
