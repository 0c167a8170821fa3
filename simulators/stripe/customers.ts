import type { Customer } from './api-types.ts';
import { is, raise } from './catalog.ts';
import { isWithin, mergeMetadata, metadata, moments, paging, text } from './form.ts';
import { pageOf } from './lists.ts';
import { noSuch } from './refused.ts';
import { type Route, route } from './route.ts';
import { newId, recordEvent, type Shop } from './shop.ts';
import { endSubscription, isOpen } from './subscription.ts';

const facts = { email: text.optional(), name: text.optional(), description: text.optional(), metadata: metadata.optional() };

export const customerRoutes: Route[] = [
  route('POST /v1/customers', facts, (shop, { metadata: newMetadata, ...form }) =>
    newCustomer(shop, { ...form, metadata: mergeMetadata({}, newMetadata) }),
  ),
  route('GET /v1/customers', { ...paging, email: text.optional(), created: moments.optional() }, ({ state }, form) =>
    pageOf(
      // Stripe compares addresses case-sensitively.
      Object.values(state.customers).filter((row) => is(form.email, row.email ?? undefined) && isWithin(row.created, form.created)),
      '/v1/customers',
      form,
    ),
  ),
  route('GET /v1/customers/:id', {}, (shop, _form, id) =>
    shop.state.deleted_customers.includes(id) ? { id, object: 'customer', deleted: true } : customerOf(shop, id),
  ),
  route('POST /v1/customers/:id', facts, (shop, { metadata: newMetadata, ...form }, id) => {
    const customer = customerOf(shop, id);
    const customerBefore = structuredClone(customer);
    Object.assign(customer, form, { metadata: mergeMetadata(customer.metadata, newMetadata) });
    if (JSON.stringify(customerBefore) !== JSON.stringify(customer)) recordEvent(shop, 'customer.updated', customer, customerBefore);
    return customer;
  }),
  route('DELETE /v1/customers/:id', {}, (shop, _form, id) => {
    const customer = customerOf(shop, id);
    for (const subscription of Object.values(shop.state.subscriptions)) {
      if (subscription.customer === id && isOpen(subscription)) endSubscription(shop, subscription, 'cancellation_requested');
    }
    delete shop.state.customers[id];
    shop.state.deleted_customers.push(id);
    recordEvent(shop, 'customer.deleted', customer);
    return { id, object: 'customer', deleted: true };
  }),
];

export function customerOf({ state }: Shop, id: string, param?: string): Customer {
  return (Object.hasOwn(state.customers, id) && state.customers[id]) || raise(noSuch('customer', id, param));
}

interface Facts {
  email?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
  metadata?: Record<string, string>;
}

export function newCustomer(shop: Shop, { email, name, description, metadata: newMetadata = {} }: Facts): Customer {
  const customer: Customer = {
    id: newId('cus', 14),
    object: 'customer',
    address: null,
    balance: 0,
    created: shop.now,
    currency: null,
    default_source: null,
    delinquent: false,
    description: description ?? null,
    email: email ?? null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: newMetadata,
    name: name ?? null,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
  };
  shop.state.customers[customer.id] = customer;
  recordEvent(shop, 'customer.created', customer);
  return customer;
}
