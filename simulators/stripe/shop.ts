import { randomBytes } from 'node:crypto';
import type { State } from './state.ts';
import type { Event, EventType } from './wire.ts';

/** The version of Stripe's interface that is spoken here, and no other. */
export const apiVersion = '2026-09-30.endive';

/** What everything at the Stripe simulator works on. */
export interface Shop {
  state: State;
  /** Unix seconds: the moment at which what is being done happens. */
  now: number;
  /** The call that is being answered; null while time alone passes. */
  call: { id: string; idempotency_key: string | null } | null;
  /** How many events there have been since it was opened. */
  told: number;
  /** Where its pages are. */
  pages_url: string;
}

/** Letters and digits, as Stripe's. */
export const newId = (prefix: string, length = 24) =>
  `${prefix}_${randomBytes(length * 2)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, length)}`;

/** An event, to be delivered. `before`: what the thing was, where Stripe tells what has changed. */
export function tell(shop: Shop, type: EventType, object: object, before?: object): void {
  const event: Event = {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: shop.now,
    data: { object: structuredClone(object), ...(before ? { previous_attributes: changed(before, object) } : {}) },
    livemode: false,
    pending_webhooks: 1,
    request: shop.call ?? { id: null, idempotency_key: null },
    type,
  };
  shop.told += 1;
  shop.state.events[event.id] = event;
  shop.state.deliveries[event.id] = { tries: 0, first: null, due: shop.now };
}

function changed(before: object, after: object): object {
  const now = new Map(Object.entries(after).map(([name, value]) => [name, JSON.stringify(value)]));
  return Object.fromEntries(Object.entries(structuredClone(before)).filter(([name, value]) => JSON.stringify(value) !== now.get(name)));
}

/** Whatever has this id. */
export function find({ state }: Shop, id: string): object | undefined {
  const { products, prices, coupons, promotion_codes, customers, sessions, discounts, subscriptions, invoices } = state;
  for (const table of [products, prices, coupons, promotion_codes, customers, sessions, discounts, subscriptions, invoices]) {
    if (Object.hasOwn(table, id)) return (table as Record<string, object>)[id];
  }
  return undefined;
}
