import type { Trx } from './open.ts';

/**
 * Locks the account until the end of the transaction, so that simultaneous changes run one after the other. Not `for update`, which could
 * deadlock with a device's report that references the account.
 */
export const lockAccount = (trx: Trx, account: string): Promise<unknown> =>
  trx.selectFrom('accounts').select('uuid').where('uuid', '=', account).forNoKeyUpdate().execute();
