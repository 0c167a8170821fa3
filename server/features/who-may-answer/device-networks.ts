import { minute } from '@porchlight/contract/time.ts';
import type { Db, Trx } from '../../db/open.ts';
import { networkOf } from '../../http/caller-of.ts';
import { after, type Clock } from '../../lib/clock.ts';
import type { Sealer } from '../../secrets/seal.ts';

/** In milliseconds: a device's call makes its network near for this time (P10.2). */
const near_life = 24 * 60 * minute;
/** In milliseconds: at most one write per device and network in this time. */
const write_interval = 60 * minute;
/** Remembered recent writes. Beyond this number the oldest are forgotten, which costs a query each. */
const remembered_max = 100_000;

/**
 * The networks from which devices call: an answer from the same network may come from the computer itself (P10.2). Networks are stored
 * only as keyed hashes, to protect users' locations. A private address is of the network that the server is in as well, as at home (P18.3); a
 * loopback address identifies no network and is never near.
 */
export function deviceNetworkStore(db: Db, clock: Clock, sealer: Pick<Sealer, 'mac'>) {
  const networkHash = (network: string) => Buffer.from(sealer.mac('device-network', network), 'base64url');
  /** Times of recent writes, oldest first, by device and network. */
  const recentWrites = new Map<string, number>();

  const forgetOldWrites = (now: number) => {
    for (const [key, time] of recentWrites) {
      if (recentWrites.size <= remembered_max && now - time < write_interval) return;
      recentWrites.delete(key);
    }
  };

  /** Writes nothing for a removed device, or if another server has written recently. */
  const write = (device: string, network: string, now: Date) =>
    db
      .insertInto('device_networks')
      .columns(['device', 'network_hash', 'seen'])
      .expression((q) =>
        q
          .selectFrom('devices')
          .select(({ val, cast }) => [
            'uuid',
            cast<Buffer>(val(networkHash(network)), 'bytea').as('network_hash'),
            cast<Date>(val(now), 'timestamptz').as('seen'),
          ])
          .where('uuid', '=', device)
          .where((eb) =>
            eb.not(
              eb.exists(
                eb
                  .selectFrom('device_networks')
                  .select('seen')
                  .where('device', '=', device)
                  .where('network_hash', '=', networkHash(network))
                  .where('seen', '>', after(now, -write_interval)),
              ),
            ),
          )
          .forKeyShare(),
      )
      .onConflict((oc) => oc.columns(['device', 'network_hash']).doUpdateSet({ seen: now }))
      .execute();

  return {
    /** Null for an address that identifies no network. */
    networkHash(caller: string): Buffer | null {
      const network = networkOf(caller);
      return network === null ? null : networkHash(network);
    },

    network_interval: write_interval,

    /** Notes an authenticated call of a device. `caller`: from `callerOf`. */
    async noteNetwork(device: string, caller: string): Promise<void> {
      const network = networkOf(caller);
      if (network === null) return;
      const now = clock.now();
      const key = `${device} ${network}`;
      const lastWrite = recentWrites.get(key);
      if (lastWrite !== undefined && now.getTime() - lastWrite < write_interval) return;
      // Remembered before the write, so that simultaneous calls write once. Deleted first, so that the key becomes the newest.
      recentWrites.delete(key);
      recentWrites.set(key, now.getTime());
      forgetOldWrites(now.getTime());
      try {
        await write(device, network, now);
      } catch (err) {
        recentWrites.delete(key);
        throw err;
      }
    },

    /**
     * The account's devices (uuids) that called from this caller's network within 24 hours. `caller`: from `callerOf`. A call without a write
     * is up to `write_interval` later than the stored time, so stored times count for that much longer.
     */
    async isNear(account: string, caller: string, connection: Db | Trx = db): Promise<string[]> {
      const network = networkOf(caller);
      if (network === null) return [];
      const rows = await connection
        .selectFrom('device_networks')
        .innerJoin('devices', 'devices.uuid', 'device_networks.device')
        .select('devices.uuid')
        .where('devices.account', '=', account)
        .where('device_networks.network_hash', '=', networkHash(network))
        .where('device_networks.seen', '>', after(clock.now(), -near_life - write_interval))
        .orderBy('devices.uuid')
        .execute();
      return rows.map(({ uuid }) => uuid);
    },
  };
}
