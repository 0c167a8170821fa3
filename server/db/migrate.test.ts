import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testServer } from '../testing/world.ts';

test('each migration is a transaction of its own, so that a server that still runs waits for one of them alone', async () => {
  const server = await testServer();
  try {
    const rows = await sql<{ all: number; apart: number }>`
      select count(*)::int as all, count(distinct xmin::text)::int as apart from kysely_migration`.execute(server.db);
    expect(rows.rows[0]?.all).toBeGreaterThan(18);
    expect(rows.rows[0]?.apart).toBe(rows.rows[0]?.all);
  } finally {
    await server.close();
  }
});
