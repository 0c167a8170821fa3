import { randomInt } from 'node:crypto';
import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Trx } from '../../db/open.ts';
import type { Handlers } from '../../http/bind.ts';
import { weakeningCall } from '../../http/weakening-call.ts';
import type { Kernel } from '../../kernel.ts';
import type { Sealer } from '../../secrets/seal.ts';
import { isTrivialPin } from './rules.ts';
import type { AccountStore } from './store.ts';

export interface PinRenewalDeps extends Pick<Kernel, 'events'> {
  store: AccountStore;
  sealer: Sealer;
}

/** Replaces the Admin PIN by another one, and returns it. */
export const pinRenewal =
  ({ store, sealer, events }: PinRenewalDeps) =>
  async (trx: Trx, account: string): Promise<string> => {
    const oldPin = sealer.open(await sealedPin(store, sealer)(trx, account));
    const pin = newPin(oldPin);
    await store.setPin(trx, account, sealer.seal(pin));
    await events.emit(trx, 'policy_changed', { account, device: null });
    return pin;
  };

type PinRoutes = Pick<Handlers<typeof accountEndpoints>, 'GET /web/bypasspassword' | 'POST /web/bypasspassword'>;

export interface PinDeps extends PinRenewalDeps, Pick<Kernel, 'limit' | 'weakening'> {}

export const sealedPin = (store: AccountStore, sealer: Sealer) => (trx: Trx, account: string) =>
  store.pin(trx, account, () => sealer.seal(newPin()));

/** The Admin PIN (P2.6). It is sealed, not hashed, because its owner can see it. */
export function pinRoutes({ store, sealer, limit, events, weakening }: PinDeps): PinRoutes {
  const pinOf = sealedPin(store, sealer);
  const renewPin = pinRenewal({ store, sealer, events });
  return {
    'GET /web/bypasspassword': (call) =>
      weakening(weakeningCall(call), async (trx, weaken) => {
        await weaken({ kind: 'pin_shown' });
        return { bypass_password: sealer.open(await pinOf(trx, call.account)) };
      }),

    'POST /web/bypasspassword': async (call) => {
      const { account } = call;
      await limit('pin-reset', account, { max: 20, per: 3_600_000 });
      return weakening(weakeningCall(call), async (trx, weaken) => {
        await weaken({ kind: 'pin_reset' });
        return { bypass_password: await renewPin(trx, account) };
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
