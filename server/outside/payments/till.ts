import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import type { StripeSettings } from './payments.ts';
import { keepAddress, lockTill } from './till/address.ts';
import { retireCoupons } from './till/coupons.ts';
import { forget, nextDelivery, noteDelivery, signed } from './till/delivery.ts';
import { answerCall } from './till/door.ts';
import { advance } from './till/life.ts';
import type { Shop } from './till/shop.ts';
import { openState } from './till/state.ts';

export interface TillOptions {
  /** Where everything it knows is kept, across restarts. */
  folder: string;
  clock: Clock;
  /** Where its pages are, without a slash at the end: `http://localhost:4380/dev/payments`. */
  pages_url: string;
  /** Carries a signed event to the webhook and answers the status. Anything but a 2xx is sent again later. */
  send(body: string, signature: string): Promise<number>;
  /** For a moment and for its opener only: nobody else finds it, it waits for nobody, and it delivers nothing. */
  alone?: boolean;
}

/** Another process has the folder. */
export class TillInUse extends Error {}

/** The stand-in for Stripe: a shop in which nothing is charged. */
export interface Till {
  /** For `stripePayments`. */
  settings: StripeSettings;
  /**
   * Lets happen what is due by the clock, and sends what is due: new events in the order they happened, and those again that were
   * refused. Ends when each was answered. It also runs on its own after every call that changed something (which does not wait for it: the
   * caller may be what answers the events) and before every page of the shop answers a button (which does, as Stripe's checkout does).
   */
  deliver(): Promise<void>;
  /** While held, nothing is sent, not even by `deliver`: for what happens when events are late or lost. */
  hold(held: boolean): void;
  /** While down, every connection is cut. */
  down(is: boolean): void;
  /** The calls that were let in, as `GET /v1/prices`, oldest first; the last thousand. */
  calls: string[];
  /** For its pages: does `work` at this moment of the clock, and resolves when that is on disk. What `work` throws has changed nothing else. */
  at<T>(work: (shop: Shop) => T): Promise<T>;
  close(): Promise<void>;
}

/** How long a command may have the folder before it is given up, in milliseconds. */
const patience = 15_000;

/** Opens the shop: Stripe's HTTP interface on a free loopback port. */
export async function openTill({ folder, clock, pages_url, send, alone = false }: TillOptions): Promise<Till> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockTill(folder, alone ? 0 : patience);
  if (!lock)
    throw new TillInUse(`Another Porchlight server has the test shop in ${folder}. Stop it first, or set DATA_DIR to another folder.`);
  const seconds = () => Math.floor(clock.now().getTime() / 1000);
  const { state, save } = await openState(folder, seconds());
  const shop: Shop = { state, now: seconds(), call: null, told: 0, held: alone, pages_url };
  const calls: string[] = [];
  let is_down = false;
  let closed = false;

  const at = async <T>(work: (shop: Shop) => T): Promise<T> => {
    const before = shop.told;
    advance(shop, seconds());
    retireCoupons(shop);
    forget(shop);
    try {
      return work(shop);
    } finally {
      shop.call = null;
      await save();
      if (shop.told !== before) setImmediate(() => void deliver());
    }
  };

  let turn: Promise<void> = Promise.resolve();
  const deliver = () => {
    turn = turn.then(async () => {
      if (closed) return;
      if (advance(shop, seconds())) await save();
      for (let event = nextDelivery(shop); event && !closed; event = nextDelivery(shop)) {
        const { body, signature } = signed(shop, event);
        const status = await send(body, signature).catch(() => 0);
        shop.now = seconds();
        noteDelivery(shop, event, status);
        await save();
      }
    });
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
  const settings = { secret_key: state.secret_key, webhook_secret: state.webhook_secret, api_base: `http://127.0.0.1:${port}` };
  const forgetAddress = alone ? async () => {} : await keepAddress(folder, settings);
  return {
    settings,
    deliver,
    hold(held) {
      shop.held = held;
    },
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
      await forgetAddress();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await save();
      await lock.release();
    },
  };
}
