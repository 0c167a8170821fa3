// Tier: whole. It deletes a hundred thousand rows.

import { randomUUID } from 'node:crypto';
import { retention, retentionCutoff } from '@porchlight/contract/retention.ts';
import { day } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../testing/world.ts';
import { deleteOld } from './delete-old.ts';
import { deletionRules } from './retention.ts';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.close());

const daysAgo = (days: number) => new Date(server.clock.now().getTime() - days * day);
const deleteAll = () => deleteOld(server.db, server.clock.now(), { budget_ms: 60_000 });

/** Adds finished jobs, a second apart, the newest of them this old. */
const addJobs = (count: number, newest: Date) =>
  sql`insert into jobs (id, kind, lane, payload, unique_key, run_at, created, done_at)
    select gen_random_uuid(), 'mail', 'mail_ordinary', '{}', gen_random_uuid(), t, t, t
    from (select ${newest}::timestamptz - (n - 1) * interval '1 second' as t from generate_series(1, ${count}) n) as times`.execute(
    server.db,
  );

const finishedBefore = async (time: Date) =>
  Number(
    (
      await server.db
        .selectFrom('jobs')
        .select(({ fn }) => fn.countAll().as('n'))
        .where('done_at', '<=', time)
        .executeTakeFirstOrThrow()
    ).n,
  );

test('[P14.4] thousands of old rows are deleted in steps of a thousand, and the younger ones stay', async () => {
  await addJobs(2_500, daysAgo(31));
  await addJobs(10, daysAgo(29));
  const rules = deletionRules.filter(({ table, since }) => table === 'jobs' && since === 'done_at');
  // The stopwatch is read at the begin, before each of the three steps, and after each of the two full ones.
  let steps = 0;
  const stopwatch = () => (steps += 1);
  expect(await deleteOld(server.db, server.clock.now(), { budget_ms: 1_000, stopwatch, rules })).toEqual({ rows: 2_500, finished: true });
  expect(steps).toBe(1 + 3 + 2);
  expect(await finishedBefore(daysAgo(29))).toBe(10);
});

test('[P14.4] a run ends with its time, without what it began undone, and the next one goes on', async () => {
  await addJobs(2_500, daysAgo(31));
  const rules = deletionRules.filter(({ table, since }) => table === 'jobs' && since === 'done_at').slice(0, 1);
  let ticks = 0;
  const stopwatch = () => (ticks += 1);
  expect(await deleteOld(server.db, server.clock.now(), { budget_ms: 2, stopwatch, rules })).toEqual({ rows: 1_000, finished: false });
  expect(await finishedBefore(daysAgo(30))).toBe(1_500);
  expect(await deleteAll()).toMatchObject({ finished: true });
  expect(await finishedBefore(daysAgo(30))).toBe(0);
});

test('[P14.4] a table with very many old rows does not keep another table waiting', async () => {
  const { email } = await person(server);
  await addJobs(5_000, daysAgo(31));
  await server.db
    .updateTable('sessions')
    .set({ last_used: daysAgo(31) })
    .execute();
  let ticks = 0;
  const rules = deletionRules.filter(({ table }) => table === 'jobs' || table === 'sessions');
  await deleteOld(server.db, server.clock.now(), { budget_ms: rules.length + 3, stopwatch: () => (ticks += 1), rules });
  expect(await finishedBefore(daysAgo(30))).toBeGreaterThan(0);
  expect(await server.db.selectFrom('sessions').select('uuid').execute()).toEqual([]);
  expect(await server.db.selectFrom('accounts').select('email').execute()).toEqual([{ email }]);
});

test('[P14.4] two servers that delete at once delete each row once, and neither fails', async () => {
  await addJobs(5_000, daysAgo(31));
  const before = await finishedBefore(daysAgo(30));
  const [a, b] = await Promise.all([deleteAll(), deleteAll()]);
  expect(a.rows + b.rows).toBe(before);
  expect(await finishedBefore(daysAgo(30))).toBe(0);
});

test('[P14.4] an old row that a request has locked is left without waiting, and goes the next time', async () => {
  await addJobs(3, daysAgo(31));
  const { id } = await server.db.selectFrom('jobs').select('id').orderBy('done_at').limit(1).executeTakeFirstOrThrow();
  await server.db.transaction().execute(async (trx) => {
    await trx.selectFrom('jobs').select('id').where('id', '=', id).forUpdate().execute();
    await deleteAll();
    expect(await finishedBefore(daysAgo(30))).toBe(1);
  });
  await deleteAll();
  expect(await finishedBefore(daysAgo(30))).toBe(0);
});

test('[P14.4] an incident whose events a request has locked is left after a moment, and other tables get their turn', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server)] } });
  await server.db
    .updateTable('incidents')
    .set({ last_opener: daysAgo(400) })
    .execute();
  await addJobs(3, daysAgo(31));
  await server.db.transaction().execute(async (trx) => {
    await trx.selectFrom('incident_events').select('incident').forUpdate().execute();
    expect(await deleteAll()).toMatchObject({ finished: true });
  });
  expect(await server.db.selectFrom('incidents').select('uuid').execute()).toHaveLength(1);
  expect(await finishedBefore(daysAgo(30))).toBe(0);
  await deleteAll();
  expect(await server.db.selectFrom('incidents').select('uuid').execute()).toEqual([]);
  expect(await server.db.selectFrom('incident_events').select('incident').execute()).toEqual([]);
});

