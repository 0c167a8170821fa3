import { notYetWords } from '@porchlight/contract/words/may-answer.ts';
import type { SuspensionLookup } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import type { DeviceWords } from '../../ports.ts';
import { timeWithDay } from '../../texts/formatting.ts';
import type { EmergencyStore } from './store.ts';

interface SuspensionDeps extends Pick<Kernel, 'db' | 'clock'> {
  store: Pick<EmergencyStore, 'stopsOf' | 'strictUntil'>;
  deviceWords: DeviceWords;
}

/** Allow lists and appointments are suspended by a stop (P10.6), and on the first day after a change of owner (P10.8). The longer one counts. */
export const suspensions =
  ({ db, clock, store, deviceWords }: SuspensionDeps): SuspensionLookup =>
  async (account, device, connection = db) => {
    const stop = (await store.stopsOf(account, connection)).find((one) => one.device === null || one.device === device);
    const strict = await store.strictUntil(account, device, connection);
    const [reason, from] =
      strict && (!stop || strict > stop.until) ? (['first_day', strict] as const) : (['stopped', stop?.until] as const);
    if (!from) return null;
    const { time_zone } = await deviceWords(connection, account, device);
    const why = notYetWords(reason, `at ${timeWithDay(from, clock.now(), time_zone)}`);
    return { may: 'no', reason, from: from.toISOString(), why };
  };
