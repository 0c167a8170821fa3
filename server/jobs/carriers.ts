import type { Db } from '../db/open.ts';
import type { Clock } from '../lib/clock.ts';
import { type Away, type Carrier, newCarrier } from './carrier.ts';
import type { ClaimPermission } from './lane.ts';
import type { CarrierName } from './lanes.ts';

export interface CarriersDeps {
  db: Db;
  clock: Clock;
  log: { error(o: object, m: string): void; info?(o: object, m: string): void };
  wake(): void;
  /** Called when a lane has nothing to send for a probe. */
  passTurnOn(lane: string): void;
}

export interface CarrierOfLane extends Pick<Carrier, 'begin' | 'slowDomains'> {
  turn(lane: string): ClaimPermission | null;
}

const carrierNames: Record<Exclude<CarrierName, 'push' | 'voice' | 'work'>, string> = {
  mail: 'the mail server',
  sms: 'the telephone service',
};

/**
 * Jobs of the server itself need no external carrier. Push services are many: that one is away says nothing about the others. A call is of
 * use only now, so it does not wait for its service to come back.
 */
const alwaysThere: CarrierOfLane = {
  turn: () => ({ probe: false, unused: () => {} }),
  begin: () => ({ accepted: () => {}, failed: () => ({ verdict: 'back_off', givenUp: [] }) }),
  slowDomains: new Set(),
};

export function openCarriers({ db, clock, log, wake, passTurnOn }: CarriersDeps) {
  let writing: Promise<unknown> = Promise.resolve();
  let closed = false;
  const storeState = (carrier: string, away: Away | null) => {
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
  const open = (name: keyof typeof carrierNames): Carrier & CarrierOfLane => {
    let probing = '';
    const carrier = newCarrier({
      clock,
      wake,
      onUnusedTurn: () => passTurnOn(probing),
      onChange(away, isChange) {
        storeState(name, away);
        if (!isChange) return;
        if (away)
          log.error(
            { carrier: name, reason: away.reason },
            `${carrierNames[name]} takes nothing: ${away.reason}. Everything waits and is sent once it does`,
          );
        else log.info?.({ carrier: name }, `${carrierNames[name]} takes what we send again; what waited is sent now`);
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
  const carriers = { mail: open('mail'), sms: open('sms') };
  return {
    of(lane: string): CarrierOfLane {
      const name = lane.split('_')[0];
      return name === 'mail' || name === 'sms' ? carriers[name] : alwaysThere;
    },
    close() {
      for (const carrier of Object.values(carriers)) carrier.close();
    },
    async flush() {
      closed = true;
      await writing;
    },
  };
}
