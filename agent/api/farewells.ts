import { randomUUID } from 'node:crypto';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import { beginSpan, type ClockReading, leftOf, seenSpan } from '../lib/span.ts';
import type { Farewell, Identity, Store } from '../state/store.ts';
import { backOff } from './back-off.ts';
import { type Call, isTransient, Refused } from './call.ts';
import { wakeableWait } from './wakeable-wait.ts';

export interface FarewellDeps {
  store: Pick<Store, 'farewells' | 'setFarewells'>;
  call: Call;
  now: () => Date;
  readClock: () => ClockReading;
  random: () => number;
  device: () => string | null;
}

export interface Farewells {
  add(identity: Identity, kind: 'moved' | 'undone' | 'left'): Promise<void>;
  /** Drops unsent farewells of a device that this computer has become again. */
  drop(device: string): Promise<void>;
  send(): void;
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;
const lastRetry = 5 * 60_000;
/** A refused farewell is retried for this time: a proxy may have dropped the token, or the server may have been restored from a backup. */
const REFUSED_FOR_MS = 24 * 60 * 60_000;

/** Sends the last report of a computer to its former account, with the former token. */
export function farewells({ store, call, now, readClock, random, device }: FarewellDeps): Farewells {
  const stopController = new AbortController();
  const retryWait = wakeableWait();
  let lastChange: Promise<unknown> = Promise.resolve();
  const change = (update: (all: Farewell[]) => Farewell[]): Promise<void> => {
    const turn = lastChange.catch(() => {}).then(async () => store.setFarewells(update(await store.farewells())));
    lastChange = turn;
    return turn;
  };
  const removeFarewell = (uuid: string) => change((queued) => queued.filter(({ event }) => event.uuid !== uuid));
  /** Only the refusal `device_removed` of our server is final at once. */
  const isPermanentlyRefused = async (err: unknown, { event, refused }: Farewell): Promise<boolean> => {
    if (err instanceof Refused && err.code === 'device_removed') return true;
    const reading = readClock();
    const span = refused ? seenSpan(refused, reading, 'latest') : beginSpan(reading, REFUSED_FOR_MS);
    if (leftOf(span, reading, 'latest') === 0) return true;
    await change((queued) => queued.map((one) => (one.event.uuid === event.uuid ? { ...one, refused: span } : one)));
    return false;
  };
  const sendAll = async () => {
    let postponedError: unknown;
    for (const farewell of await store.farewells()) {
      const { identity, event } = farewell;
      if (identity.device.uuid === device()) continue;
      const signal = AbortSignal.any([stopController.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      try {
        await call('POST /agent/events', { body: { events: [event] } }, { token: identity.agent_token, signal });
      } catch (err) {
        if (stopController.signal.aborted || isTransient(err)) throw err;
        if (!(await isPermanentlyRefused(err, farewell))) {
          postponedError = err;
          continue;
        }
        // The device no longer exists, so nobody can receive its farewell.
      }
      await removeFarewell(event.uuid);
    }
    if (postponedError !== undefined) throw postponedError;
  };
  const loop = async () => {
    const wait = backOff(random, 1000, lastRetry);
    while (!stopController.signal.aborted) {
      try {
        await sendAll();
        wait.reset();
        await retryWait.wait(null);
      } catch {
        if (!stopController.signal.aborted) await retryWait.wait(wait.failed());
      }
    }
  };
  const looping = loop();
  return {
    add(identity, kind) {
      const event: AgentEvent = { uuid: randomUUID(), time: now().toISOString(), reported: { kind } };
      const isSame = (one: Farewell) => one.identity.device.uuid === identity.device.uuid && one.event.reported.kind === kind;
      return change((queued) => [...queued.filter((one) => !isSame(one)), { identity, event }]);
    },
    drop: (rejoinedDevice) => change((queued) => queued.filter(({ identity }) => identity.device.uuid !== rejoinedDevice)),
    send: retryWait.wake,
    close() {
      stopController.abort();
      retryWait.wake();
      return looping;
    },
  };
}
