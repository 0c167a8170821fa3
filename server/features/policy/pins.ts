import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { PinHash } from '@porchlight/contract/shapes.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../db/open.ts';
import type { PolicyPart } from '../../ports.ts';
import type { Sealer } from '../../secrets/seal.ts';

/** A hash takes 32 MiB and about 80 ms, so a million PINs take a day on one core. Readers of the hash can stop the agent anyway. */
const cost = { n: 32_768, r: 8, p: 1 };
const hashBytes = 32;

export interface PinHashDeps {
  db: Db;
  sealer: Pick<Sealer, 'open'>;
  sealedPinOf(trx: Trx, account: string): Promise<string>;
}

/** Devices check the Admin PIN with a hash (P2.6): one per device and PIN, with its own salt. */
export function pinHashes({ db, sealer, sealedPinOf }: PinHashDeps) {
  /** PINs are hashed one at a time, to leave threads for other work. */
  let lastWork: Promise<unknown> = Promise.resolve();
  const oneAtATime = <T>(hashing: () => Promise<T>): Promise<T> => {
    const ownWork = lastWork.catch(() => {}).then(hashing);
    lastWork = ownWork;
    return ownWork;
  };

  const make = async (account: string, device: string): Promise<PinHash> => {
    const sealed_pin = await db.transaction().execute((trx) => sealedPinOf(trx, account));
    const hash = await oneAtATime(() => hashOf(sealer.open(sealed_pin)));
    // Simultaneous calls may each create a hash; the newest stays, and each is valid.
    await db
      .insertInto('device_pins')
      .columns(['device', 'sealed_pin', 'hash'])
      .expression((q) =>
        q
          .selectFrom('devices')
          .select(({ val }) => ['uuid', val(sealed_pin).as('sealed_pin'), val(JSON.stringify(hash)).as('hash')])
          .where('uuid', '=', device)
          .forKeyShare(),
      )
      .onConflict((oc) => oc.column('device').doUpdateSet({ sealed_pin, hash: JSON.stringify(hash) }))
      .execute();
    return hash;
  };

  return {
    /** Compares a PIN in constant time; the caller counts attempts. */
    async isRight(account: string, typed: string): Promise<boolean> {
      const pin = Buffer.from(sealer.open(await db.transaction().execute((trx) => sealedPinOf(trx, account))));
      const typedPin = Buffer.from(typed.replace(/[\s-]/g, ''));
      return typedPin.length === pin.length && timingSafeEqual(typedPin, pin);
    },

    inPolicy: {
      found: sql`(
        select p.hash from device_pins p join accounts a on a.uuid = d.account and a.sealed_pin = p.sealed_pin where p.device = d.uuid)`,
      read: (found, { account, device }) => found ?? make(account, device),
    } satisfies PolicyPart<PinHash, PinHash | null>,
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
