import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { Tables } from '../../db/tables.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { isSite, type OpenAlert } from './rules.ts';

export type DetectionStore = ReturnType<typeof detectionStore>;
export type AlertRow = Awaited<ReturnType<DetectionStore['list']>>[number];

type Keys = SelectQueryBuilder<Tables, never, { device: string; uuid: string }>;

/** Detections either open an alert or are counted into one. */
export function detectionStore(db: Db, clock: Clock) {
  /** Alerts with the number of their repeats, counted only for the alerts of one page, `keys`. */
  const alerts = (keys: Keys) =>
    db
      .selectFrom(keys.as('k'))
      // With a plain join PostgreSQL may read all alerts of the device for each one of the page; `limit` keeps it to the whole key.
      .innerJoinLateral(
        (eb) =>
          eb
            .selectFrom('detections')
            .select(['uuid', 'device', 'time', 'name', 'identifier', 'category', 'details', 'blocked', 'certainty', 'why', 'quiet'])
            .whereRef('device', '=', 'k.device')
            .whereRef('uuid', '=', 'k.uuid')
            .limit(1)
            .as('d'),
        (join) => join.onTrue(),
      )
      .innerJoin('devices', 'devices.uuid', 'd.device')
      .select(['d.uuid', 'd.device', 'd.time', 'd.name', 'd.identifier', 'd.category', 'd.details', 'd.blocked', 'd.certainty', 'd.why'])
      .select(['d.quiet', 'devices.name as device_name', 'devices.person'])
      .select((eb) => [
        eb
          .selectFrom('detections as c')
          .select(sql<string>`count(*)`.as('n'))
          .whereRef('c.device', '=', 'd.device')
          .whereRef('c.counted_into', '=', 'd.uuid')
          .as('repeats'),
        eb
          .selectFrom('detections as c')
          .select(sql<Date | null>`max(c.time)`.as('t'))
          .whereRef('c.device', '=', 'd.device')
          .whereRef('c.counted_into', '=', 'd.uuid')
          .as('last_repeat'),
      ])
      .orderBy('d.time', 'desc')
      .orderBy('d.uuid');
  const newestFirst = () =>
    db
      .selectFrom('detections as p')
      .select(['p.device', 'p.uuid'])
      .where('p.counted_into', 'is', null)
      .orderBy('p.time', 'desc')
      .orderBy('p.uuid');

  return {
    list(account: string, { offset, length, device }: { offset: number; length: number; device?: string | undefined }) {
      const ofAccount = newestFirst().where('p.account', '=', account);
      const shown = device === undefined ? ofAccount : ofAccount.where('p.device', '=', device);
      return alerts(shown.offset(offset).limit(length)).execute();
    },

    /** Whether something of the account was stopped after `since`. */
    async hasStoppedSince(account: string, since: Date, connection: Db | Trx = db): Promise<boolean> {
      const row = await connection
        .selectFrom('detections')
        .select('uuid')
        .where('account', '=', account)
        .where('blocked', '=', true)
        .where('time', '>', since)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The newest unblocked alert with a detection after `since`. */
    newestUnblocked: (account: string, since: Date) =>
      alerts(
        newestFirst()
          .where('p.account', '=', account)
          .where('p.blocked', '=', false)
          // Nothing is counted into older alerts.
          .where('p.time', '>', after(since, -serverLimits.alert_grouping))
          // With `or exists` PostgreSQL may read all detections.
          .where(
            (eb) =>
              sql<Date>`greatest(p.time, ${eb
                .selectFrom('detections as c')
                .select(sql<Date | null>`max(c.time)`.as('t'))
                .whereRef('c.device', '=', 'p.device')
                .whereRef('c.counted_into', '=', 'p.uuid')})`,
            '>',
            since,
          )
          .limit(1),
      ).executeTakeFirst(),

    /** An alert by its own id, or by the id of a detection counted into it. */
    get: (account: string, uuid: string) =>
      alerts(
        db
          .selectFrom('detections as p')
          .select((eb) => ['p.device', eb.fn.coalesce('p.counted_into', 'p.uuid').as('uuid')])
          .where('p.uuid', '=', uuid)
          .where('p.account', '=', account)
          // Two devices may use the same id; an id that opened an alert takes precedence.
          .orderBy(sql`p.counted_into is null`, 'desc')
          .orderBy('p.device')
          .limit(1),
      ).executeTakeFirst(),

    /** The alerts of those detections that were received after `since`. */
    alertsOf: (device: string, detections: string[], since: Date) =>
      db
        .selectFrom('detections')
        .select((eb) => ['uuid', 'account', eb.fn.coalesce('counted_into', 'uuid').as('alert')])
        .where('device', '=', device)
        .where('uuid', 'in', detections)
        .where('received', '>', since)
        .execute(),

    async storedOf(trx: Trx, device: string, uuids: string[]): Promise<Set<string>> {
      const rows = await trx.selectFrom('detections').select('uuid').where('device', '=', device).where('uuid', 'in', uuids).execute();
      return new Set(rows.map(({ uuid }) => uuid));
    },

    /**
     * Open alerts of these definitions that detections in this period may be counted into. Answered alerts are closed, whatever
     * time a device claims, because its clock may be slow.
     */
    openAlerts: (trx: Trx, device: string, identifiers: string[], firstTime: Date, lastTime: Date): Promise<OpenAlert[]> =>
      trx
        .selectFrom('detections as d')
        .select(['d.uuid', 'd.identifier', 'd.time', 'd.blocked', 'd.name', 'd.category', 'd.details'])
        .where('d.device', '=', device)
        .where('d.identifier', 'in', identifiers)
        .where('d.counted_into', 'is', null)
        .where('d.time', '>', after(firstTime, -serverLimits.alert_grouping))
        .where('d.time', '<', after(lastTime, serverLimits.alert_grouping))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('alert_answers as a').select('a.alert').whereRef('a.account', '=', 'd.account').whereRef('a.alert', '=', 'd.uuid'),
            ),
          ),
        )
        .execute()
        .then((rows) => rows.map((row) => ({ ...row, site: isSite(row) }))),

    /** The alert of the newest detection with this name between `since` and `until`. */
    async alertNamed(trx: Trx, device: string, name: string, since: Date, until: Date): Promise<string | undefined> {
      const row = await trx
        .selectFrom('detections')
        .select('uuid as alert')
        .where('device', '=', device)
        // Repeats follow within minutes, and the index orders only alerts.
        .where('counted_into', 'is', null)
        .where('name', '=', name)
        .where('time', '>', since)
        .where('time', '<=', until)
        .orderBy('time', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.alert;
    },

    insert: (trx: Trx, device: { uuid: string; account: string }, detections: NewDetection[]) =>
      trx
        .insertInto('detections')
        .values(
          detections.map(({ uuid, name, identifier, category, details, blocked, certainty, why, time, counted_into }) => ({
            uuid,
            device: device.uuid,
            account: device.account,
            time,
            received: clock.now(),
            name,
            identifier,
            category,
            details,
            blocked,
            certainty,
            why,
            counted_into,
          })),
        )
        .execute(),
  };
}

/** `time`: corrected for implausible clocks. `counted_into`: null when it opens an alert. */
export interface NewDetection extends Omit<ReportedDetection, 'time'> {
  time: Date;
  counted_into: string | null;
}
