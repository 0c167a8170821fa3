import { randomBytes } from 'node:crypto';
import type { Event, EventType } from './api-types.ts';
import type { State } from './state.ts';

export const apiVersion = '2026-09-30.endive';

export interface Shop {
  state: State;
  now: number;
  /** The current API call; null while only time passes. */
  call: { id: string; idempotency_key: string | null } | null;
  eventCount: number;
  pages_url: string;
  /** Whether the webhook is subscribed to these events; the others are recorded and not delivered, as at Stripe. */
  delivers(type: EventType): boolean;
}

/** A random alphanumeric id, as Stripe's. */
export const newId = (prefix: string, length = 24) =>
  `${prefix}_${randomBytes(length * 2)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, length)}`;

/** Records an event for delivery. `before`: the object before an update. */
export function recordEvent(shop: Shop, type: EventType, object: object, before?: object): void {
  const event: Event = {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: shop.now,
    data: { object: structuredClone(object), ...(before ? { previous_attributes: previousValues(before, object) } : {}) },
    livemode: false,
    pending_webhooks: 1,
    request: shop.call ?? { id: null, idempotency_key: null },
    type,
  };
  shop.eventCount += 1;
  shop.state.events[event.id] = event;
  if (shop.delivers(type)) shop.state.deliveries[event.id] = { tries: 0, first: null, due: shop.now };
}

function previousValues(before: object, after: object): object {
  const valuesAfter = new Map(Object.entries(after).map(([name, value]) => [name, JSON.stringify(value)]));
  return Object.fromEntries(
    Object.entries(structuredClone(before)).filter(([name, value]) => JSON.stringify(value) !== valuesAfter.get(name)),
  );
}

export function find({ state }: Shop, id: string): object | undefined {
  const { products, prices, coupons, promotion_codes, customers, sessions, discounts, subscriptions, invoices } = state;
  for (const table of [products, prices, coupons, promotion_codes, customers, sessions, discounts, subscriptions, invoices]) {
    if (Object.hasOwn(table, id)) return (table as Record<string, object>)[id];
  }
  return undefined;
}
