import { randomUUID } from 'node:crypto';
import type { Db, Trx } from '../../db/open.ts';
import type { CallState } from '../../db/reach-tables.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CallRow, CallRules, PlaceCall } from './call-script.ts';
import { isFinal, nextState } from './call-state.ts';

export type CallStore = ReturnType<typeof callStore>;

/** Phone calls and what became of them. */
export function callStore(db: Db, clock: Clock, enqueue: Enqueue) {
  const place: PlaceCall = async (trx, call) => {
    const now = clock.now();
    const uuid = randomUUID();
    await trx
      .insertInto('calls')
      .values({ ...call, uuid, created: now, updated: now })
      .execute();
    await enqueue(trx, 'call', `call:${uuid}`, { call: uuid, to: call.phone_number });
    return uuid;
  };

  return {
    place,

    get: (uuid: string, connection: Db | Trx = db): Promise<CallRow | undefined> =>
      connection.selectFrom('calls').selectAll().where('uuid', '=', uuid).executeTakeFirst(),

    /** Stores a reported state, and, once, what follows from the end of the call. */
    report: (uuid: string, reported: CallState, rules: CallRules): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const call = await trx.selectFrom('calls').selectAll().where('uuid', '=', uuid).forUpdate().executeTakeFirst();
        const state = call && nextState(call.state, reported);
        if (!call || !state || state === call.state) return;
        await trx.updateTable('calls').set({ state, updated: clock.now() }).where('uuid', '=', uuid).execute();
        if (isFinal(state)) await rules[call.purpose].ended(trx, { ...call, state });
      }),

    /** Stores the first pressed key. False if another one was pressed before. */
    async takeKey(uuid: string, pressed: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('calls')
        .set({ pressed, updated: clock.now() })
        .where('uuid', '=', uuid)
        .where((eb) => eb.or([eb('pressed', 'is', null), eb('pressed', '=', pressed)]))
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
  };
}
