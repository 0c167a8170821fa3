import { type PushSubscriptionBody, pushSubscription } from '@porchlight/contract/push.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Sealer } from '../../secrets/seal.ts';

export type PushStore = ReturnType<typeof pushStore>;

/** Whose browser it is. `guardian`: null for the holder. */
export interface PushPerson {
  account: string;
  guardian: string | null;
}

const uuidOf = ({ account, guardian }: PushPerson) => guardian ?? account;

/** Sealed, because anybody who knows an endpoint with its keys could notify that browser. Endpoints are found by their HMAC. */
export function pushStore(db: Db, clock: Clock, sealer: Sealer) {
  const hashOf = (endpoint: string) => Buffer.from(sealer.mac('push-endpoint', endpoint), 'base64url');

  return {
    /**
     * Adds a browser, or renews it: its keys, its session, and its place among the newest. Beyond `push_subscriptions_max` the
     * subscription renewed longest ago goes, since a browser that nobody uses any more never ends its own.
     */
    async add(trx: Trx, person: PushPerson, { session, service, body }: { session: string; service: string; body: PushSubscriptionBody }) {
      const { endpoint, keys } = body;
      const uuid = uuidOf(person);
      const renewed = { session, service, sealed_subscription: sealer.seal(JSON.stringify({ endpoint, keys })), created: clock.now() };
      await trx
        .insertInto('push_subscriptions')
        .values({ person: uuid, endpoint_hash: hashOf(endpoint), ...person, ...renewed })
        .onConflict((oc) => oc.columns(['person', 'endpoint_hash']).doUpdateSet(renewed))
        .execute();
      await trx
        .deleteFrom('push_subscriptions')
        .where('person', '=', uuid)
        .where('endpoint_hash', 'not in', (q) =>
          q
            .selectFrom('push_subscriptions')
            .select('endpoint_hash')
            .where('person', '=', uuid)
            .orderBy('created', 'desc')
            .orderBy((eb) => eb('endpoint_hash', '=', hashOf(endpoint)), 'desc')
            .limit(serverLimits.push_subscriptions_max),
        )
        .execute();
    },

    end: (person: string, endpoint: string) =>
      db.deleteFrom('push_subscriptions').where('person', '=', person).where('endpoint_hash', '=', hashOf(endpoint)).execute(),

    endAll: (trx: Trx, person: string) => trx.deleteFrom('push_subscriptions').where('person', '=', person).execute(),

    /** All but the browser of a session. */
    endOthers: (trx: Trx, person: string, session: string) =>
      trx.deleteFrom('push_subscriptions').where('person', '=', person).where('session', '<>', session).execute(),

    /** The browser of a session that was ended elsewhere, such as of a lost phone. */
    endOfSession: (person: string, session: string) =>
      db.deleteFrom('push_subscriptions').where('person', '=', person).where('session', '=', session).execute(),

    /** The people of an account who get push messages, by uuid: their browsers' push service, null for several. */
    async servicesOf(account: string, trx: Trx): Promise<Map<string, string | null>> {
      const rows = await trx.selectFrom('push_subscriptions').select(['person', 'service']).where('account', '=', account).execute();
      const services = new Map<string, string | null>();
      for (const { person, service } of rows) {
        const known = services.get(person);
        services.set(person, known === undefined || known === service ? service : null);
      }
      return services;
    },

    async of(person: string): Promise<PushSubscriptionBody[]> {
      const rows = await db.selectFrom('push_subscriptions').select('sealed_subscription').where('person', '=', person).execute();
      return rows.map(({ sealed_subscription }) => pushSubscription.parse(JSON.parse(sealer.open(sealed_subscription))));
    },
  };
}
