import type { AgentScan } from '@porchlight/contract/scan.ts';
import type { Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

export function scanStore(clock: Clock) {
  return {
    async insert(trx: Trx, device: string, { uuid, items }: AgentScan, time: Date): Promise<boolean> {
      const row = await trx
        .insertInto('scans')
        .values({ uuid, device, time, received: clock.now(), items: JSON.stringify(items) })
        .onConflict((c) => c.columns(['device', 'uuid']).doNothing())
        .returning('uuid')
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
