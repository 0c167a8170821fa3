import { createHmac } from 'node:crypto';
import type { Shop } from './shop.ts';
import type { Event } from './wire.ts';

const minute = 60;
const hour = 3600;
/** How long after a delivery that failed the next one is tried, in seconds; then every 12 hours, until three days have passed since the first. */
const pauses = [10, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
const patience = 72 * hour;

/** How long whoever took a delivery has it alone, in seconds: a server that dies with it is not waited for longer. */
const taken = 60;

/** What is to be delivered by now, oldest first. */
export function nextDelivery({ state, now }: Shop): Event | undefined {
  if (state.held) return undefined;
  const id = Object.keys(state.deliveries).find((key) => (state.deliveries[key]?.due ?? Infinity) <= now);
  return id === undefined ? undefined : state.events[id];
}

/** The body and the signature of this moment, as Stripe signs: HMAC-SHA256 over the moment and the exact body. */
function signed({ state, now }: Shop, event: Event): { body: string; signature: string } {
  const body = JSON.stringify(event, null, 2);
  const hmac = createHmac('sha256', state.webhook_secret).update(`${now}.${body}`).digest('hex');
  return { body, signature: `t=${now},v1=${hmac}` };
}

/** Takes the next delivery, so that no other server on this shop sends it too. */
export function takeDelivery(shop: Shop): { id: string; body: string; signature: string } | null {
  const event = nextDelivery(shop);
  const delivery = event && shop.state.deliveries[event.id];
  if (!event || !delivery) return null;
  delivery.due = shop.now + taken;
  return { id: event.id, ...signed(shop, event) };
}

/** Notes how it went: 2xx is the end of it, anything else comes again. */
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
  if (delivery.due - delivery.first > patience) delete state.deliveries[id];
}

/** Stripe shows events for 30 days, and keeps what was answered to a key for one. */
export function forget({ state, now }: Shop): void {
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
