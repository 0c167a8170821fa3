import { subscriptionEndpoints } from '@porchlight/contract/subscriptions.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../lib/bind.ts';
import type { Gates } from '../../lib/gates.ts';
import type { SubscriptionStore } from './store.ts';

export function subscriptionRoutes(app: FastifyInstance, { gates, store }: { gates: Gates; store: SubscriptionStore }): void {
  bind(app, gates, subscriptionEndpoints, {
    'GET /web/profile/sub': ({ account }) => store.of(account),
  });
}
