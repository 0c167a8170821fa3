import type { Db, Trx } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { Kernel, ServerEvents } from '../../kernel.ts';
import type { EmergencyStore } from './store.ts';

export interface EmergencyEndDeps extends Pick<Kernel, 'events'> {
  db: Db;
  store: Pick<EmergencyStore, 'end'>;
  hasOpenIncident(account: string, trx: Trx): Promise<boolean>;
}

/** Queues the change of policies at the end of a stop or an isolation. `device`: null for all of the account. */
export const enqueueEmergencyEnd = (
  enqueue: Enqueue,
  trx: Trx,
  { uuid, account, device, until }: { uuid: string; account: string; device: string | null; until: Date },
) => enqueue(trx, 'emergency_end', `emergency-end:${uuid}`, { account, device }, until);

export function emergencyEnds({ db, store, hasOpenIncident, events }: EmergencyEndDeps) {
  return {
    /**
     * At the end of an incident. What is about its device ends with it. A guardian's stop covers every computer, so it ends with the
     * account's last open incident.
     */
    async withIncident(trx: Trx, { account, device }: ServerEvents['incident_ended']): Promise<void> {
      await store.end(trx, account, (await hasOpenIncident(account, trx)) ? device : null);
    },

    /** When a stop or an isolation has run out. */
    job: ({ account, device }: { account: string; device: string | null }) =>
      db.transaction().execute(async (trx) => {
        await events.emit(trx, 'policy_changed', { account, device });
      }),
  };
}
