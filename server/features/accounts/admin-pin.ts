import { randomInt } from 'node:crypto';
import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Handlers } from '../../lib/bind.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import type { Sealer } from '../../lib/seal.ts';
import type { WeakeningGate } from '../../ports.ts';
import { isTrivialPin } from './rules.ts';
import type { AccountStore } from './store.ts';

type PinRoutes = Pick<Handlers<typeof accountEndpoints>, 'GET /web/bypasspassword' | 'POST /web/bypasspassword'>;

export interface PinDeps {
  db: Db;
  store: AccountStore;
  sealer: Sealer;
  limit: Limit;
  /** The PIN stands in the policy of every device. */
  pinChanged(trx: Trx, account: string): Promise<void>;
  /** The gate of everything that weakens protection: may it be done, and who is told of it. */
  weaken: WeakeningGate;
}

/** The sealed PIN of an account; made when there is none yet. */
export const sealedPin = (store: AccountStore, sealer: Sealer) => (trx: Trx, account: string) =>
  store.pin(trx, account, () => sealer.seal(newPin()));

/** The Admin PIN (P2.6). It is shown to its owner, so it is sealed and not hashed. */
export function pinRoutes({ db, store, sealer, limit, pinChanged, weaken }: PinDeps): PinRoutes {
  const pinOf = sealedPin(store, sealer);
  return {
    'GET /web/bypasspassword': ({ account }) =>
      db.transaction().execute(async (trx) => {
        await weaken(trx, account, { kind: 'pin_shown' });
        return { bypass_password: sealer.open(await pinOf(trx, account)) };
      }),

    'POST /web/bypasspassword': async ({ account }) => {
      await limit('pin-reset', account, { max: 20, per: 3_600_000 });
      return db.transaction().execute(async (trx) => {
        await weaken(trx, account, { kind: 'pin_reset' });
        const before = sealer.open(await pinOf(trx, account));
        const pin = newPin(before);
        await store.setPin(trx, account, sealer.seal(pin));
        await pinChanged(trx, account);
        return { bypass_password: pin };
      });
    },
  };
}

/** Random digits that nobody would try first, and not the ones there were. */
function newPin(not?: string): string {
  for (;;) {
    const pin = String(randomInt(10 ** serverLimits.pin_digits)).padStart(serverLimits.pin_digits, '0');
    if (!isTrivialPin(pin) && pin !== not) return pin;
  }
}
