import { subscriptionEndpoints } from '@porchlight/contract/subscriptions.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../lib/bind.ts';
import { fail } from '../../lib/errors.ts';
import type { Gates } from '../../lib/gates.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import type { PromoStore } from './promo-store.ts';
import type { SubscriptionStore } from './store.ts';

export interface SubscriptionParts {
  gates: Gates;
  store: SubscriptionStore;
  promos: PromoStore;
  limit: Limit;
}

export function subscriptionRoutes(app: FastifyInstance, { gates, store, promos, limit }: SubscriptionParts): void {
  bind(app, gates, subscriptionEndpoints, {
    'GET /web/profile/sub': ({ account }) => store.of(account),

    'GET /promo-code': async ({ query, ip }) => {
      await limit('promo', ip, { max: 20, per: 60_000 });
      const promo = await promos.look(query.code);
      if (promo === 'ended') fail('promo_expired');
      return promo ?? fail('promo_unknown');
    },
  });
}
