import { randomUUID } from 'node:crypto';
import type { Appointment, PolicyAppointment } from '@porchlight/contract/appointments.ts';
import { day } from '@porchlight/contract/time.ts';
import { type Selectable, sql } from 'kysely';
import type { EmergencyTables } from '../../db/emergency-tables.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock, isoTime } from '../../lib/clock.ts';
import type { PolicyPart } from '../../ports.ts';

export type AppointmentRow = Selectable<EmergencyTables['appointments']>;

type FoundAppointment = Omit<PolicyAppointment, 'by'> & { name: string };

/** The appointment that runs at a device. */
export const appointmentInPolicy: PolicyPart<PolicyAppointment | null, FoundAppointment | null> = {
  found: sql`(
    select jsonb_build_object('uuid', a.uuid, 'identifier', a.identifier, 'program', a.program, 'name', a.name, 'until', a.until,
      'money_pages', a.money_pages)
    from appointments a where a.device = d.uuid and a.ended is null and a.until > now.time order by a.until desc limit 1)`,
  read: (found) => {
    if (!found) return null;
    const { name, until, ...rest } = found;
    return { ...rest, by: name, until: isoTime(until) };
  },
};

export const isRunning = ({ ended, until }: Pick<AppointmentRow, 'ended' | 'until'>, now: Date): boolean => ended === null && until > now;

/** Appointments (P15.1). */
export function appointmentStore(db: Db, clock: Clock) {
  /** Those that run. */
  const running = (connection: Db | Trx) =>
    connection.selectFrom('appointments').where('ended', 'is', null).where('until', '>', clock.now());

  return {
    /** Those that run in the account. */
    async runningOf(account: string, connection: Db | Trx = db): Promise<Appointment[]> {
      const rows = await running(connection)
        .innerJoin('devices', 'devices.uuid', 'appointments.device')
        .select(['appointments.uuid', 'device', 'devices.name as device_name', 'program', 'appointments.name', 'until', 'money_pages'])
        .where('appointments.account', '=', account)
        .orderBy('time')
        .execute();
      return rows.map(({ device, device_name, name, until, ...rest }) => ({
        ...{ ...rest, by: name, until: until.toISOString(), device: { uuid: device, name: device_name } },
      }));
    },

    /** Those that were opened at a device within 24 hours. */
    ofDay: (device: string, connection: Db | Trx = db): Promise<AppointmentRow[]> =>
      connection.selectFrom('appointments').selectAll().where('device', '=', device).where('time', '>', after(clock.now(), -day)).execute(),

    async add(trx: Trx, appointment: Omit<AppointmentRow, 'uuid' | 'ended' | 'ended_by'>): Promise<AppointmentRow> {
      const row = { ...appointment, uuid: randomUUID(), ended: null, ended_by: null };
      await trx.insertInto('appointments').values(row).execute();
      return row;
    },

    /** Ends what runs: one, that of a device, or all of the account. Returns the devices. */
    async end(trx: Trx, which: { account: string; device?: string; uuid?: string }, ended_by: string): Promise<string[]> {
      const rows = await trx
        .updateTable('appointments')
        .set({ ended: clock.now(), ended_by })
        .where('account', '=', which.account)
        .$if(which.device !== undefined, (all) => all.where('device', '=', which.device ?? ''))
        .$if(which.uuid !== undefined, (all) => all.where('uuid', '=', which.uuid ?? ''))
        .where('ended', 'is', null)
        .where('until', '>', clock.now())
        .returning('device')
        .execute();
      return rows.map(({ device }) => device);
    },

    /** Whether the account ever had it. */
    async isKnown(trx: Trx, account: string, uuid: string): Promise<boolean> {
      const row = await trx
        .selectFrom('appointments')
        .select('uuid')
        .where('account', '=', account)
        .where('uuid', '=', uuid)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The connected devices of the account. */
    devicesOf: (account: string, connection: Db | Trx = db) =>
      connection
        .selectFrom('devices')
        .select(['uuid', 'name'])
        .where('account', '=', account)
        .where('installed', 'is not', null)
        .orderBy('created')
        .execute(),
  };
}
