import type { EmergencyStop, NetworkIsolation } from '@porchlight/contract/emergency-stops.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';

export type EmergencyStore = ReturnType<typeof emergencyStore>;

/** Emergency stops and network isolations (P9.5, P10.6). */
export function emergencyStore(db: Db, clock: Clock) {
  return {
    /** The stop in force at a device, its own or of the whole account. Of several, the longest. */
    async stopAt(account: string, device: string, connection: Db | Trx = db): Promise<EmergencyStop | null> {
      const row = await connection
        .selectFrom('emergency_stops')
        .select(['uuid', 'name', 'time', 'until'])
        .where('account', '=', account)
        .where((q) => q.or([q('device', '=', device), q('device', 'is', null)]))
        .where('ended', 'is', null)
        .where('until', '>', clock.now())
        .orderBy('until', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ? { uuid: row.uuid, by: row.name, since: row.time.toISOString(), until: row.until.toISOString() } : null;
    },

    /** The isolation in force at a device. */
    async isolationAt(device: string, connection: Db | Trx = db): Promise<NetworkIsolation | null> {
      const row = await connection
        .selectFrom('network_isolations')
        .select(['uuid', 'name', 'until', 'may_end'])
        .where('device', '=', device)
        .where('ended', 'is', null)
        .where('until', '>', clock.now())
        .orderBy('until', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row ? { uuid: row.uuid, by: row.name, until: row.until.toISOString(), may_end: row.may_end } : null;
    },
  };
}