test('[P14.4] an incident that is open or ended lately stays, however long ago it opened, and the others go 13 months after their end', async () => {
  const { token, email } = await person(server);
  const { uuid: device } = await linkedDevice(server, token);
  const { uuid: account } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow();
  const cutoff = retentionCutoff(retention.incidents, server.clock.now());
  const [hour, opened] = [3_600_000, daysAgo(500)];
  const incidents = [
    { what: 'open', last_opener: daysAgo(0.5), over: null },
    { what: 'ended by a person yesterday', last_opener: daysAgo(2), over: daysAgo(1) },
    { what: 'ended by a person an hour too late', last_opener: new Date(cutoff.getTime() - hour), over: new Date(cutoff.getTime() + hour) },
    { what: 'ended by itself an hour too late', last_opener: new Date(cutoff.getTime() - day + hour), over: null },
    { what: 'ended by itself', last_opener: new Date(cutoff.getTime() - day), over: null },
    { what: 'ended by a person', last_opener: new Date(cutoff.getTime() - hour), over: cutoff },
  ];
  for (const row of incidents) {
    const values = { uuid: randomUUID(), account, device, device_name: 'Den PC', opened, opener: 'started' as const, ...row };
    await server.db.insertInto('incidents').values(values).execute();
  }
  await deleteAll();
  const rest = await server.db.selectFrom('incidents').select('what').execute();
  expect(rest.map(({ what }) => what).toSorted()).toEqual([
    'ended by a person an hour too late',
    'ended by a person yesterday',
    'ended by itself an hour too late',
    'open',
  ]);
});

test('[P14.4] the newest result of each guardian’s channel stays, so that a guardian whom nothing reaches stays on the home screen', async () => {
  const { token, email } = await person(server);
  const [bob, carol] = [await activeGuardian(server, token, 'Bob'), await activeGuardian(server, token, 'Carol')];
  const { uuid: account } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow();
  await server.app.worker.idle();
  await server.db.deleteFrom('deliveries').execute();
  const add = (guardian: string | null, about: string, state: 'sent' | 'failed', days: number) =>
    server.db
      .insertInto('deliveries')
      .values({ ...{ key: about, account, kind: 'weekly', about, guardian, name: 'x' }, channel: 'mail', state, time: daysAgo(days) })
      .execute();
  await add(bob.uuid, 'sent to Bob, before another', 'sent', 60);
  await add(bob.uuid, 'last sent to Bob', 'sent', 50);
  await add(bob.uuid, 'last failed to Bob', 'failed', 40);
  await add(carol.uuid, 'failed to Carol, before another', 'failed', 40);
  await add(carol.uuid, 'failed to Carol', 'failed', 5);
  await add(null, 'failed to the holder', 'failed', 40);
  await add(randomUUID(), 'failed to a guardian who is gone', 'failed', 40);
  await deleteAll();
  const rest = await server.db.selectFrom('deliveries').select('about').execute();
  expect(rest.map(({ about }) => about).toSorted()).toEqual(['failed to Carol', 'last failed to Bob', 'last sent to Bob']);
  const { guardians } = (await server.call('GET /web/guardians', { token })).body as unknown as {
    guardians: { trouble: unknown }[];
  };
  expect(guardians.map(({ trouble }) => trouble)).toMatchObject([{ channel: 'mail' }, { channel: 'mail' }]);
});

test('[P14.4] the key of the email about a failed payment outlasts other jobs, so that it is not sent again while the payment stays overdue', async () => {
  const key = 'plan:sub_1:failed:in_1';
  await addJobs(2, daysAgo(60));
  const { id } = await server.db.selectFrom('jobs').select('id').orderBy('done_at').limit(1).executeTakeFirstOrThrow();
  await server.db.updateTable('jobs').set({ unique_key: key }).where('id', '=', id).execute();
  await deleteAll();
  const old = await server.db.selectFrom('jobs').select('unique_key').where('done_at', '<=', daysAgo(30)).execute();
  expect(old).toEqual([{ unique_key: key }]);
});

test('[P14.4] thirteen months before the last of a month is the last of a shorter month', () => {
  const cutoff = (now: string) => retentionCutoff({ months: 13, about: '' }, new Date(now)).toISOString();
  expect(cutoff('2027-03-31T10:00:00Z')).toBe('2026-02-28T10:00:00.000Z');
  expect(cutoff('2025-03-29T10:00:00Z')).toBe('2024-02-29T10:00:00.000Z');
  expect(cutoff('2026-11-21T14:05:00Z')).toBe('2025-10-21T14:05:00.000Z');
  expect(cutoff('2027-01-15T00:00:00Z')).toBe('2025-12-15T00:00:00.000Z');
});
