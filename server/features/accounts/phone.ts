import { randomInt, timingSafeEqual } from 'node:crypto';
import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import { limits } from '@porchlight/contract/limits.ts';
import type { Db } from '../../db/open.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { Handlers } from '../../lib/bind.ts';
import type { Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import type { Sealer } from '../../lib/seal.ts';
import { newToken } from '../../lib/tokens.ts';
import { phoneCodeText } from './letters.ts';
import type { PhoneStore } from './phone-store.ts';
import type { AccountStore } from './store.ts';

type PhoneRoutes = Pick<Handlers<typeof accountEndpoints>, 'POST /web/send-phone-code' | 'POST /web/verify-phonenumber'>;

const day = 24 * 3_600_000;

export interface PhoneParts {
  db: Db;
  clock: Clock;
  store: AccountStore;
  phones: PhoneStore;
  sealer: Sealer;
  limit: Limit;
  enqueue: Enqueue;
}

/** Proving that a phone is at hand: six digits, 10 minutes, 5 tries, 60 s between sends (P2.5). */
export function phoneRoutes({ db, clock, store, phones, sealer, limit, enqueue }: PhoneParts): PhoneRoutes {
  // Six digits are soon tried through, so a plain hash of them would not hide them.
  const hashOf = (account: string, code: string) => Buffer.from(sealer.mac('phone-code', `${account}:${code}`), 'base64url');

  return {
    'POST /web/send-phone-code': async ({ account }) => {
      const { phone_number, phone_number_verified } = await store.byUuid(account);
      if (!phone_number) fail('phone_missing');
      if (phone_number_verified) return {};
      await limit('phone-code', account, { max: 1, per: limits.resend_wait });
      await limit('phone-target', phone_number, { max: 10, per: day });
      const code = String(randomInt(10 ** limits.phone_code_digits)).padStart(limits.phone_code_digits, '0');
      await db.transaction().execute(async (trx) => {
        const expires = await phones.newCode(trx, account, phone_number, hashOf(account, code));
        const text = { to: phone_number, body: phoneCodeText(code), until: expires.toISOString() };
        await enqueue(trx, 'sms', `phone-code:${newToken()}`, text);
      });
      return {};
    },

    'POST /web/verify-phonenumber': async ({ account, body }) => {
      await limit('phone-verify', account, { max: 20, per: limits.phone_code_life });
      // Refused only after the transaction, which keeps the count of the tries.
      const found = await db.transaction().execute(async (trx) => {
        const sent = await phones.code(trx, account);
        const { phone_number } = await store.byUuid(account, trx);
        const dead = !sent || sent.expires <= clock.now() || sent.tries >= limits.phone_code_tries || sent.phone_number !== phone_number;
        if (dead) return 'phone_code_expired';
        if (!timingSafeEqual(sent.code_hash, hashOf(account, body.code))) {
          await phones.countTry(trx, account);
          return 'phone_code_wrong';
        }
        await phones.dropCode(trx, account);
        await store.markPhoneVerified(trx, account);
        return 'right';
      });
      if (found !== 'right') fail(found);
      return {};
    },
  };
}
