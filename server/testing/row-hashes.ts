import pg from 'pg';

/** These change when a restore raises the epoch or a backup is noted, or are the migrations' own. */
const changedByRestore = ['last_backup', 'definition_sets', 'feed_keys', 'feed_parts', 'kysely_migration', 'kysely_migration_lock'];

/** Rows and a hash over all of them, by table: equal for equal rows in any order. */
export async function rowHashes(url: string, { all = false } = {}): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read, read only');
    const { rows } = await client.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public' order by 1`);
    const hashes: Record<string, string> = {};
    for (const { name } of rows) {
      if (!all && changedByRestore.includes(name)) continue;
      const { rows: counted } = await client.query<{ count: string; hash: string | null }>(
        `select count(*) as count, md5(string_agg(md5(t::text), '' order by md5(t::text))) as hash from "${name}" t`,
      );
      hashes[name] = `${counted[0]?.count} ${counted[0]?.hash}`;
    }
    return hashes;
  } finally {
    await client.end();
  }
}
