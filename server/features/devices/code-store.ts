import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { newToken, tokenHash } from '../../secrets/tokens.ts';
import { newDeviceCode, newNonce } from './codes.ts';

export type CodeStore = ReturnType<typeof codeStore>;
export interface DeviceCode {
  code: string;
  nonce: string;
  expires: Date;
}

export function codeStore(db: Db, clock: Clock) {
  return {
    async renew(trx: Trx, device: string) {
      const now = clock.now();
      await trx.deleteFrom('device_codes').where('device', '=', device).where('used', 'is', null).execute();
      const row = { code: newDeviceCode(), nonce: newNonce(), expires: after(now, serverLimits.device_code_life) };
      // Equal codes are very unlikely, and would violate the primary key.
      await trx
        .insertInto('device_codes')
        .values({ ...row, device, created: now })
        .execute();
      return row;
    },

    unused: (trx: Trx, device: string): Promise<DeviceCode | undefined> =>
      trx
        .selectFrom('device_codes')
        .select(['code', 'nonce', 'expires'])
        .where('device', '=', device)
        .where('used', 'is', null)
        .where('expires', '>', clock.now())
        .executeTakeFirst(),

    find: (code: string) =>
      db
        .selectFrom('device_codes')
        .innerJoin('devices', 'devices.uuid', 'device_codes.device')
        .innerJoin('accounts', 'accounts.uuid', 'devices.account')
        .select(['device_codes.code', 'device_codes.nonce', 'device_codes.expires', 'device_codes.used'])
        .select(['devices.uuid as device', 'devices.name as device_name', 'accounts.name as holder_name', 'accounts.email as holder_email'])
        .where('device_codes.code', '=', code)
        .executeTakeFirst(),

    /** The account of a valid code, or of a redeemed code whose enrolment lost the response. */
    whose: (code: string, enrol_id: string | null) =>
      db
        .selectFrom('device_codes')
        .innerJoin('devices', 'devices.uuid', 'device_codes.device')
        .select(['devices.account', 'devices.name as device_name'])
        .where('device_codes.code', '=', code)
        .where('device_codes.expires', '>', clock.now())
        .where((row) =>
          row.or([row('device_codes.used', 'is', null), ...(enrol_id === null ? [] : [row('devices.enrol_id', '=', enrol_id)])]),
        )
        .executeTakeFirst(),

    /** Redeems a code only once, even in a race (P3.1). Returns the code's device, or null. */
    async useUp(trx: Trx, code: string): Promise<string | null> {
      const now = clock.now();
      const row = await trx
        .updateTable('device_codes')
        .set({ used: now })
        .where('code', '=', code)
        .where('used', 'is', null)
        .where('expires', '>', now)
        .returning('device')
        .executeTakeFirst();
      return row?.device ?? null;
    },

    /** The device of a code that this enrolment redeemed without receiving the response. Deletes the unused token. */
    async redeemedByLostEnrolment(trx: Trx, code: string, enrol_id: string): Promise<string | null> {
      const row = await trx
        .selectFrom('device_codes')
        .innerJoin('devices', 'devices.uuid', 'device_codes.device')
        .select('devices.uuid')
        .where('device_codes.code', '=', code)
        .where('device_codes.used', 'is not', null)
        .where('device_codes.expires', '>', clock.now())
        .where('devices.enrol_id', '=', enrol_id)
        .forUpdate('devices')
        .executeTakeFirst();
      if (!row) return null;
      await trx.deleteFrom('device_tokens').where('device', '=', row.uuid).execute();
      return row.uuid;
    },

    async newDeviceToken(trx: Trx, device: string): Promise<string> {
      const token = newToken();
      await trx
        .insertInto('device_tokens')
        .values({ token_hash: tokenHash(token), device, created: clock.now() })
        .execute();
      return token;
    },

    async deviceOf(token: string): Promise<{ device: string } | 'removed' | null> {
      const row = await db.selectFrom('device_tokens').select('device').where('token_hash', '=', tokenHash(token)).executeTakeFirst();
      if (!row) return null;
      return row.device ? { device: row.device } : 'removed';
    },

    /** The account from which the token's device was removed less than 24 hours ago (P10.9). */
    async removedFrom(token: string): Promise<string | null> {
      const row = await db
        .selectFrom('device_tokens')
        .select('account')
        .where('token_hash', '=', tokenHash(token))
        .where('removed', '>', after(clock.now(), -agentLimits.after_account))
        .executeTakeFirst();
      return row?.account ?? null;
    },
  };
}

/** Notes on the tokens of a device from which account it is about to be removed. The caller has locked the device. */
export const noteRemoval = (trx: Trx, account: string, device: string, removed: Date) =>
  trx.updateTable('device_tokens').set({ account, removed }).where('device', '=', device).execute();
