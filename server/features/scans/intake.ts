import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { AgentScan } from '@porchlight/contract/scan.ts';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { reportedTime } from '../../texts/reported-time.ts';

export interface ScanDeps extends Pick<Kernel, 'db' | 'clock' | 'notify'> {
  lockDevice(
    trx: Trx,
    uuid: string,
  ): Promise<{ account: string; name: string; info: AgentInfo | null; installed: Date | null; person: Person | null } | undefined>;
}

/** Stores a scan; false if it was stored before. */
async function insertScan(trx: Trx, device: string, { uuid, items }: AgentScan, time: Date, received: Date): Promise<boolean> {
  const row = await trx
    .insertInto('scans')
    .values({ uuid, device, time, received, items: JSON.stringify(items) })
    .onConflict((c) => c.columns(['device', 'uuid']).doNothing())
    .returning('uuid')
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores a scan once and queues its notifications in the same transaction (P5.4). */
export function scanIntake({ db, clock, lockDevice, notify }: ScanDeps): (device: string, scan: AgentScan) => Promise<void> {
  return (uuid, scan) =>
    db.transaction().execute(async (trx) => {
      const device = await lockDevice(trx, uuid);
      if (!device) return;
      const time = reportedTime(scan.time, device.installed, clock.now());
      if (!(await insertScan(trx, uuid, scan, time, clock.now()))) return;
      const time_zone = device.info?.time_zone ?? 'UTC';
      const facts = { uuid: scan.uuid, device_uuid: uuid, items: scan.items, device: device.name, person: device.person, time, time_zone };
      await notify(trx, device.account, { kind: 'scan', facts });
    });
}
