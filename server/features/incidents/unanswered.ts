import type { Db, Trx } from '../../db/open.ts';
import type { Authority } from './authority.ts';
import type { IncidentStore } from './store.ts';

export interface UnansweredDeps {
  db: Db;
  incidents: Pick<IncidentStore, 'openOf' | 'events'>;
  authority: Pick<Authority, 'mayEndEscalation'>;
}

/** Whether an incident is open at the device that nobody who may has answered with *I’m on it* since it opened, or opened again (P12.6). */
export function unansweredIncidents({ db, incidents, authority }: UnansweredDeps) {
  return async (account: string, device: string, connection: Db | Trx = db): Promise<boolean> => {
    const row = (await incidents.openOf(account, connection)).find((one) => one.device === device);
    if (!row) return false;
    const events = await incidents.events(row.uuid, connection);
    const begun = events.findLast(({ kind }) => kind === 'reopened')?.time ?? row.opened;
    for (const { kind, person, time } of events) {
      if (kind !== 'on_it' || person === null || time < begun) continue;
      if (await authority.mayEndEscalation(row, person, connection)) return false;
    }
    return true;
  };
}
