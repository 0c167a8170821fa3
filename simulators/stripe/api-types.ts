import type Stripe from 'stripe';

/**
 * Objects as in Stripe's JSON: decimals are strings, and expandable fields are ids. The types of the pinned library version check that
 * builders set all required fields.
 */
export type Product = Omit<Stripe.Product, 'default_price'>;

export type Price = Omit<Stripe.Price, 'product' | 'unit_amount' | 'unit_amount_decimal' | 'recurring'> & {
  product: string;
  unit_amount: number;
  unit_amount_decimal: string;
  recurring: Stripe.Price.Recurring;
};

export type Plan = Omit<Stripe.Plan, 'product' | 'amount_decimal'> & { product: string; amount_decimal: string };

export type Coupon = Stripe.Coupon;

export type PromotionCode = Omit<Stripe.PromotionCode, 'customer' | 'promotion'> & {
  customer: string | null;
  promotion: { type: 'coupon'; coupon: string };
};

export type Customer = Omit<Stripe.Customer, 'sources' | 'subscriptions' | 'discount'>;

export type Discount = Omit<Stripe.Discount, 'customer' | 'promotion_code' | 'source'> & {
  customer: string;
  promotion_code: string | null;
  source: { type: 'coupon'; coupon: string };
};

export type Session = Omit<Stripe.Checkout.Session, 'customer' | 'subscription' | 'invoice' | 'discounts' | 'line_items'> & {
  customer: string | null;
  subscription: string | null;
  invoice: string | null;
  discounts: { coupon: string | null; promotion_code: string | null }[];
};

export type SubscriptionItem = Omit<Stripe.SubscriptionItem, 'price' | 'plan'> & { price: Price; plan: Plan; quantity: number };

export type Subscription = Omit<
  Stripe.Subscription,
  'customer' | 'items' | 'latest_invoice' | 'discounts' | 'trial_end' | 'trial_start'
> & {
  customer: string;
  items: List<SubscriptionItem>;
  latest_invoice: string | null;
  discounts: string[];
  trial_start: number | null;
  trial_end: number | null;
};

export type InvoiceLine = Omit<Stripe.InvoiceLineItem, 'quantity_decimal' | 'pricing'> & {
  quantity_decimal: string | null;
  pricing: { type: 'price_details'; unit_amount_decimal: string | null; price_details: { price: string; product: string } };
};

export type Invoice = Omit<Stripe.Invoice, 'customer' | 'lines' | 'discounts' | 'parent'> & {
  customer: string;
  lines: List<InvoiceLine>;
  discounts: string[];
  parent: {
    type: 'subscription_details';
    quote_details: null;
    subscription_details: { metadata: Stripe.Metadata; subscription: string };
  };
};

export type PortalSession = Omit<Stripe.BillingPortal.Session, 'configuration'> & { configuration: string };

export interface Event {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: object };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: EventType;
}

export type EventType =
  | `customer.${'created' | 'updated' | 'deleted'}`
  | `customer.subscription.${'created' | 'updated' | 'deleted' | 'trial_will_end'}`
  | `checkout.session.${'completed' | 'expired'}`
  | `invoice.${'created' | 'paid' | 'payment_failed'}`;

export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}
