import { randomUUID } from 'node:crypto';
import type { CallState } from '../db/reach-tables.ts';
import type { Clock } from '../lib/clock.ts';
import type { CallScript, PlaceCall } from '../notifications/calls/call-script.ts';
import type { TestServer } from './world.ts';

/** Stores calls like the telephone service; nobody's phone rings. */
export function storedCalls(clock: Clock): PlaceCall {
  return async (trx, call) => {
    const [uuid, now] = [randomUUID(), clock.now()];
    await trx
      .insertInto('calls')
      .values({ uuid, ...call, created: now, updated: now })
      .execute();
    return uuid;
  };
}

/** The phone with this number (E.164): each function is about the newest call. */
export function phoneOf(server: Pick<TestServer, 'app' | 'db'>, number: string) {
  const calls = () =>
    server.db.selectFrom('calls').selectAll().where('phone_number', '=', number).orderBy('created', 'desc').orderBy('uuid').execute();
  const newest = async () => {
    const [call] = await calls();
    if (!call) throw new Error(`${number} was not called`);
    return call;
  };
  const { consent } = server.app.callRules;
  const becomes = async (state: CallState) =>
    server.db
      .updateTable('calls')
      .set({ state })
      .where('uuid', '=', (await newest()).uuid)
      .execute();

  return {
    calls,
    async picksUp(by: 'human' | 'machine' = 'human'): Promise<CallScript> {
      await becomes(by === 'human' ? 'answered' : 'machine');
      return consent.script(await newest(), by);
    },
    presses: async (key: string): Promise<CallScript> => consent.pressed(await newest(), key),
    async hangsUp(state: CallState = 'completed'): Promise<void> {
      await becomes(state);
      const call = await newest();
      await server.db.transaction().execute((trx) => consent.ended(trx, call));
    },
  };
}
