import type { IncidentStep } from '@porchlight/contract/incidents.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Answerer } from '../../incident-ports.ts';
import type { Clock } from '../../lib/clock.ts';

/** `from_account`: by the holder about an own computer, which ticks nothing for the family (P18.2). */
interface Tick {
  step: IncidentStep;
  from_account: boolean;
}

/** The ticks of what to do now (P9.3). */
export const stepStore = (db: Db, clock: Clock) => ({
  steps: (incident: string) => db.selectFrom('incident_steps').selectAll().where('incident', '=', incident).orderBy('time').execute(),

  /** The first tick of a step counts, of the family's and of the account's each. */
  tick: (trx: Trx, incident: string, { step, from_account }: Tick, { person, name }: Answerer) =>
    trx
      .insertInto('incident_steps')
      .values({ incident, step, from_account, person, name, time: clock.now() })
      .onConflict((oc) => oc.doNothing())
      .execute(),

  untick: (trx: Trx, incident: string, { step, from_account }: Tick) =>
    trx
      .deleteFrom('incident_steps')
      .where('incident', '=', incident)
      .where('step', '=', step)
      .where('from_account', '=', from_account)
      .execute(),
});
