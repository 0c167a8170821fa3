import { z } from 'zod';
import type { Invoice, Subscription } from './api-types.ts';
import { is, priceOf, raise } from './catalog.ts';
import { cancel, changePrice, setEnding } from './changes.ts';
import { arrayOf, flag, isWithin, mergeMetadata, metadata, moments, paging, text } from './form.ts';
import { charge } from './invoice.ts';
import { endTrial, retryPayment } from './lifecycle.ts';
import { pageOf } from './lists.ts';
import { invalidParameter, noSuch } from './refused.ts';
import { type Route, route } from './route.ts';
import type { Shop } from './shop.ts';
import { alter, isOpen, itemOf } from './subscription.ts';

const status = z.enum([
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'paused',
  'all',
  'ended',
]);

export const subscriptionRoutes: Route[] = [
  route(
    'GET /v1/subscriptions',
    { ...paging, customer: text.optional(), price: text.optional(), status: status.optional(), created: moments.optional() },
    ({ state }, form) =>
      pageOf(
        Object.values(state.subscriptions).filter(
          (row) =>
            is(form.customer, row.customer) &&
            is(form.price, itemOf(row).price.id) &&
            isWithin(row.created, form.created) &&
            hasStatus(row, form.status),
        ),
        '/v1/subscriptions',
        form,
      ),
  ),
  route('GET /v1/subscriptions/:id', {}, (shop, _form, id) => subscriptionOf(shop, id)),
  route(
    'POST /v1/subscriptions/:id',
    {
      items: arrayOf(z.strictObject({ id: text.optional(), price: text.optional(), quantity: z.literal('1').optional() })).optional(),
      cancel_at_period_end: flag.optional(),
      trial_end: z.literal('now').optional(),
      proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
      payment_behavior: z.enum(['allow_incomplete', 'error_if_incomplete']).optional(),
      metadata: metadata.optional(),
    },
    (shop, form, id) => {
      const subscription = subscriptionOf(shop, id);
      if (!isOpen(subscription)) throw invalidParameter('id', 'A subscription that is over changes no more.', 'resource_missing');
      const items = (form.items ?? []) as { id?: string; price?: string }[];
      const [item] = items;
      if (items.length > 1 || (item && item.id !== itemOf(subscription).id))
        throw invalidParameter('items', 'A subscription has one item in this shop.');
      const price = item?.price === undefined ? undefined : priceOf(shop, item.price, 'items[0][price]');
      if (price) changePrice(shop, subscription, price, form.proration_behavior !== 'none');
      if (form.cancel_at_period_end !== undefined) setEnding(shop, subscription, form.cancel_at_period_end);
      alter(shop, subscription, () => {
        subscription.metadata = mergeMetadata(subscription.metadata, form.metadata);
      });
      if (form.trial_end === 'now') endTrial(shop, subscription);
      return subscription;
    },
  ),
  route(
    'DELETE /v1/subscriptions/:id',
    {
      prorate: flag.optional(),
      invoice_now: flag.optional(),
      cancellation_details: z.strictObject({ comment: text.optional() }).optional(),
    },
    (shop, form, id) => {
      const subscription = subscriptionOf(shop, id);
      cancel(shop, subscription, form.prorate ?? false);
      subscription.cancellation_details = {
        comment: form.cancellation_details?.comment ?? null,
        feedback: null,
        feedback_option: null,
        reason: 'cancellation_requested',
      };
      return subscription;
    },
  ),

  route(
    'GET /v1/invoices',
    {
      ...paging,
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
      created: moments.optional(),
    },
    ({ state }, form) =>
      pageOf(
        Object.values(state.invoices).filter(
          (row) =>
            is(form.customer, row.customer) &&
            is(form.subscription, row.parent.subscription_details.subscription) &&
            is<string | null>(form.status, row.status) &&
            isWithin(row.created, form.created),
        ),
        '/v1/invoices',
        form,
      ),
  ),
  route('GET /v1/invoices/:id', {}, (shop, _form, id) => invoiceOf(shop, id)),
  route('POST /v1/invoices/:id/pay', {}, (shop, _form, id) => {
    const invoice = invoiceOf(shop, id);
    const subscription = subscriptionOf(shop, invoice.parent.subscription_details.subscription);
    if (invoice.status !== 'open') throw invalidParameter('id', 'This invoice is paid already.', 'invoice_already_paid');
    if (subscription.status === 'past_due' && subscription.latest_invoice === id) retryPayment(shop, subscription, invoice);
    else charge(shop, invoice);
    return invoice;
  }),
];

/** Without a status filter, Stripe lists all subscriptions that are not canceled. */
function hasStatus(row: Subscription, asked: z.infer<typeof status> | undefined): boolean {
  if (asked === 'all') return true;
  if (asked === 'ended') return !isOpen(row);
  return asked === undefined ? row.status !== 'canceled' : row.status === asked;
}

function subscriptionOf({ state }: Shop, id: string): Subscription {
  return (Object.hasOwn(state.subscriptions, id) && state.subscriptions[id]) || raise(noSuch('subscription', id));
}

function invoiceOf({ state }: Shop, id: string): Invoice {
  return (Object.hasOwn(state.invoices, id) && state.invoices[id]) || raise(noSuch('invoice', id));
}
