import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Everything the till knows; things by id, in the order they were made. Moments are Unix seconds, money is cents. */
export interface State {
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

export interface KeptState {
  state: State;
  /** On disk before this resolves. Changes that come while one is being written share the next one. */
  save(): Promise<void>;
}

/** The state in `folder`, or that of a shop that has just opened. One file, replaced as a whole. */
export async function openState(folder: string, now: number): Promise<KeptState> {
  const path = join(folder, 'shop.json');
  const kept = await readFile(path, 'utf8').catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return null;
    throw err;
  });
  const state: State = kept ? { ...newState(now), ...(JSON.parse(kept) as State) } : newState(now);
  const write = async () => {
    const file = await open(`${path}.tmp`, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(state));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.tmp`, path);
  };
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const save = () => {
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null;
        running = write();
        return running;
      });
    return next;
  };
  if (!kept) await save();
  return { state, save };
}

function newState(now: number): State {
  return {
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
    events: {},
    orders: {},
    failing_cards: [],
    trial_told: {},
    deliveries: {},
    replays: {},
  };
}
