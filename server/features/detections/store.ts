import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { OpenAlert } from './rules.ts';

export type DetectionStore = ReturnType<typeof detectionStore>;
export type AlertRow = Awaited<ReturnType<DetectionStore['list']>>[number];

/** Detections; those that opened an alert are what people see, the others are counted into them. */
export function detectionStore(db: Db, clock: Clock) {
  const alerts = () =>
    db
      .selectFrom('detections as d')
      .innerJoin('devices', 'devices.uuid', 'd.device')
      .select(['d.uuid', 'd.device', 'd.time', 'd.name', 'd.identifier', 'd.category', 'd.details', 'd.blocked', 'd.certainty'])
      .select('devices.name as device_name')
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
      .where('d.counted_into', 'is', null);

  return {
    list: (account: string, page: { offset: number; length: number; device?: string | undefined }) =>
      alerts()
        .where('d.account', '=', account)
        .$if(page.device !== undefined, (q) => q.where('d.device', '=', page.device ?? ''))
        .orderBy('d.time', 'desc')
        .orderBy('d.uuid')
        .offset(page.offset)
        .limit(page.length)
        .execute(),

    /** The newest alert that was not blocked and went on until after `since`. */
    newestUnblocked: (account: string, since: Date) =>
      alerts()
        .where('d.account', '=', account)
        .where('d.blocked', '=', false)
        .where((eb) =>
          eb.or([
            eb('d.time', '>', since),
            eb.exists(
              eb
                .selectFrom('detections as c')
                .select('c.uuid')
                .whereRef('c.device', '=', 'd.device')
                .whereRef('c.counted_into', '=', 'd.uuid')
                .where('c.time', '>', since),
            ),
          ]),
        )
        .orderBy('d.time', 'desc')
        .orderBy('d.uuid')
        .limit(1)
        .executeTakeFirst(),

    /** By its own id, or by that of one counted into it. */
    get: (account: string, uuid: string) =>
      alerts()
        .where('d.account', '=', account)
        .where((eb) =>
          eb.or([
            eb('d.uuid', '=', uuid),
            eb.exists(
              eb
                .selectFrom('detections as c')
                .select('c.uuid')
                .whereRef('c.device', '=', 'd.device')
                .whereRef('c.counted_into', '=', 'd.uuid')
                .where('c.uuid', '=', uuid),
            ),
          ]),
        )
        .executeTakeFirst(),

    isStored: async (trx: Trx, device: string, uuid: string): Promise<boolean> =>
      (await trx.selectFrom('detections').select('uuid').where('device', '=', device).where('uuid', '=', uuid).executeTakeFirst()) !==
      undefined,

    /** The alerts of a definition on a device that a detection at `time` could be counted into. */
    nearby: (trx: Trx, device: string, identifier: string, time: Date): Promise<OpenAlert[]> =>
      trx
        .selectFrom('detections')
        .select(['uuid', 'time', 'blocked'])
        .where('device', '=', device)
        .where('identifier', '=', identifier)
        .where('counted_into', 'is', null)
        .where('time', '>', after(time, -serverLimits.alert_grouping))
        .where('time', '<', after(time, serverLimits.alert_grouping))
        .execute(),

    insert: (trx: Trx, device: { uuid: string; account: string }, d: ReportedDetection, time: Date, counted_into: string | null) =>
      trx
        .insertInto('detections')
        .values({
          uuid: d.uuid,
          device: device.uuid,
          account: device.account,
          time,
          received: clock.now(),
          name: d.name,
          identifier: d.identifier,
          category: d.category,
          details: d.details,
          blocked: d.blocked,
          certainty: d.certainty,
          counted_into,
        })
        .execute(),
  };
}
