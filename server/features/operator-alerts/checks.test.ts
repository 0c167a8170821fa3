// Tier: whole. It makes the operator’s rounds of hours for each problem.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { day, hour } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { enqueuer } from '../../jobs/queue.ts';
import { askAddress } from '../../lib/ask-address.ts';
import { porchlight } from '../../testing/command.ts';
import { operatorPhone, operatorWorld } from '../../testing/operator-world.ts';
import { planOf, rowsRead, statementsOf } from '../../testing/statements.ts';
import { openTlsFront } from '../../testing/tls-front.ts';
import { newcomer } from '../../testing/world.ts';

/** Each check: its problem begins, and ends; the rule is tested by itself. */

test('sms: a telephone service that accepts nothing is notified by email and webhook, and its end by text too', async () => {
  const { server, pass, received } = await operatorWorld();
  await server.db
    .insertInto('carriers_away')
    .values({ carrier: 'sms', since: server.clock.now(), tried: server.clock.now(), reason: 'it lets us send nothing (401)' })
    .execute();
  await pass(3);
  expect(await received()).toEqual({
    mails: ['Problem: No text message leaves: it lets us send nothing (401)'],
    texts: [],
    events: ['sms began'],
  });
  await server.db.deleteFrom('carriers_away').where('carrier', '=', 'sms').execute();
  await pass(3);
  expect(await received()).toMatchObject({
    mails: [expect.anything(), 'Solved: Text messages leave again'],
    texts: [expect.stringContaining('Text messages leave again')],
    events: ['sms began', 'sms ended'],
  });
});

test('payments: Stripe without an answer begins after one failed call and two minutes of asking, and a refused card does not', async () => {
  const { server, pass, received } = await operatorWorld();
  const { token } = await newcomer(server);
  await pass(3);
  expect((await server.call('POST /web/profile/sub/order', { token, body: { price: 'price_unknown' } })).status).toBeGreaterThan(399);
  server.stripeSimulator.down(true);
  await pass(3);
  expect((await received()).events).toEqual([]);
  server.clock.turn(60_001);
  expect((await server.call('GET /web/profile/sub/products', { token })).status).toBe(503);
  await pass(3);
  expect(await received()).toMatchObject({
    mails: ['Problem: Stripe does not work for this server: it does not answer'],
    events: ['payments began'],
  });
  server.stripeSimulator.down(false);
  await pass(3);
  expect((await received()).events).toEqual(['payments began', 'payments ended']);
}, 60_000);

test('lists: only when every fetched list is older than three days; the first list and one dead list are no problem', async () => {
  const { server, pass, received } = await operatorWorld({
    env: { SITE_LISTS: 'https://lists.invalid/a|hosts,https://lists.invalid/b|hosts' },
  });
  const { now } = server.clock;
  const lists = (fetched: Record<string, Date>) =>
    Promise.all(
      Object.entries(fetched).map(([url, time]) =>
        server.db.updateTable('site_lists').set({ fetched: time }).where('url', '=', url).execute(),
      ),
    );
  const ago = (days: number) => new Date(now().getTime() - days * day);
  const rows = ['first', 'https://lists.invalid/a', 'https://lists.invalid/b'].map((url) => ({
    url,
    count: 1,
    tried: now(),
    fetched: now(),
    names: null,
  }));
  await pass(0.5);
  await server.db.deleteFrom('site_lists').execute();
  await server.db.insertInto('site_lists').values(rows).execute();
  await lists({ 'https://lists.invalid/a': ago(9) });
  await pass(3);
  expect((await received()).events).toEqual([]);
  await lists({ 'https://lists.invalid/b': ago(3.1) });
  await pass(3);
  expect((await received()).mails).toEqual([
    'Problem: No list of scam sites could be fetched for 3 days: the newest is of 2026-11-18 11:44 UTC',
  ]);
  await lists({ 'https://lists.invalid/a': now() });
  await pass(3);
  expect((await received()).events).toEqual(['lists began', 'lists ended']);
});

