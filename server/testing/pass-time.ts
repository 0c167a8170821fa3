import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { notify } from '../db/notify.ts';
import type { Db } from '../db/open.ts';

/**
 * Makes time pass for a server that has the real clock: every time in its database goes back by `ms`, and its agents get their policies
 * again, which contain times. What the simulators have stored stays as it is.
 */
export async function passTime(db: Db, ms: number): Promise<void> {
  const { rows: columns } = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'timestamp with time zone'`.execute(db);
  await db.transaction().execute(async (trx) => {
    for (const [table, ofTable] of Map.groupBy(columns, ({ table_name }) => table_name)) {
      const earlier = ofTable.map(({ column_name }) => sql`${sql.ref(column_name)} = ${sql.ref(column_name)} - ${ms} * interval '1 ms'`);
      await sql`update ${sql.table(table)} set ${sql.join(earlier)}`.execute(trx);
    }
    // The keys of these jobs contain the times, so a moved job makes room for the next one.
    const escalations = trx.selectFrom('jobs').select('id').where('kind', '=', 'escalation').where('done_at', 'is', null);
    for (const { id } of await escalations.execute()) {
      await trx
        .updateTable('jobs')
        .set({ unique_key: `moved:${randomUUID()}` })
        .where('id', '=', id)
        .execute();
    }
    await trx
      .updateTable('devices')
      .set(({ eb }) => ({ policy_version: eb('policy_version', '+', 1) }))
      .execute();
  });
  for (const { uuid } of await db.selectFrom('devices').select('uuid').execute()) await notify(db, 'device', uuid);
}
