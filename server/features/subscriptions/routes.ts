import { subscriptionEndpoints } from '@porchlight/contract/subscriptions.ts';
import { minute } from '@porchlight/contract/time.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import { type Log, singleAttempt } from './ask.ts';
import type { Products } from './products.ts';
import type { Promos } from './promos.ts';
import type { SubscriptionStore } from './store.ts';
import type { Sync } from './sync.ts';

export interface SubscriptionDeps extends Pick<Kernel, 'gates' | 'limit'> {
  log: Log;
  store: SubscriptionStore;
  sync: Sync;
  products: Products;
  promos: Promos;
  order(account: string, wanted: { price: string; promo: string | null }): Promise<string>;
  portal(account: string): Promise<string>;
  mayOrder(account: string): Promise<boolean>;
}

export function subscriptionRoutes(app: FastifyInstance, deps: SubscriptionDeps): void {
  const { gates, limit, store, sync, products, promos } = deps;

  bind(app, gates, subscriptionEndpoints, {
    'GET /web/profile/sub': async ({ account }) => {
      // The user may have just paid, before the webhook (P6.1). If Stripe fails, the stored plan is returned.
      if (await store.mayPoll(account)) {
        await sync(account, singleAttempt).catch((err: unknown) => deps.log.warn({ err }, 'a plan is told as it was last known'));
      }
      return store.of(account);
    },

    'POST /web/profile/sub/portal': async ({ account }) => {
      await limit('portal', account, { max: 20, per: 10 * minute });
      return deps.portal(account);
    },

    'POST /web/profile/sub/order': async ({ account, body }) => {
      await limit('order', account, { max: 20, per: 10 * minute });
      if (!(await deps.mayOrder(account))) fail('email_unverified');
      return deps.order(account, { price: body.price, promo: body.promo ?? null });
    },

    'GET /web/profile/sub/products': async () => ({ products: await products.list() }),

    'GET /promo-code': async ({ query, ip }) => {
      await limit('promo', ip, { max: 20, per: minute });
      const promo = await promos.lookUp(query.code);
      if (promo === 'ended') fail('promo_expired');
      return promo ?? fail('promo_unknown');
    },
  });
}
