import type { Db, Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { Clock } from '../../lib/clock.ts';
import { endOf, type IncidentRow, type IncidentStore, stateOf } from './store.ts';

export interface EndDeps {
  db: Db;
  clock: Clock;
  enqueue: Enqueue;
  incidents: Pick<IncidentStore, 'byUuid'>;
  hasValidPlan(account: string, trx: Trx): Promise<boolean>;
  /** Raises the version of each device's policy, so that agents take the new one. */
  policiesChange(trx: Trx, account: string): Promise<void>;
}

/** Queues the check whether an incident ended by itself. The key has the time, since a prolonged incident is checked again. */
export const enqueueEnd = (enqueue: Enqueue, trx: Trx, incident: string, ends: Date) =>
  enqueue(trx, 'incident_end', `incident-end:${incident}:${ends.toISOString()}`, { incident }, ends);

/** The end of an incident: devices whose plan ended meanwhile lose its policy only now (P10.1). */
export function incidentEnds({ db, clock, enqueue, incidents, hasValidPlan, policiesChange }: EndDeps) {
  const endPlan = async (trx: Trx, { account, had_plan }: Pick<IncidentRow, 'account' | 'had_plan'>) => {
    if (had_plan && !(await hasValidPlan(account, trx))) await policiesChange(trx, account);
  };

  return {
    /** Also when a person ends it. */
    endPlan,

    job: ({ incident }: { incident: string }) =>
      db.transaction().execute(async (trx) => {
        const row = await incidents.byUuid(trx, incident);
        // A person ended it.
        if (!row || row.over) return;
        if (stateOf(row, clock.now()) === 'open') await enqueueEnd(enqueue, trx, incident, endOf(row));
        else await endPlan(trx, row);
      }),
  };
}
