import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock, SharedDocument } from '../ports.ts';
import { retireCoupons } from './coupons.ts';
import { forget, nextDelivery, noteDelivery, takeDelivery } from './delivery.ts';
import { answerCall } from './http.ts';
import { advance, isDue } from './lifecycle.ts';
import type { Shop } from './shop.ts';
import type { State } from './state.ts';

export interface StripeSimulatorOptions {
  /** Everything it knows. Any number of servers may have the same shop open. */
  kept: SharedDocument<State>;
  clock: Clock;
  /** Where its pages are, without a slash at the end: `http://localhost:4380/dev/payments`. */
  pages_url: string;
  /** Carries a signed event to the webhook and answers the status. Anything but a 2xx is sent again later. */
  send(body: string, signature: string): Promise<number>;
  /** For a moment and for its opener only: it delivers nothing, and lets nothing happen that time alone brings. */
  alone?: boolean;
}

/** The stand-in for Stripe: a shop in which nothing is charged. */
export interface StripeSimulator {
  /** How it is reached: its keys, and its address without a slash at the end. */
  settings: { secret_key: string; webhook_secret: string; api_base: string };
  /**
   * Lets happen what is due by the clock, and sends what is due: new events in the order they happened, and those again that were
   * refused. Ends when each was answered. It also runs on its own after every call that changed something (which does not wait for it: the
   * caller may be what answers the events) and before every page of the shop answers a button (which does, as Stripe's checkout does).
   */
  deliver(): Promise<void>;
  /** While held, nothing is sent, not even by `deliver`: for what happens when events are late or lost. What is done later finds it so. */
  hold(held: boolean): Promise<void>;
  /** While down, every connection is cut. */
  down(is: boolean): void;
  /** The calls that were let in, as `GET /v1/prices`, oldest first; the last thousand. */
  calls: string[];
  /** For its pages: does `work` at this moment of the clock, and resolves when that is stored. What `work` throws has changed nothing else. */
  at<T>(work: (shop: Shop) => T): Promise<T>;
  close(): Promise<void>;
}

/** Opens the shop: Stripe's HTTP interface on a free loopback port. */
export async function openStripeSimulator({
  kept,
  clock,
  pages_url,
  send,
  alone = false,
}: StripeSimulatorOptions): Promise<StripeSimulator> {
  const seconds = () => Math.floor(clock.now().getTime() / 1000);
  const shopOf = (state: State): Shop => ({ state, now: seconds(), call: null, told: 0, pages_url });
  const calls: string[] = [];
  let is_down = false;
  let closed = false;

  const at = async <T>(work: (shop: Shop) => T): Promise<T> => {
    let told = 0;
    try {
      return await kept.change((state) => {
        const shop = shopOf(state);
        if (!alone) {
          advance(shop, seconds());
          retireCoupons(shop);
          forget(shop);
        }
        try {
          return work(shop);
        } finally {
          told = shop.told;
        }
      });
    } finally {
      if (told && !alone) setImmediate(() => void deliver());
    }
  };

  const waits = (state: State) => isDue(shopOf(state), seconds()) || nextDelivery(shopOf(state)) !== undefined;
  const next = (state: State) => {
    const shop = shopOf(state);
    advance(shop, seconds());
    return takeDelivery(shop);
  };
  const deliverAll = async () => {
    while (!closed && !alone && (await kept.read(waits))) {
      const event = await kept.change(next);
      if (!event) continue;
      const status = await send(event.body, event.signature).catch(() => 0);
      await kept.change((state) => noteDelivery(shopOf(state), event.id, status));
    }
  };
  let turn: Promise<void> = Promise.resolve();
  const deliver = () => {
    // While the database is away nothing can be delivered; what is due waits there.
    turn = turn.then(deliverAll).catch(() => {});
    return turn;
  };

  const server = createServer((request, reply) => {
    if (is_down) return void request.socket.destroy();
    const parts = { at, noted: (call: string) => void (calls.push(call) > 1000 && calls.shift()) };
    answerCall(parts, request, reply).catch(() => reply.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const { secret_key, webhook_secret } = await kept.read((state) => state);
  return {
    settings: { secret_key, webhook_secret, api_base: `http://127.0.0.1:${port}` },
    deliver,
    hold: (held) =>
      kept.change((state) => {
        state.held = held;
      }),
    down(is) {
      is_down = is;
      if (is) server.closeAllConnections();
    },
    calls,
    at,
    async close() {
      if (closed) return;
      closed = true;
      await turn;
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
