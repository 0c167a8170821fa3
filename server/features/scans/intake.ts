import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { AgentScan } from '@porchlight/contract/scan.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import type { WrittenLetter } from '../../lib/email.ts';
import { reportedTime } from '../../lib/reported-time.ts';
import { guardianScanLetter, guardianScanText, holderScanLetter, holderScanText } from '../../notifications/render/scan.ts';
import { scanStore } from './store.ts';

interface Words {
  letter: WrittenLetter;
  text: string;
}

export interface ScanDeps {
  db: Db;
  clock: Clock;
  dashboard_url: string;
  lockDevice(
    trx: Trx,
    uuid: string,
  ): Promise<{ account: string; name: string; info: AgentInfo | null; installed: Date | null; person: Person | null } | undefined>;
  /** The holder and every active guardian, by mail and by text. */
  tell(
    trx: Trx,
    account: string,
    news: {
      kind: 'scan';
      about: string;
      toHolder: () => Words;
      toGuardian: (guardian: { holder_name: string; link: string }) => Words;
    },
  ): Promise<void>;
}

/** Stores what a look at a device found and queues one mail to each person, in the same transaction (P5.4); a report may come as often as it likes. */
export function scanIntake({ db, clock, dashboard_url, lockDevice, tell }: ScanDeps): (device: string, scan: AgentScan) => Promise<void> {
  const store = scanStore(clock);
  return (uuid, scan) =>
    db.transaction().execute(async (trx) => {
      const device = await lockDevice(trx, uuid);
      if (!device) return;
      const time = reportedTime(scan.time, device.installed, clock.now());
      if (!(await store.insert(trx, uuid, scan, time))) return;
      const facts = { items: scan.items, device: device.name, person: device.person, time, time_zone: device.info?.time_zone ?? 'UTC' };
      const url = `${dashboard_url}/devices/${uuid}`;
      await tell(trx, device.account, {
        kind: 'scan',
        // Made on the device: another one could have made the same.
        about: `${uuid}/${scan.uuid}`,
        toHolder: () => ({ letter: holderScanLetter(facts, url), text: holderScanText(facts, url) }),
        toGuardian: ({ holder_name, link }) => ({
          letter: guardianScanLetter(facts, holder_name, link),
          text: guardianScanText(facts, holder_name, link),
        }),
      });
    });
}
