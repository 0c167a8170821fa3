import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Db, Trx } from '../../db/open.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { newToken, tokenHash } from '../../lib/tokens.ts';
import { newDeviceCode, newNonce } from './codes.ts';

export type CodeStore = ReturnType<typeof codeStore>;
export interface DeviceCode {
  code: string;
  nonce: string;
  expires: Date;
}

/** Device codes and the tokens they are used up for. */
export function codeStore(db: Db, clock: Clock) {
  return {
    /** A new code; one that was not used yet stops working. */
    async renew(trx: Trx, device: string) {
      const now = clock.now();
      await trx.deleteFrom('device_codes').where('device', '=', device).where('used', 'is', null).execute();
      const row = { code: newDeviceCode(), nonce: newNonce(), expires: after(now, serverLimits.device_code_life) };
      // Forty bits: two codes that are the same do not happen, and if they did the primary key would say so.
      await trx
        .insertInto('device_codes')
        .values({ ...row, device, created: now })
        .execute();
      return row;
    },

    /** The code of a device that still works; undefined when there is none. */
    unused: (trx: Trx, device: string): Promise<DeviceCode | undefined> =>
      trx
        .selectFrom('device_codes')
        .select(['code', 'nonce', 'expires'])
        .where('device', '=', device)
        .where('used', 'is', null)
        .where('expires', '>', clock.now())
        .executeTakeFirst(),

    /** What a code stands for, without using it up. */
    look: (code: string) =>
      db
        .selectFrom('device_codes')
        .innerJoin('devices', 'devices.uuid', 'device_codes.device')
        .innerJoin('accounts', 'accounts.uuid', 'devices.account')
        .select(['device_codes.code', 'device_codes.nonce', 'device_codes.expires', 'device_codes.used'])
        .select(['devices.uuid as device', 'devices.name as device_name', 'accounts.name as holder_name', 'accounts.email as holder_email'])
        .where('device_codes.code', '=', code)
        .executeTakeFirst(),

    /**
     * Who gets the computer that a code is used on, while it works; also for the attempt that has used it up without hearing of it. Undefined
     * otherwise.
     */
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

    /** Uses a code up, once: of fifty that race for it one update finds it unused (P3.1). Answers the device, or null. */
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

    /**
     * The device for which the same agent has used a code up without hearing of it: the answer was lost, and nobody has called with the token in
     * it. Until then the code is all that there is to go by, and its time has to last. The token of that answer counts no more. Null otherwise.
     */
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

    /** Whose token this is: a device, one that was removed, or nobody's. */
    async deviceOf(token: string): Promise<{ device: string } | 'removed' | null> {
      const row = await db.selectFrom('device_tokens').select('device').where('token_hash', '=', tokenHash(token)).executeTakeFirst();
      if (!row) return null;
      return row.device ? { device: row.device } : 'removed';
    },
  };
}
