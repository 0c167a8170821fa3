import { randomBytes } from 'node:crypto';
import { seedProducts } from './seed.ts';
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
} from './wire.ts';

/** Everything the Stripe simulator knows; things by id, in the order they were made. Moments are Unix seconds, money is cents. */
export interface State {
  /** Which account of Stripe it plays. */
  account_id: string;
  /** While held, nothing is delivered. */
  held: boolean;
  /** Who may call, and what signs the events. */
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
  /** What opens the page of a checkout or of a portal, by its id. */
  passes: Record<string, Pass>;
  /** What a session leads to, by its id. */
  orders: Record<string, Order>;
  /** Customers whose card fails. */
  failing_cards: string[];
  /** The trial end that was told beforehand, by subscription. */
  trial_told: Record<string, number>;
  /** Events that are still to be delivered, by id, oldest first. */
  deliveries: Record<string, Delivery>;
  /** Answers that were given to an Idempotency-Key. */
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
  /** When it was tried first, and when it is tried again. */
  first: number | null;
  due: number;
}

export interface Replay {
  asked: string;
  answer: object;
  at: number;
}

/** `ticket`: opens the page once, as part of its address. `cookie`: what whoever came with the ticket keeps. */
export interface Pass {
  ticket: string;
  cookie: string;
}

/** What a shop that has just opened knows; `now`: Unix seconds. */
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
    trial_told: {},
    deliveries: {},
    replays: {},
  };
}
