import type { Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { Kernel } from '../../kernel.ts';
import type { DeviceRows } from '../../ports.ts';
import { endOf, type IncidentRow, type IncidentStore, stateOf } from './store.ts';

export interface EndDeps extends Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'events'>, Pick<DeviceRows, 'lockDevices'> {
  incidents: Pick<IncidentStore, 'byUuid' | 'accountOf'>;
  /** Ends the emails of guardians who unsubscribed in an incident (P5.5). */
  endMails(trx: Trx, account: string): Promise<void>;
}

/** Queues the check whether an incident ended by itself. The key has the time, since a prolonged incident is checked again. */
export const enqueueEnd = (enqueue: Enqueue, trx: Trx, incident: string, ends: Date) =>
  enqueue(trx, 'incident_end', `incident-end:${incident}:${ends.toISOString()}`, { incident }, ends);

/** What takes effect at the end of an incident. */
export function incidentEnds({ db, clock, enqueue, incidents, lockDevices, events, endMails }: EndDeps) {
  const ended = async (trx: Trx, { account, device }: Pick<IncidentRow, 'account' | 'device'>) => {
    await events.emit(trx, 'incident_ended', { account, device });
    // The lock ends, and devices whose plan ended meanwhile lose its policy (P10.1, P10.5).
    await events.emit(trx, 'policy_changed', { account, device: null });
    await endMails(trx, account);
  };

  return {
    /** When a person ends it. */
    ended,

    /** When it ends by itself. */
    job: ({ incident }: { incident: string }) =>
      db.transaction().execute(async (trx) => {
        const account = await incidents.accountOf(trx, incident);
        if (account === null) return;
        await lockDevices(trx, account);
        const row = await incidents.byUuid(trx, incident);
        if (!row || row.over) return;
        if (stateOf(row, clock.now()) === 'open') await enqueueEnd(enqueue, trx, incident, endOf(row));
        else await ended(trx, row);
      }),
  };
}
