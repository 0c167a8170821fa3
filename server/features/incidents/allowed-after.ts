import type { Appointment } from '@porchlight/contract/appointments.ts';
import { type AllowedAfter, allowed_after_max } from '@porchlight/contract/incidents.ts';
import { day } from '@porchlight/contract/time.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { AllowLists, Answerer } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import type { IncidentRow, IncidentStore } from './store.ts';
import { within } from './time-line.ts';

export interface AllowedAfterDeps extends Pick<Kernel, 'clock'> {
  incidents: Pick<IncidentStore, 'openOf' | 'events'>;
  allowLists: AllowLists;
  /** The emergency stops in force: of a device, or with null of all. */
  stopsOf(account: string, connection: Db | Trx): Promise<{ device: string | null }[]>;
  /** The connected devices of the account. */
  devicesOf(account: string, connection: Db | Trx): Promise<{ uuid: string; name: string }[]>;
  /** The appointments that run in the account. */
  runningOf(account: string, connection: Db | Trx): Promise<Appointment[]>;
  endAppointment(trx: Trx, account: string, uuid: string, by: string): Promise<unknown>;
}

/** What is allowed once an incident is over, and *Stop allowing* (P15.4). */
export function allowedAfterIncidents({ clock, incidents, allowLists, ...asks }: AllowedAfterDeps) {
  /** The end of the account's last open incident ends a stop of all computers, which suspends every allow list (P10.6). */
  const endsStopOfAll = async ({ account, uuid }: IncidentRow, connection: Db | Trx) =>
    (await incidents.openOf(account, connection)).every((open) => open.uuid === uuid) &&
    (await asks.stopsOf(account, connection)).some(({ device }) => device === null);

  return {
    /** What was allowed in the incident or within 24 hours before comes first. */
    async of(row: IncidentRow, connection: Db | Trx): Promise<AllowedAfter[]> {
      const devices = (await endsStopOfAll(row, connection)) ? await asks.devicesOf(row.account, connection) : [];
      const names = new Map(devices.map(({ uuid, name }) => [uuid, name]));
      const isRecent = within(row, await incidents.events(row.uuid, connection), clock.now(), day);
      const entries = await allowLists.of([row.device, ...[...names.keys()].filter((uuid) => uuid !== row.device)], connection);
      const running = (await asks.runningOf(row.account, connection)).filter(({ device }) => device.uuid === row.device);
      const all: AllowedAfter[] = [
        // What opens an incident ends the appointments at its device, so these began in it.
        ...running.map(({ uuid: id, program: name, until }) => ({ id, name, device: null, until, waits: false, recent: true })),
        ...entries.map(({ device, added, until, ...entry }) => ({
          ...entry,
          device: device === row.device ? null : (names.get(device) ?? ''),
          until: until?.toISOString() ?? null,
          recent: isRecent(added),
        })),
      ];
      return all.toSorted((a, b) => Number(b.recent) - Number(a.recent)).slice(0, allowed_after_max);
    },

    /** Stops allowing what is still allowed in the account. Returns the names. The caller has locked its devices. */
    async stop(trx: Trx, { account, name: by }: Answerer & { account: string }, ids: string[]): Promise<string[]> {
      if (!ids.length) return [];
      const isAsked = ({ id }: { id: string }) => ids.includes(id);
      const devices = (await asks.devicesOf(account, trx)).map(({ uuid }) => uuid);
      const entries = (await allowLists.of(devices, trx)).filter(isAsked);
      for (const { device, id } of entries) await allowLists.remove(trx, account, device, id);
      const running = (await asks.runningOf(account, trx)).filter(({ uuid: id }) => isAsked({ id }));
      for (const { uuid } of running) await asks.endAppointment(trx, account, uuid, by);
      return [...new Set([...running.map(({ program }) => program), ...entries.map(({ name }) => name)])];
    },
  };
}
