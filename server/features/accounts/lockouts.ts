import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { AccountKeys } from '../../db/owned-rows.ts';
import type { CountKey } from '../../http/rate-limit.ts';
import type { Clock } from '../../lib/clock.ts';

/** What an account can be locked out of after too many attempts. */
export type Lockout = 'login' | 'login_elsewhere' | 'login_code' | 'password_again' | 'pin' | 'phone_code' | 'phone_code_request';

/** Each as the call counts that it locks: see `limit` there. */
const lockouts: { action: string; of: 'uuid' | 'email'; max: number; what: Lockout }[] = [
  { action: 'login-elsewhere', of: 'email', max: serverLimits.login_tries_elsewhere, what: 'login_elsewhere' },
  { action: 'login-code-elsewhere', of: 'email', max: serverLimits.login_code_tries_elsewhere, what: 'login_code' },
  { action: 'current-password', of: 'uuid', max: 10, what: 'password_again' },
  { action: 'device-pin', of: 'uuid', max: serverLimits.pin_tries, what: 'pin' },
  { action: 'device-pin-day', of: 'uuid', max: serverLimits.pin_tries_day, what: 'pin' },
  { action: 'phone-verify', of: 'uuid', max: 20, what: 'phone_code' },
  { action: 'phone-codes', of: 'uuid', max: serverLimits.phone_codes_per_day, what: 'phone_code_request' },
];

/** Each browser and each network has its own count. */
const perOrigin: { action: string; max: number; what: Lockout }[] = [
  { action: 'login-email', max: serverLimits.login_tries, what: 'login' },
  { action: 'login-code', max: serverLimits.login_code_tries, what: 'login_code' },
];

const beginsWith = (text: string) => sql<boolean>`starts_with(key, ${text})`;

/**
 * Ends lock-outs after wrong passwords, PINs and codes. Limits that protect others stay: those of a network, of a phone number and of the
 * whole service, and a text message's own code after five wrong tries, since it could be guessed otherwise.
 */
export function lockoutEnding(db: Db, clock: Clock, keyOf: CountKey) {
  return async (account: AccountKeys): Promise<Lockout[]> => {
    const known = new Map(lockouts.map((lock) => [keyOf(lock.action, account[lock.of]), lock]));
    const counts = await db
      .deleteFrom('rate_counts')
      .where('key', 'in', [...known.keys()])
      .returning(['key', 'count', 'ends'])
      .execute();
    const logins = await db
      .deleteFrom('rate_counts')
      .where((eb) => eb.or(perOrigin.map(({ action }) => beginsWith(`${keyOf(action, account.email)} `))))
      .returning(['key', 'count', 'ends'])
      .execute();
    const isLocked = ({ count, ends }: { count: number; ends: Date }, max: number) => count >= max && ends > clock.now();
    const ended = counts.flatMap((row) => {
      const lock = known.get(row.key);
      return lock && isLocked(row, lock.max) ? lock.what : [];
    });
    const endedPerOrigin = perOrigin.filter(({ action, max }) =>
      logins.some((row) => row.key.startsWith(`${action}:`) && isLocked(row, max)),
    );
    return [...new Set([...endedPerOrigin.map(({ what }) => what), ...ended])];
  };
}
