import { randomBytes } from 'node:crypto';
import type {
  Coupon,
  Customer,
  Discount,
  Event,
  Invoice,
  PortalSession,
  Price,
  Product,
  PromotionCode,
  Session,
  Subscription,
} from './api-types.ts';
import { seedProducts } from './seed.ts';

/** The stored shop: objects by id, in order of creation. Times are Unix seconds, amounts are cents. */
export interface State {
  account_id: string;
  held: boolean;
  secret_key: string;
  webhook_secret: string;
  products: Record<string, Product>;
  prices: Record<string, Price>;
  coupons: Record<string, Coupon>;
  promotion_codes: Record<string, PromotionCode>;
  customers: Record<string, Customer>;
  deleted_customers: string[];
  sessions: Record<string, Session>;
  discounts: Record<string, Discount>;
  subscriptions: Record<string, Subscription>;
  invoices: Record<string, Invoice>;
  portals: Record<string, PortalSession>;
  events: Record<string, Event>;
  passes: Record<string, Pass>;
  orders: Record<string, Order>;
  failing_cards: string[];
  trial_announced: Record<string, number>;
  /** Events still to be delivered, by id, oldest first. */
  deliveries: Record<string, Delivery>;
  replays: Record<string, Replay>;
}

export interface Order {
  price: string;
  quantity: number;
  trial_days: number;
  metadata: Record<string, string>;
}

export interface Delivery {
  tries: number;
  /** Unix seconds of the first attempt and of the next attempt. */
  first: number | null;
  due: number;
}

export interface Replay {
  asked: string;
  answer: object;
  at: number;
}

/** A pass for a page. `ticket`: opens the page once, in its address. `cookie`: replaces the ticket afterwards. */
export interface Pass {
  ticket: string;
  cookie: string;
}

export function newState(now: number): State {
  return {
    account_id: `acct_${randomBytes(8).toString('hex')}`,
    held: false,
    secret_key: `sk_test_${randomBytes(24).toString('hex')}`,
    webhook_secret: `whsec_${randomBytes(24).toString('hex')}`,
    ...seedProducts(now),
    coupons: {},
    promotion_codes: {},
    customers: {},
    deleted_customers: [],
    sessions: {},
    discounts: {},
    subscriptions: {},
    invoices: {},
    portals: {},
    passes: {},
    events: {},
    orders: {},
    failing_cards: [],
    trial_announced: {},
    deliveries: {},
    replays: {},
  };
}
