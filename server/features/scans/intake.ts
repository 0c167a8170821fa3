import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { AgentScan } from '@porchlight/contract/scan.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { reportedTime } from '../../lib/reported-time.ts';
import type { Notify } from '../../ports.ts';
import { scanStore } from './store.ts';

export interface ScanDeps {
  db: Db;
  clock: Clock;
  lockDevice(
    trx: Trx,
    uuid: string,
  ): Promise<{ account: string; name: string; info: AgentInfo | null; installed: Date | null; person: Person | null } | undefined>;
  notify: Notify;
}

/** Stores a scan once and queues its notifications in the same transaction (P5.4). */
export function scanIntake({ db, clock, lockDevice, notify }: ScanDeps): (device: string, scan: AgentScan) => Promise<void> {
  const store = scanStore(clock);
  return (uuid, scan) =>
    db.transaction().execute(async (trx) => {
      const device = await lockDevice(trx, uuid);
      if (!device) return;
      const time = reportedTime(scan.time, device.installed, clock.now());
      if (!(await store.insert(trx, uuid, scan, time))) return;
      const time_zone = device.info?.time_zone ?? 'UTC';
      const facts = { uuid: scan.uuid, device_uuid: uuid, items: scan.items, device: device.name, person: device.person, time, time_zone };
      await notify(trx, device.account, { kind: 'scan', facts });
    });
}