test('[P16.1] feed: a set that was refused for its content, until one is taken; a feed that is away for a week is no problem', async () => {
  const url = 'https://feed.invalid/definitions';
  const { server, pass, received } = await operatorWorld({ env: { DEFINITIONS_FEED: url, DEFINITIONS_FEED_KEY: 'A'.repeat(43) } });
  await server.app.worker.idle();
  const set = (row: object) => server.db.updateTable('upstream_feeds').set(row).where('url', '=', url).execute();
  await set({ fetched: new Date(server.clock.now().getTime() - 7 * day), problem: 'its server answered 503' });
  await pass(3);
  expect((await received()).events).toEqual([]);
  await set({ problem: 'it no longer has AnyDesk.', refused: 'aa' });
  await pass(3);
  expect((await received()).mails).toEqual([
    'Problem: The feed of definitions needs you: its newest set was refused: it no longer has AnyDesk',
  ]);
  await set({ problem: null, refused: null });
  await pass(3);
  expect((await received()).events).toEqual(['feed began', 'feed ended']);
});

test('backlog: a job that is due for longer than five minutes, but not of a carrier that is away, and bulk after two hours', async () => {
  const { server, check } = await operatorWorld();
  await server.app.worker.close();
  const enqueue = enqueuer(server.clock);
  const mail = { to: 'ann@example.org', subject: 'Hello', html: 'Hello', text: 'Hello' };
  await server.db
    .insertInto('carriers_away')
    .values({ carrier: 'sms', since: server.clock.now(), tried: server.clock.now(), reason: 'no answer' })
    .execute();
  await enqueue(server.db, 'sms', 'text', { to: operatorPhone, body: 'Hello' });
  await enqueue(server.db, 'mail', 'bulk', mail, undefined, { urgency: 'bulk' });
  const problem = () =>
    server.db.selectFrom('operator_problems').select(['notified', 'facts']).where('key', '=', 'backlog').executeTakeFirst();
  const turn = async (minutes: number) => {
    for (let n = 0; n < minutes; n++) {
      server.clock.turn(60_000);
      // Without a worker the server's own jobs of each minute, and what was queued for the operator, wait too.
      await server.db.deleteFrom('jobs').where('unique_key', 'not in', ['text', 'bulk', 'ordinary']).execute();
      await check();
    }
  };
  await turn(30);
  expect(await problem()).toBeUndefined();
  await enqueue(server.db, 'mail', 'ordinary', mail);
  await turn(5);
  expect(await problem()).toBeUndefined();
  await turn(3);
  expect(await problem()).toMatchObject({ notified: expect.any(Date), facts: expect.stringContaining('mail_ordinary: 8 minutes') });
  await sql`update jobs set done_at = now() where unique_key = 'ordinary'`.execute(server.db);
  await turn(3);
  expect(await problem()).toBeUndefined();
  await turn(90);
  expect(await problem()).toMatchObject({ notified: expect.any(Date), facts: expect.stringContaining('mail_bulk: 1') });
});

test('certificate: two weeks before its end, and a certificate that is refused; where something else answers nothing is known', async () => {
  const front = await openTlsFront('porchlight.test');
  onTestFinished(() => front.close());
  let authorities = [front.cert];
  let body = '{"ok":true}';
  front.answerBy(async () => ({ status: 200, body }));
  const world = await operatorWorld({
    env: { PUBLIC_URL: front.url },
    surroundings: { askAddress: (url, signal) => askAddress(url, { addressesOf: async () => ['127.0.0.1'], authorities }, signal) },
  });
  const { server, pass, received } = world;
  expect(server.app.certificateExpires()).toBeNull();
  // The front's certificate is made by the real clock.
  server.clock.turn(Date.now() - server.clock.now().getTime());
  await pass(3);
  const ends = server.app.certificateExpires();
  expect(Math.round((Number(ends) - Date.now()) / day)).toBe(60);
  authorities = [];
  await pass(3);
  expect((await received()).events).toEqual([]);
  server.clock.turn(6 * hour);
  await pass(3);
  expect((await received()).mails).toEqual([
    expect.stringMatching(/^Problem: The certificate of the public address needs renewal or repair: it is signed by itself/),
  ]);
  authorities = [front.cert];
  await pass(4);
  expect((await received()).events).toEqual(['certificate began', 'certificate ended']);

  server.clock.turn(47 * day);
  body = 'the page of a router';
  await pass(20);
  expect((await received()).events.filter((event) => event.startsWith('certificate'))).toEqual(['certificate began', 'certificate ended']);
  body = '{"ok":true}';
  await pass(20);
  expect((await received()).events.filter((event) => event.startsWith('certificate'))).toEqual([
    'certificate began',
    'certificate ended',
    'certificate began',
  ]);
}, 60_000);

