import type { Kernel } from '../../kernel.ts';
import { outageStore } from './outage-store.ts';
import { deviceOutages, type OutageDeps } from './outages.ts';
import { extendUptime } from './uptime.ts';
import { deviceWatch } from './watch.ts';
import { harmlessKinds, watchStore } from './watch-store.ts';

type DeviceHealthAsks = Pick<OutageDeps, 'emergency' | 'requestedAlert' | 'helpEnded'>;

/** Whether computers are online and protected, and what is sent when they are not. */
export function deviceHealthFeature(
  kernel: Pick<Kernel, 'db' | 'clock' | 'log' | 'weaken' | 'limit' | 'enqueue' | 'notify' | 'forgetJobs'>,
  asks: DeviceHealthAsks,
) {
  const { db, clock } = kernel;
  const [outageRows, watchRows] = [outageStore(clock), watchStore(db, clock)];
  const outages = deviceOutages({ ...kernel, ...asks, store: outageRows, watched: watchRows });
  const watch = deviceWatch({ ...kernel, store: watchRows, outages: outageRows });
  return {
    ports: {
      health: { goodbye: outages.goodbye, events: outages.storeEvents, checkedIn: watch.checkedIn },
      watch: { ...watchRows, checkedIn: watch.checkedIn },
      harmlessKinds,
      noteRefused: watchRows.noteRefused,
      deleteOldOutages: watch.forget,
      noteUptime: (trx: Parameters<typeof extendUptime>[0]) => extendUptime(trx, clock.now()),
      notifyOutages: outages.notifyAll,
    },
    jobs: { ...outages.handlers, ...watch.handlers },
    queueNext: watch.queueNext,
  };
}
