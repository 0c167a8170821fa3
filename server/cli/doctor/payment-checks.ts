import type Stripe from 'stripe';
import { type Config, isLoopback } from '../../config.ts';
import { doubtStore } from '../../features/subscriptions/doubts.ts';
import { accountOfKey, foreignInWords, inWords, isSameAccount, paymentAccountStore } from '../../features/subscriptions/payment-account.ts';
import { deviceLimitIn } from '../../features/subscriptions/price-facts.ts';
import { stripePayments } from '../../integrations/payments/payments.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Network } from '../network.ts';
import { paymentFailure } from '../payments.ts';
import { type Check, error, type Finding, ok, unknown, warning } from './check.ts';
import { type OpenedDatabase, withDatabase } from './database-checks.ts';

const settings = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_API_BASE'] satisfies Check['needs'];

/** The events that README.md names: without one of them a change at Stripe is noticed only at night. */
const neededEvents = [
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
];

interface PaymentDeps {
  config: Config;
  clock: Clock;
  network: Network;
  database: Promise<OpenedDatabase>;
}

export function paymentChecks({ config: { payments, public_url }, clock, network, database }: PaymentDeps): Check[] {
  if (payments === 'simulator') {
    const found = (isLoopback(public_url) ? ok : warning)(
      'Payments are those of the test shop, where nothing is charged. Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.',
    );
    return [{ id: 'payments.key', needs: settings, run: () => found }];
  }
  const { stripe, livemode } = stripePayments(payments);
  const options = { timeout: network.limits.check, maxNetworkRetries: 0 } satisfies Stripe.RequestOptions;
  const check = (id: string, run: () => Promise<Finding>): Check => ({ id, needs: settings, run: () => run().catch(stripeFinding) });
  return [
    check('payments.key', async () => keyFinding(await accountOfKey(stripe, livemode, options), public_url)),
    withDatabase({ database }, { id: 'payments.account', needs: settings }, async (db) => {
      const stored = await paymentAccountStore(db, clock).get();
      if (!stored) return ok('No Stripe account was used here yet.');
      const keyAccount = await accountOfKey(stripe, livemode, options).catch(stripeFinding);
      if (keyAccount === null || 'state' in keyAccount)
        return unknown(`Whether STRIPE_SECRET_KEY belongs to ${inWords(stored)} is not known.`);
      return isSameAccount(stored, keyAccount)
        ? ok(`The plans belong to ${inWords(stored)}, as STRIPE_SECRET_KEY does.`)
        : error(foreignInWords(stored, keyAccount));
    }),
    check('payments.plans', async () => planFinding(await allPrices(stripe, options))),
    check('payments.webhook', async () => webhookFinding(await allWebhooks(stripe, options), `${public_url}/api/stripe/webhook`)),
    withDatabase({ database }, { id: 'payments.doubts' }, async (db) => doubtFinding(await doubtStore(db, clock).waiting())),
  ];
}

const allPrices = (stripe: Stripe, options: Stripe.RequestOptions) =>
  stripe.prices.list({ active: true, type: 'recurring', limit: 100, expand: ['data.product'] }, options).autoPagingToArray({ limit: 1000 });
const allWebhooks = (stripe: Stripe, options: Stripe.RequestOptions) =>
  stripe.webhookEndpoints.list({ limit: 100 }, options).autoPagingToArray({ limit: 1000 });

/** A restricted key may lack a right that the server does not need. */
function stripeFinding(reason: unknown): Finding {
  if ((reason as { type?: string }).type === 'StripePermissionError')
    return unknown('STRIPE_SECRET_KEY may not read this at Stripe; give the restricted key that right, to read.');
  const text = paymentFailure(reason);
  if (text === null) throw reason;
  return error(text.endsWith('.') ? text : `${text}.`);
}

function keyFinding(account: { id: string; livemode: boolean } | null, public_url: string): Finding {
  if (account === null)
    return warning(
      'STRIPE_SECRET_KEY may not read its own account, so it cannot be checked whose it is. Give the restricted key that right.',
    );
  if (!account.livemode && !isLoopback(public_url))
    return warning(`Stripe accepts the key of ${inWords(account)}: nothing is charged. Set the live key when you begin to sell.`);
  return ok(`Stripe accepts the key of ${inWords(account)}.`);
}

export function planFinding(prices: Stripe.Price[]): Finding {
  const onSale = prices.filter(({ product }) => typeof product !== 'string' && !product.deleted && product.active);
  if (!onSale.length)
    return error(
      'There is no plan to order: Stripe has no active product with a recurring price. Make one for each plan, by the month and by the year.',
    );
  const unlimited = onSale.filter(({ metadata }) => deviceLimitIn(metadata.metadata) === null).map(({ id }) => id);
  if (unlimited.length)
    return error(
      `Without their device limit these prices protect one device: ${unlimited.join(', ')}. Give each the metadata key "metadata" with the value {"device_limit":5} at Stripe.`,
    );
  return ok(`${onSale.length} prices are on sale, each with its device limit.`);
}

export function webhookFinding(webhooks: Pick<Stripe.WebhookEndpoint, 'url' | 'status' | 'enabled_events'>[], url: string): Finding {
  if (isLoopback(url)) return warning(`Stripe cannot reach this server: PUBLIC_URL leads only to this computer.`);
  const webhook = webhooks.find((one) => one.url === url && one.status === 'enabled') ?? webhooks.find((one) => one.url === url);
  const hint = 'Until then a change at Stripe is noticed only when somebody opens the plan, or at night.';
  if (!webhook) return error(`Stripe has no webhook at ${url}. Add it there, and set STRIPE_WEBHOOK_SECRET to its signing secret. ${hint}`);
  if (webhook.status !== 'enabled') return error(`The webhook at ${url} is disabled at Stripe. Enable it. ${hint}`);
  const missing = webhook.enabled_events.includes('*') ? [] : neededEvents.filter((event) => !webhook.enabled_events.includes(event));
  if (missing.length) return warning(`The webhook at ${url} does not report ${missing.join(', ')}. Add the events at Stripe. ${hint}`);
  return ok(`Stripe reports to ${url}. Its signing secret cannot be compared from here.`);
}

function doubtFinding(doubtCount: number): Finding {
  if (doubtCount === 0) return ok('Stripe knows every plan that runs here.');
  return warning(`Stripe does not know ${doubtCount} of the plans that run here; they stay. Run: npm run porchlight -- payments status`);
}
