import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { PinHash } from '@porchlight/contract/shapes.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Sealer } from '../../lib/seal.ts';

/** 32 MiB and about 80 ms: a million PINs take a day of one core, and who can read the hash can end the agent anyway. */
const cost = { n: 32_768, r: 8, p: 1 };
const hashBytes = 32;

export interface PinHashDeps {
  db: Db;
  sealer: Pick<Sealer, 'open'>;
  /** The Admin PIN of an account, sealed; made when there is none yet. */
  sealedPinOf(trx: Trx, account: string): Promise<string>;
}

/** What a device checks the Admin PIN against (P2.6): made once for each device and PIN, with a salt of its own. */
export function pinHashes({ db, sealer, sealedPinOf }: PinHashDeps) {
  /** One at a time: many devices that come at once leave the threads to others. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.catch(() => {}).then(work);
    last = mine;
    return mine;
  };

  return {
    /** Is this the PIN of the account? Nothing is counted here. */
    async isRight(account: string, typed: string): Promise<boolean> {
      const pin = Buffer.from(sealer.open(await db.transaction().execute((trx) => sealedPinOf(trx, account))));
      const given = Buffer.from(typed.replace(/[\s-]/g, ''));
      return given.length === pin.length && timingSafeEqual(given, pin);
    },

    async of(account: string, device: string): Promise<PinHash> {
      const sealed_pin = await db.transaction().execute((trx) => sealedPinOf(trx, account));
      const known = async () =>
        (
          await db
            .selectFrom('device_pins')
            .select('hash')
            .where('device', '=', device)
            .where('sealed_pin', '=', sealed_pin)
            .executeTakeFirst()
        )?.hash;
      const before = await known();
      if (before) return before;
      const hash = JSON.stringify(await inTurn(() => hashOf(sealer.open(sealed_pin))));
      // Two calls of one device may both have made one: the last one stays, and any of the two is right.
      await db
        .insertInto('device_pins')
        .columns(['device', 'sealed_pin', 'hash'])
        .expression((q) =>
          q
            .selectFrom('devices')
            .select(({ val }) => ['uuid', val(sealed_pin).as('sealed_pin'), val(hash).as('hash')])
            .where('uuid', '=', device)
            // A removal that is under way is waited for.
            .forKeyShare(),
        )
        .onConflict((oc) => oc.column('device').doUpdateSet({ sealed_pin, hash }))
        .execute();
      return (await known()) ?? (JSON.parse(hash) as PinHash);
    },
  };
}

function hashOf(pin: string): Promise<PinHash> {
  const salt = randomBytes(16);
  const { n: N, r, p } = cost;
  return new Promise((resolve, reject) => {
    scrypt(pin, salt, hashBytes, { N, r, p, maxmem: 256 * N * r }, (err, hash) =>
      err ? reject(err) : resolve({ salt: salt.toString('base64url'), hash: hash.toString('base64url'), ...cost }),
    );
  });
}
