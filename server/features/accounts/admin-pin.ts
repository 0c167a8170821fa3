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
  pinChanged(trx: Trx, account: string): Promise<void>;
  weaken: WeakeningGate;
}

export const sealedPin = (store: AccountStore, sealer: Sealer) => (trx: Trx, account: string) =>
  store.pin(trx, account, () => sealer.seal(newPin()));

/** The Admin PIN (P2.6). It is sealed, not hashed, because its owner can see it. */
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
        const oldPin = sealer.open(await pinOf(trx, account));
        const pin = newPin(oldPin);
        await store.setPin(trx, account, sealer.seal(pin));
        await pinChanged(trx, account);
        return { bypass_password: pin };
      });
    },
  };
}

function newPin(excludedPin?: string): string {
  for (;;) {
    const pin = String(randomInt(10 ** serverLimits.pin_digits)).padStart(serverLimits.pin_digits, '0');
    if (!isTrivialPin(pin) && pin !== excludedPin) return pin;
  }
}
