import { randomUUID } from 'node:crypto';
import type { News } from '@porchlight/contract/news.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { Farewell, Identity, Store } from '../state/store.ts';
import { backOff } from './back-off.ts';
import { type Call, mayPass, Refused } from './call.ts';
import { pause } from './wakeable-wait.ts';

export interface FarewellDeps {
  store: Pick<Store, 'farewells' | 'setFarewells'>;
  call: Call;
  now: () => Date;
  readClock: () => ClockReading;
  random: () => number;
  /** The current device: no farewell is sent for it. */
  device: () => string | null;
}

export interface Farewells {
  /** Persists the farewell of this device, for when the computer is no longer it. */
  add(identity: Identity, kind: 'moved' | 'undone' | 'left'): Promise<void>;
  /** This computer is that device again: an unsent farewell is no longer true. */
  drop(device: string): Promise<void>;
  /** Sends the farewells until the server has them. */
  send(): void;
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
const lastRetry = 5 * 60_000;
/** For so long a refusal may pass: a proxy may have dropped the token, or the server may have been restored to an older state. */
const refusedFor = 24 * 60 * 60_000;

/** The last report of a computer to its former account, by its former token; persisted until the server has it. */
export function farewells({ store, call, now, readClock, random, device }: FarewellDeps): Farewells {
  const stop = new AbortController();
  const waiting = pause();
  let last: Promise<unknown> = Promise.resolve();
  const change = (how: (all: Farewell[]) => Farewell[]): Promise<void> => {
    const mine = last.catch(() => {}).then(async () => store.setFarewells(how(await store.farewells())));
    last = mine;
    return mine;
  };
  const without = (uuid: string) => change((all) => all.filter(({ news }) => news.uuid !== uuid));
  /** True after refusals for too long. Only our server's answer that the device was removed is final. */
  const isRefusedForGood = async (err: unknown, { news, refused }: Farewell): Promise<boolean> => {
    if (err instanceof Refused && err.code === 'device_removed') return true;
    const at = readClock();
    const span = refused ? seenSpan(refused, at, 'latest') : beginSpan(at, refusedFor);
    if (leftOf(span, at, 'latest') === 0) return true;
    await change((all) => all.map((one) => (one.news.uuid === news.uuid ? { ...one, refused: span } : one)));
    return false;
  };
  /** Throws when a farewell may get through later. */
  const sendAll = async () => {
    let later: unknown;
    for (const farewell of await store.farewells()) {
      const { identity, news } = farewell;
      if (identity.device.uuid === device()) continue;
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      try {
        await call('POST /agent/news', { body: { news: [news] } }, { token: identity.agent_token, signal });
      } catch (err) {
        if (stop.signal.aborted || mayPass(err)) throw err;
        // A refused farewell does not block another account's.
        if (!(await isRefusedForGood(err, farewell))) {
          later = err;
          continue;
        }
        // The device is gone, and with it whoever the farewell was for.
      }
      await without(news.uuid);
    }
    if (later !== undefined) throw later;
  };
  const loop = async () => {
    const wait = backOff(random, 1000, lastRetry);
    while (!stop.signal.aborted) {
      try {
        await sendAll();
        wait.reset();
        await waiting.wait(null);
      } catch {
        if (!stop.signal.aborted) await waiting.wait(wait.failed());
      }
    }
  };
  const looping = loop();
  return {
    add(identity, kind) {
      const news: News = { uuid: randomUUID(), time: now().toISOString(), said: { kind } };
      const same = (one: Farewell) => one.identity.device.uuid === identity.device.uuid && one.news.said.kind === kind;
      return change((all) => [...all.filter((one) => !same(one)), { identity, news }]);
    },
    drop: (gone) => change((all) => all.filter(({ identity }) => identity.device.uuid !== gone)),
    send: waiting.wake,
    close() {
      stop.abort();
      waiting.wake();
      return looping;
    },
  };
}