test('backup: the command notes a backup once it is in its place; a day and a half later the operator is notified, and of the next one', async () => {
  const { server, pass, received } = await operatorWorld();
  const folder = await mkdtemp(join(tmpdir(), 'operator-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const backup = (to: string) =>
    porchlight(
      ['backup', '--to', to, '--without-keys'],
      { DATABASE_URL: server.database_url, SECRET_KEY: 'a secret key for tests, thirty-two characters', DATA_DIR: folder },
      server.clock,
    );
  const noted = () => server.db.selectFrom('last_backup').select('made').executeTakeFirst();
  // A file is in the way of the folder.
  await writeFile(join(folder, 'file'), '');
  expect((await backup(join(folder, 'file'))).code).not.toBe(0);
  expect(await noted()).toBeUndefined();
  expect(await backup(join(folder, 'to'))).toMatchObject({ code: 0, err: '' });
  expect(await noted()).toEqual({ made: server.clock.now() });
  server.clock.turn(36 * hour - 60_000);
  await pass(1);
  expect((await received()).events).toEqual([]);
  await pass(3);
  expect((await received()).mails).toEqual(['Problem: There is no recent backup: the newest is of 2026-11-21 14:05 UTC']);
  expect((await backup(join(folder, 'to'))).code).toBe(0);
  await pass(3);
  expect((await received()).events).toEqual(['backup began', 'backup ended']);
});

test('backup: a server that never made any is a problem only in production, with accounts older than the limit, and never if it is off', async () => {
  const production = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'http://localhost:4380',
    SMTP_URL: 'mailbox:',
    TWILIO_API_BASE: 'mailbox:',
    STRIPE_API_BASE: 'till:',
  };
  const eventsOf = async (env: Record<string, string>) => {
    const { server, pass, received } = await operatorWorld({ env });
    await newcomer(server);
    await pass(3);
    const before = (await received()).events;
    await server.db
      .updateTable('accounts')
      .set({ created: new Date(server.clock.now().getTime() - 2 * day) })
      .execute();
    await pass(3);
    return [before, (await received()).events];
  };
  expect(await eventsOf(production)).toEqual([[], ['backup began']]);
  expect(await eventsOf({})).toEqual([[], []]);
  expect(await eventsOf({ ...production, BACKUP_ALERT_HOURS: 'off' })).toEqual([[], []]);
});

test('a check that hangs, or fails, does not stop the others', async () => {
  const hanging = await operatorWorld({ surroundings: { readDisk: () => new Promise(() => {}) } });
  await hanging.server.db
    .insertInto('carriers_away')
    .values({
      carrier: 'sms',
      since: new Date(hanging.server.clock.now().getTime() - hour),
      tried: hanging.server.clock.now(),
      reason: 'no answer',
    })
    .execute();
  await hanging.check();
  expect((await hanging.received()).events).toEqual(['sms began']);
  expect(hanging.server.logged()).toContain('whether this is a problem could not be read in time');
}, 40_000);

test('with very many jobs and accounts a round reads one job of each lane, and no account once a backup was made', async () => {
  const { server, check } = await operatorWorld();
  await server.app.worker.close();
  const now = server.clock.now();
  await sql`insert into jobs (id, kind, lane, payload, unique_key, run_at, created, domain)
    select gen_random_uuid(), 'mail', 'mail_ordinary', '{}', 'grown-' || n, ${now}, ${now}, 'example.org' from generate_series(1, 20000) n`.execute(
    server.db,
  );
  await sql`vacuum analyze jobs`.execute(server.db);
  await server.db.insertInto('last_backup').values({ made: now }).execute();
  const statements = await statementsOf(check);
  expect(statements.filter(({ text }) => /accounts/.test(text))).toEqual([]);
  const ofJobs = statements.filter(({ text }) => /\bjobs\b/.test(text));
  expect(ofJobs.length).toBeGreaterThan(0);
  for (const statement of ofJobs) expect(rowsRead(await planOf(server, statement), 'jobs')).toBeLessThan(20);
  // Without a problem, a round only reads: as many statements as checks.
  expect(statements.length).toBeLessThan(10);
}, 60_000);
