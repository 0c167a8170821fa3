import type { Db } from '../db/open.ts';
import type { Clock } from '../lib/clock.ts';
import { type Away, type Carrier, newCarrier } from './carrier.ts';
import type { Turn } from './lane.ts';
import type { CarrierName } from './lanes.ts';

export interface CarriersDeps {
  db: Db;
  clock: Clock;
  log: { error(o: object, m: string): void; info?(o: object, m: string): void };
  wake(): void;
  /** A probe of this lane found nothing to send. */
  handOn(lane: string): void;
}

export interface CarrierOfLane extends Pick<Carrier, 'begin' | 'isSlow'> {
  turn(lane: string): Turn | null;
}

const names: Record<Exclude<CarrierName, 'work'>, string> = { mail: 'the mail server', sms: 'the telephone service' };

/** This server's own work is always there. */
const alwaysThere: CarrierOfLane = {
  turn: () => ({ probe: false, unused: () => {} }),
  begin: () => ({ taken: () => {}, failed: () => ({ verdict: 'back_off', buried: [] }) }),
  isSlow: () => false,
};

/** The mail server and the telephone network, as this process knows them; an operator hears when one takes nothing, and when it does again. */
export function openCarriers({ db, clock, log, wake, handOn }: CarriersDeps) {
  let writing: Promise<unknown> = Promise.resolve();
  let closed = false;
  const note = (carrier: string, away: Away | null) => {
    if (closed) return;
    const write = (): Promise<unknown> =>
      away
        ? db
            .insertInto('carriers_away')
            .values({ carrier, since: away.since, tried: clock.now(), reason: away.reason })
            .onConflict((oc) => oc.column('carrier').doUpdateSet({ tried: clock.now(), reason: away.reason }))
            .execute()
        : db.deleteFrom('carriers_away').where('carrier', '=', carrier).execute();
    writing = writing.then(write).catch((err: unknown) => log.error({ err }, 'it could not be written down whether a carrier is there'));
  };
  const open = (name: keyof typeof names): Carrier & CarrierOfLane => {
    let probing = '';
    const carrier = newCarrier({
      clock,
      wake,
      passOn: () => handOn(probing),
      changed(away, changes) {
        note(name, away);
        if (!changes) return;
        if (away)
          log.error(
            { carrier: name, reason: away.reason },
            `${names[name]} takes nothing: ${away.reason}. Everything waits and is sent once it does`,
          );
        else log.info?.({ carrier: name }, `${names[name]} takes what we send again; what waited is sent now`);
      },
    });
    return {
      ...carrier,
      turn(lane?: string) {
        const turn = carrier.turn();
        if (turn?.probe) probing = lane ?? '';
        return turn;
      },
    };
  };
  const all = { mail: open('mail'), sms: open('sms') };
  return {
    of(lane: string): CarrierOfLane {
      const name = lane.split('_')[0];
      return name === 'mail' || name === 'sms' ? all[name] : alwaysThere;
    },
    close() {
      for (const one of Object.values(all)) one.close();
    },
    /** Ends when all is written down. */
    async written() {
      closed = true;
      await writing;
    },
  };
}
