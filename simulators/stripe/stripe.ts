import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock, SharedDocument } from '../ports.ts';
import type { EventType } from './api-types.ts';
import { retireCoupons } from './coupons.ts';
import { deleteExpired, nextDelivery, noteDelivery, takeDelivery } from './delivery.ts';
import { answerCall } from './http.ts';
import { advance, isDue } from './lifecycle.ts';
import type { Shop } from './shop.ts';
import type { State } from './state.ts';

export interface StripeSimulatorOptions {
  /** The stored shop; several servers may share it. */
  document: SharedDocument<State>;
  clock: Clock;
  /** Address of the shop's pages, without a slash at the end: `http://localhost:4380/dev/payments`. */
  pages_url: string;
  /** Sends a signed event to the webhook and returns the status. Events without 2xx are retried later. */
  send(body: string, signature: string): Promise<number>;
  /** Delivers no events and runs nothing that is due: for short-lived programs. */
  alone?: boolean;
}

export interface StripeSimulator {
  /** `api_base`: without a slash at the end. */
  settings: { secret_key: string; webhook_secret: string; api_base: string };
  /**
   * Runs what is due and sends due events: new events in order, and retries. Resolves when each was answered. Also runs after every call
   * that changed something, without blocking it because the caller may be the webhook's server, and before a shop page answers a button, as
   * Stripe's checkout does.
   */
  deliver(): Promise<void>;
  /** While paused, not even `deliver` sends events: for tests with late or lost events. Resolves when no event is being sent. */
  pauseDelivery(paused: boolean): Promise<void>;
  /** Delivers only new events of these types, as a webhook with `enabled_events`; null: all types. */
  subscribeWebhook(types: EventType[] | null): void;
  down(is: boolean): void;
  /** Authenticated calls, as `GET /v1/prices`, oldest first; the last thousand. */
  calls: string[];
  /** For the shop pages: runs `work` at the current time; resolves after the result is stored. An error in `work` changes nothing. */
  at<T>(work: (shop: Shop) => T): Promise<T>;
  close(): Promise<void>;
}

export async function openStripeSimulator({
  document,
  clock,
  pages_url,
  send,
  alone = false,
}: StripeSimulatorOptions): Promise<StripeSimulator> {
  const seconds = () => Math.floor(clock.now().getTime() / 1000);
  let enabledEvents: EventType[] | null = null;
  const delivers = (type: EventType) => enabledEvents?.includes(type) ?? true;
  const shopOf = (state: State): Shop => ({ state, now: seconds(), call: null, eventCount: 0, pages_url, delivers });
  const calls: string[] = [];
  let is_down = false;
  let isClosed = false;

  const at = async <T>(work: (shop: Shop) => T): Promise<T> => {
    let eventCount = 0;
    try {
      return await document.change((state) => {
        const shop = shopOf(state);
        if (!alone) {
          advance(shop, seconds());
          retireCoupons(shop);
          deleteExpired(shop);
        }
        try {
          return work(shop);
        } finally {
          eventCount = shop.eventCount;
        }
      });
    } finally {
      if (eventCount && !alone) setImmediate(() => void deliver());
    }
  };

  const hasWork = (state: State) => isDue(shopOf(state), seconds()) || nextDelivery(shopOf(state)) !== undefined;
  const claimNext = (state: State) => {
    const shop = shopOf(state);
    advance(shop, seconds());
    return takeDelivery(shop);
  };
  const deliverAll = async () => {
    while (!isClosed && !alone && (await document.read(hasWork))) {
      const event = await document.change(claimNext);
      if (!event) continue;
      const status = await send(event.body, event.signature).catch(() => 0);
      await document.change((state) => noteDelivery(shopOf(state), event.id, status));
    }
  };
  let turn: Promise<void> = Promise.resolve();
  const deliver = () => {
    // After a database failure the next run delivers what is due.
    turn = turn.then(deliverAll).catch(() => {});
    return turn;
  };

  const server = createServer((request, reply) => {
    if (is_down) return void request.socket.destroy();
    const deps = { at, logCall: (call: string) => void (calls.push(call) > 1000 && calls.shift()) };
    answerCall(deps, request, reply).catch(() => reply.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const { secret_key, webhook_secret } = await document.read((state) => state);
  return {
    settings: { secret_key, webhook_secret, api_base: `http://127.0.0.1:${port}` },
    deliver,
    async pauseDelivery(paused) {
      await document.change((state) => {
        state.held = paused;
      });
      await turn;
    },
    subscribeWebhook(types) {
      enabledEvents = types;
    },
    down(is) {
      is_down = is;
      if (is) server.closeAllConnections();
    },
    calls,
    at,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await turn;
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
