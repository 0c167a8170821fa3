import { setTimeout as sleep } from 'node:timers/promises';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { repeat } from '../../../lib/repeat.ts';
import type { PollBackend } from './poll-backend.ts';

export interface Presence {
  /** A poll has begun: from the first one on the devices are noted. */
  began(): void;
  /** Whether the device was in the last statement. */
  isSteady(device: string): boolean;
  /** The device's call has ended. It counts as connected for some seconds, in which it usually calls again. */
  ended(device: string): void;
  /** Writes now, which happens once a minute. */
  write(): Promise<void>;
  close(): Promise<void>;
}

interface PresenceDeps {
  /** The devices whose calls wait now. */
  waiting: () => Iterable<string>;
  present: PollBackend['present'];
  now: () => number;
  log: { error(o: object, m: string): void };
}

/** In milliseconds. */
const return_within = 5_000;
/** A device that was being changed is tried again this often, this many milliseconds later. */
const attempts = 3;
const retry_after = 500;

/** Notes once a minute that the devices that wait are connected, in one statement (P14.5). */
export function presenceOf({ waiting, present, now, log }: PresenceDeps): Presence {
  let last = new Set<string>();
  const recentlyEnded = new Map<string, number>();
  const closing = new AbortController();

  const connected = () => {
    const devices = new Set(waiting());
    for (const [device, time] of recentlyEnded) if (now() - time <= return_within) devices.add(device);
    recentlyEnded.clear();
    return devices;
  };
  const note = async (devices: string[]) => {
    let missing = devices;
    for (let attempt = 1; missing.length > 0 && attempt <= attempts; attempt += 1) {
      if (attempt > 1) await sleep(retry_after, undefined, { signal: closing.signal }).catch(() => {});
      missing = await present(missing);
    }
    return missing;
  };
  const write = async () => {
    const devices = connected();
    last = new Set();
    const missing = await note([...devices]);
    for (const device of missing) devices.delete(device);
    last = devices;
  };
  const newTimer = () =>
    repeat(serverLimits.presence_interval, write, (err) => log.error({ err }, 'which devices are connected could not be stored'));

  let minutely: ReturnType<typeof repeat> | null = null;

  return {
    began: () => void (minutely ??= newTimer()),
    isSteady: (device) => last.has(device),
    ended: (device) => void recentlyEnded.set(device, now()),
    write,
    async close() {
      closing.abort();
      await minutely?.close();
    },
  };
}
