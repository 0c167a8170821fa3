import { sql } from 'kysely';
import { accountTables } from '../db/account-data.ts';
import { everyRow, type RowText } from './every-row.ts';
import { simulatorTables } from './simulator-tables.ts';
import type { TestServer } from './world.ts';

/** The rows of an account in every table that can have some. */
export async function rowsOfAccount(
  { db }: TestServer,
  { account: uuid, email }: { account: string; email: string },
): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const { name, owned } of accountTables) {
    const statement = sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(name)} t where ${owned({ uuid, email })}`;
    tables[name] = (await statement.execute(db)).rows.map(({ row }) => row).sort();
  }
  return tables;
}

/** Rows of every table that contain one of the texts, without the simulators' and the content-free jobs that are done. */
export async function rowsWith({ db }: TestServer, texts: string[]): Promise<string[]> {
  const isDone = ({ name, row }: RowText) => name === 'jobs' && row.includes('"payload": {}');
  const rows = await everyRow({ db }, { without: simulatorTables });
  return rows.filter((one) => !isDone(one) && texts.some((text) => one.row.includes(text))).map(({ name, row }) => `${name} ${row}`);
}

export const accountIdOf = async ({ db }: TestServer, email: string): Promise<string> =>
  (await db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow()).uuid;

/** Reads the states of an account's plans at Stripe, also once the account is gone. */
export async function planStates({ db, payments }: TestServer, account: string): Promise<() => Promise<string[]>> {
  const { id } = await db.selectFrom('customers').select('id').where('account', '=', account).executeTakeFirstOrThrow();
  return async () => (await payments.stripe.subscriptions.list({ customer: id, status: 'all' })).data.map(({ status }) => status);
}
