import type { FastifyInstance } from 'fastify';
import type { Payments } from '../../integrations/payments/payments.ts';
import type { Kernel } from '../../kernel.ts';
import type { AlertUrl } from '../../ports.ts';
import { type PlanDeps, plans } from './plans.ts';
import { type SubscriptionDeps, subscriptionRoutes } from './routes.ts';
import { wrongSavings } from './saving.ts';
import { planInPolicy, subscriptionStore } from './store.ts';
import { webhookRoutes } from './webhook.ts';

interface SubscriptionAsks extends Pick<PlanDeps, 'personOf' | 'plan_names' | 'development'> {
  payments: Payments;
}

/** Plans of accounts, as Stripe knows them. */
export function subscriptionFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'log' | 'enqueue' | 'forgetJobs' | 'limit' | 'events' | 'settings'>,
  { payments, ...asks }: SubscriptionAsks,
) {
  const { db, clock, log } = kernel;
  const { dashboard_url } = kernel.settings;
  const store = subscriptionStore(db, clock);
  const paid = plans({ ...kernel, ...asks, dashboard_url, store, stripe: payments.stripe, livemode: payments.livemode });
  /** Without a plan an alert stays readable in the history, while the device's page needs a plan (P9.4). */
  const alertUrl: AlertUrl = async (trx, account, alert) =>
    `${dashboard_url}${(await store.isValid(account, trx)) ? `/detection/${alert}` : `/history?detectionId=${alert}`}`;
  return {
    ports: {
      hasValidPlan: store.isValid,
      alertUrl,
      isValidInSql: store.isValidInSql,
      inPolicy: planInPolicy,
      deviceLimitOf: store.deviceLimit,
      livePromo: paid.promos.liveCode,
      cancelPlans: paid.cancel,
      paymentTrouble: paid.trouble,
    },
    jobs: paid.night.handlers,
    queueNext: paid.night.queueNext,
    wrongStatements: async () => wrongSavings(await paid.products.list()),
    async routes(http: FastifyInstance, { gates, mayOrder }: Pick<SubscriptionDeps, 'gates' | 'mayOrder'>) {
      subscriptionRoutes(http, { ...kernel, ...paid, gates, store, mayOrder });
      await webhookRoutes(http, { gates, clock, log, store, sync: paid.sync, payments });
    },
  };
}
