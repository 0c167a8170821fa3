import type { Kernel } from '../../kernel.ts';
import type { HoldFactStore } from './fact-store.ts';
import type { IncidentStore } from './store.ts';

export interface CheckupDeps extends Pick<Kernel, 'db' | 'notify'> {
  incidents: IncidentStore;
  facts: HoldFactStore;
}

/** Asks the holder and the guardians once, the day after an incident opened, how it went (P9.2). */
export function incidentCheckup({ db, incidents, facts, notify }: CheckupDeps) {
  return ({ incident }: { incident: string }) =>
    db.transaction().execute(async (trx) => {
      const row = await incidents.byUuid(trx, incident);
      if (!row || row.asked_how) return;
      await incidents.markAskedHow(trx, incident);
      const { person, time_zone } = await facts.deviceWords(trx, row.account, row.device);
      const about = { incident, device: row.device_name, person, opened: row.opened, time_zone };
      await notify(trx, row.account, { kind: 'incident_checkup', facts: about });
    });
}
