import { createHmac } from 'node:crypto';
import type { Event } from './api-types.ts';
import type { Shop } from './shop.ts';

const minute = 60;
const hour = 3600;
/** Seconds between attempts; afterwards every 12 hours, until three days have passed since the first attempt. */
const pauses = [10, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
const retryWindow = 72 * hour;

/** Seconds after which another server takes over a delivery. */
const claimSeconds = 60;

export function nextDelivery({ state, now }: Shop): Event | undefined {
  if (state.held) return undefined;
  const id = Object.keys(state.deliveries).find((key) => (state.deliveries[key]?.due ?? Infinity) <= now);
  return id === undefined ? undefined : state.events[id];
}

/** Signs an event like Stripe: HMAC-SHA256 over the time and the exact body. */
function signed({ state, now }: Shop, event: Event): { body: string; signature: string } {
  const body = JSON.stringify(event, null, 2);
  const hmac = createHmac('sha256', state.webhook_secret).update(`${now}.${body}`).digest('hex');
  return { body, signature: `t=${now},v1=${hmac}` };
}

/** Claims the next delivery, so that no other server on this shop sends it too. */
export function takeDelivery(shop: Shop): { id: string; body: string; signature: string } | null {
  const event = nextDelivery(shop);
  const delivery = event && shop.state.deliveries[event.id];
  if (!event || !delivery) return null;
  delivery.due = shop.now + claimSeconds;
  return { id: event.id, ...signed(shop, event) };
}

/** Records the answer to a delivery: 2xx completes it, any other status schedules a retry. */
export function noteDelivery({ state, now }: Shop, id: string, status: number): void {
  const delivery = state.deliveries[id];
  const event = state.events[id];
  if (!delivery) return;
  if (status >= 200 && status < 300) {
    if (event) event.pending_webhooks = 0;
    delete state.deliveries[id];
    return;
  }
  delivery.first ??= now;
  delivery.due = now + (pauses[delivery.tries] ?? 12 * hour);
  delivery.tries += 1;
  if (delivery.due - delivery.first > retryWindow) delete state.deliveries[id];
}

/** Stripe stores events for 30 days, and answers to repeated idempotency keys for one day. */
export function deleteExpired({ state, now }: Shop): void {
  for (const [id, event] of Object.entries(state.events)) {
    if (event.created > now - 30 * 24 * hour) break;
    delete state.events[id];
    delete state.deliveries[id];
  }
  for (const [key, replay] of Object.entries(state.replays)) {
    if (replay.at > now - 24 * hour) break;
    delete state.replays[key];
  }
}
