import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { after } from '../../lib/clock.ts';
import { metricsToken, scrape } from '../../testing/scrape.ts';
import { planOf, rowsRead, type Statement, statementsOf } from '../../testing/statements.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ METRICS_TOKEN: metricsToken });
  // Jobs stay due.
  await server.app.worker.close();
  await server.db.deleteFrom('jobs').execute();
});
afterAll(() => server.close());

async function queue(lane: string, count: number, { due_ms = 0, ...values }: { due_ms?: number; failed_at?: Date; done_at?: Date } = {}) {
  const rows = Array.from({ length: count }, () => {
    const id = randomUUID();
    const run_at = after(server.clock.now(), due_ms);
    return { id, kind: 'mail', unique_key: id, payload: '{}', run_at, created: server.clock.now(), lane, attempts: 0, ...values };
  });
  for (let n = 0; n < rows.length; n += 2_000)
    await server.db
      .insertInto('jobs')
      .values(rows.slice(n, n + 2_000))
      .execute();
}

test('due jobs and the wait of the first one are shown by lane, without later, done and failed jobs', async () => {
  await queue('sms_urgent', 1, { due_ms: -120_000 });
  await queue('sms_urgent', 2);
  await queue('mail_bulk', 4, { due_ms: 3_600_000 });
  await queue('mail_bulk', 1, { failed_at: server.clock.now() });
  await queue('work_bulk', 1, { done_at: server.clock.now() });
  // A newer server has lanes of which this one knows nothing.
  await queue('pager_urgent', 1);
  // Turns the clock by a minute.
  const series = await scrape(server);
  const shown = (lane: string) =>
    ['due', 'oldest_due_seconds', 'failed'].map((name) => series.get(`porchlight_jobs_${name}{lane="${lane}"}`));
  expect(shown('sms_urgent')).toEqual([3, 180, 0]);
  expect(shown('mail_bulk')).toEqual([0, 0, 1]);
  expect(shown('work_bulk')).toEqual([0, 0, 0]);
  expect(shown('pager_urgent')).toEqual([undefined, undefined, undefined]);
});

/** How many rows of jobs a statement reads, by an index. */
async function rowsReadBy(statement: Statement, settings: Statement[]) {
  const plan = await planOf(server, statement, settings);
  expect(plan.filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'jobs')).toEqual([]);
  return rowsRead(plan, 'jobs');
}

/** A transaction from before the jobs that are queued next. */
async function openReader() {
  const client = new pg.Client({ connectionString: server.database_url });
  await client.connect();
  await client.query('begin isolation level repeatable read');
  await client.query('select from jobs limit 1');
  return client;
}

test('more than ten thousand due jobs or dead letters are counted as ten thousand, and not more of them are read', async () => {
  // The table is a busy one: what an open transaction may not see is not in the index alone.
  const reader = await openReader();
  await queue('mail_ordinary', 10_500);
  await queue('mail_urgent', 10_500, { failed_at: after(server.clock.now(), 1) });
  // Finished jobs are most of the table.
  await queue('mail_urgent', 30_000, { done_at: server.clock.now() });
  await sql`vacuum analyze jobs`.execute(server.db);
  await reader.end();
  let series: Awaited<ReturnType<typeof scrape>> = new Map();
  const statements = await statementsOf(async () => {
    series = await scrape(server);
  });
  expect(series.get('porchlight_jobs_due{lane="mail_ordinary"}')).toBe(10_000);
  expect(series.get('porchlight_jobs_failed{lane="mail_urgent"}')).toBe(10_000);
  const readings = statements.filter(({ text }) => text.includes('from jobs'));
  expect(readings).toHaveLength(2);
  const settings = statements.filter(({ text }) => text.includes('set_config'));
  for (const reading of readings) expect(await rowsReadBy(reading, settings)).toBeLessThan(10_100);
});
