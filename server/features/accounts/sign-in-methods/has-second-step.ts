import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../../db/open.ts';

/** Whether an account has a passkey or an authenticator app, and so needs more than the password to log in (P13.1). */
export const secondStepExists = (account: Expression<unknown>): RawBuilder<boolean> => sql<boolean>`(
  exists (select from passkeys where passkeys.account = ${account}) or exists (select from authenticators where authenticators.account = ${account}))`;

export async function hasSecondStep(connection: Db | Trx, account: string): Promise<boolean> {
  const { rows } = await sql<{ yes: boolean }>`select ${secondStepExists(sql`${account}::uuid`)} as yes`.execute(connection);
  return rows[0]?.yes === true;
}
