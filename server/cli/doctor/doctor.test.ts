import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hour } from '@porchlight/contract/time.ts';
import { newKeyPair } from '@porchlight/definitions/signature.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileOf, migrationIds } from '../../db/migrations.ts';
import { type OperatedServer, operatedServer } from '../../testing/operated-server.ts';
import { rudeSmtp } from '../../testing/rude-smtp.ts';
import { testServer } from '../../testing/world.ts';

let operated: OperatedServer;
beforeAll(async () => {
  operated = await operatedServer();
});
afterAll(() => operated.close());

const newestTables = migrationIds.at(-1) ?? '';
const nobody = 'postgres://porchlight:hidden-word@127.0.0.1:1/porchlight';
const clockAt = (now: Date) => ({ now: () => now });

test('the command doctor finds nothing wrong with a server that is set up well, and exits with 0', async () => {
  const { code, out, err } = await operated.run(['doctor']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const lines = out.trim().split('\n');
  expect(lines.filter((line) => /^(ERROR|WARNING)/.test(line))).toEqual([
    expect.stringMatching(/^WARNING {2}payments\.key .* \(test mode\): nothing is charged/),
  ]);
  // What needs another computer cannot be known in a test.
  expect(lines.flatMap((line) => /^UNKNOWN +(\S+)/.exec(line)?.[1] ?? [])).toEqual(['clock.computer', 'address.name']);
  expect(lines).toContainEqual(expect.stringMatching(/^OK {7}database\.version +PostgreSQL \d+\.\d+\.$/));
  expect(lines.at(-1)).toMatch(/^\d+ results: no errors, 1 warning, 2 not known\.$/);
});

test('with --strict a warning makes the exit code 1', async () => {
  expect((await operated.run(['doctor', '--strict'])).code).toBe(1);
});

test('the ids of --json are those that programs know, each once', async () => {
  const { out, code } = await operated.run(['doctor', '--json', '--mail-to', 'ann@example.org', '--backups', operated.data_dir]);
  const { ok, checked, checks } = JSON.parse(out) as { ok: boolean; checked: string; checks: { id: string }[] };
  expect({ ok, code }).toEqual({ ok: false, code: 1 });
  expect(Math.abs(Date.parse(checked) - Date.now())).toBeLessThan(60_000);
  expect(checks.map(({ id }) => id)).toEqual([
    'settings.valid',
    ...['computer.node', 'data.folder', 'data.disk'],
    ...['database.connection', 'database.version', 'database.migrations', 'database.tables', 'database.connections', 'database.clock'],
    ...['keys.secret', 'keys.release', 'keys.release_agents', 'clock.computer'],
    ...['mail.server', 'mail.encryption', 'mail.spf', 'mail.dmarc', 'mail.test', 'mail.queue'],
    ...['texts.account', 'texts.number', 'texts.webhook'],
    ...['payments.key', 'payments.account', 'payments.plans', 'payments.webhook', 'payments.doubts'],
    ...['address.name', 'address.certificate', 'address.service', 'address.identity', 'address.proxy', 'address.callers'],
    ...['lists.age', 'definitions.feed', 'installers.present', 'backups.newest', 'operator.notified'],
  ]);
});

test('each wrong setting is a line of its own, what depends on it is not checked, and everything else is', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'doctor-'));
  const env = { DATABASE_URL: 'mysql://me:hidden-word@db.example.org/x', PORT: 'many', DATA_DIR: empty, SMTP_ULR: 'smtp://127.0.0.1' };
  const { code, out } = await operated.run(['doctor'], { env });
  expect(code).toBe(1);
  const lines = out.trim().split('\n');
  expect(lines.filter((line) => line.startsWith('ERROR')).map((line) => line.replace(/\s+/g, ' ').slice(0, 50))).toEqual([
    'ERROR settings.valid PORT should be a number from ',
    'ERROR settings.valid DATABASE_URL should be a Post',
    'ERROR settings.valid SMTP_ULR is not a setting of ',
  ]);
  expect(lines).toContainEqual(expect.stringMatching(/^UNKNOWN {2}database\.connection .*before DATABASE_URL is corrected/));
  expect(lines).toContainEqual(expect.stringMatching(/^OK {7}mail\.server /));
  expect(await readdir(empty)).toEqual([]);
  await rm(empty, { recursive: true });
});

test('production without its settings names each, and the checks that need none of them go on', async () => {
  const checks = await operated.checks([], { env: { NODE_ENV: 'production', SMTP_URL: '', SECRET_KEY: '' } });
  expect(checks.get('mail.server')).toMatchObject({ state: 'unknown' });
  expect(checks.get('keys.secret')).toMatchObject({ state: 'unknown' });
  expect(checks.get('database.version')).toMatchObject({ state: 'ok' });
});

test('with one of the settings of Twilio missing, the others do not pass for a Twilio that is not set up', async () => {
  const checks = await operated.checks([], { env: { TWILIO_AUTH_TOKEN: '' } });
  expect(checks.get('settings.valid')).toMatchObject({ state: 'error', text: expect.stringMatching(/^TWILIO_AUTH_TOKEN is missing/) });
  expect(checks.get('texts.account')).toMatchObject({ state: 'unknown', text: expect.stringContaining('TWILIO_AUTH_TOKEN') });
  expect(checks.get('payments.plans')).toMatchObject({ state: 'ok' });
});

test('a database that is away is an error with the address and without the password, and the other checks go on', async () => {
  const { code, out } = await operated.run(['doctor'], { env: { DATABASE_URL: nobody } });
  expect(code).toBe(1);
  expect(out).toMatch(/^ERROR {4}database\.connection .*\(127\.0\.0\.1:1: .*ECONNREFUSED/m);
  expect(out).toMatch(/^UNKNOWN {2}database\.version .*without the database/m);
  expect(out).toMatch(/^OK {7}texts\.account /m);
  expect(out).not.toContain('hidden-word');
});

test('tables that are behind are a warning and stay as they are; tables of a newer version are an error', async () => {
  const { db, database_url, close } = await testServer();
  const env = { DATABASE_URL: database_url };
  const migrations = async () => (await operated.checks([], { env })).get('database.migrations');
  try {
    expect(await migrations()).toMatchObject({ state: 'ok' });
    await sql`insert into kysely_migration (name, timestamp) values ('9999-future 0123456789abcdef', '2999-01-01')`.execute(db);
    expect(await migrations()).toMatchObject({ state: 'error', text: expect.stringContaining('(9999-future)') });
    await sql`delete from kysely_migration where name >= ${newestTables}`.execute(db);
    expect(await migrations()).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(new RegExp(`^1 change of the tables .*${fileOf(newestTables)}`)),
    });
    const { rows } = await sql`select name from kysely_migration where name >= ${newestTables}`.execute(db);
    expect(rows).toEqual([]);
  } finally {
    await close();
  }
});

test('a lost index is an error that names it, an index of the operator a warning, and tables from before 1.0 are refused in words', async () => {
  const { db, database_url, close } = await testServer();
  const env = { DATABASE_URL: database_url };
  const found = async (id: string) => (await operated.checks([], { env })).get(id);
  try {
    expect(await found('database.tables')).toMatchObject({ state: 'ok' });
    await sql`create index of_the_operator on accounts (created)`.execute(db);
    expect(await found('database.tables')).toMatchObject({ state: 'warning', text: expect.stringContaining('accounts.of_the_operator') });
    await sql`drop index accounts_email`.execute(db);
    expect(await found('database.tables')).toMatchObject({
      state: 'error',
      text: expect.stringContaining('accounts.accounts_email is missing'),
    });
    await sql`update kysely_migration set name = '0037-verified-isolations' where name like '0001%'`.execute(db);
    expect(await found('database.migrations')).toMatchObject({ state: 'error', text: expect.stringContaining('before Porchlight 1.0') });
    expect(await found('database.tables')).toMatchObject({ state: 'unknown' });
  } finally {
    await close();
  }
});

test('more connections than PostgreSQL allows are a warning', async () => {
  const checks = await operated.checks([], { env: { DATABASE_CONNECTIONS: '500' } });
  expect(checks.get('database.connections')).toMatchObject({ state: 'warning', text: expect.stringContaining('are 510 together') });
});

test('a clock that is ten minutes ahead of the database and of the public address is an error', async () => {
  const checks = await operated.checks([], { clock: clockAt(new Date(Date.now() + 10 * 60_000)) });
  expect(checks.get('database.clock')).toMatchObject({ state: 'error', text: expect.stringContaining('10 minutes ahead of') });
  expect(checks.get('clock.computer')).toMatchObject({ state: 'error' });
});

test('a SECRET_KEY that does not open the keys in the database is an error', async () => {
  const checks = await operated.checks([], { env: { SECRET_KEY: 'another secret key of thirty-two characters' } });
  expect(checks.get('keys.secret')).toMatchObject({ state: 'error', text: expect.stringContaining('does not open') });
});

test('a secret key that is gone from the data folder is an error, and no new one is made', async () => {
  const checks = await operated.checks([], { env: { SECRET_KEY: '' } });
  expect(checks.get('keys.secret')).toMatchObject({ state: 'error', text: expect.stringContaining('is gone') });
  expect(await readdir(operated.data_dir)).not.toContain('secret.key');
});

test('a release key that others may read is an error, and so is a key that agents do not believe', async () => {
  const path = join(operated.data_dir, 'release-key.json');
  await chmod(path, 0o644);
  expect((await operated.checks()).get('keys.release')).toMatchObject({ state: 'error', text: expect.stringContaining('chmod 600') });
  await chmod(path, 0o600);
  expect((await operated.checks()).get('keys.release')).toMatchObject({ state: 'ok' });

  const ownPath = join(operated.data_dir, 'next-key.json');
  // The key replaced another one, and the server does not have the statement about it.
  await writeFile(ownPath, JSON.stringify({ ...newKeyPair(), former: [newKeyPair().public_key] }), { mode: 0o600 });
  const checks = await operated.checks([], { env: { RELEASE_KEY: ownPath } });
  expect(checks.get('keys.release_agents')).toMatchObject({ state: 'error', text: expect.stringContaining('keys rotate-release') });
  await writeFile(ownPath, '{"public_key":', { mode: 0o600 });
  expect((await operated.checks([], { env: { RELEASE_KEY: ownPath } })).get('keys.release')).toMatchObject({ state: 'error' });
});

test.each([
  [25, 'ok'],
  [27, 'error'],
])('a newest backup that is %i hours old is: %s', async (hours, state) => {
  const folder = await mkdtemp(join(tmpdir(), 'backups-'));
  const name = (made: Date) => join(folder, `porchlight-${made.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`);
  await writeFile(name(new Date(Date.now() - hours * hour)), 'a backup');
  await writeFile(name(new Date(Date.now() - 99 * hour)), 'an older backup');
  await writeFile(join(folder, 'porchlight-notes.txt'), 'no backup');
  expect((await operated.checks(['--backups', folder])).get('backups.newest')).toMatchObject({ state });
  await rm(folder, { recursive: true });
});

test('with servers that accept connections and never answer, the command ends, and each check says that it had no answer', async () => {
  const silent = await silentServer();
  const [address, web] = [`127.0.0.1:${silent.port}`, `http://127.0.0.1:${silent.port}`];
  const env = {
    DATABASE_URL: `postgres://porchlight:hidden-word@${address}/porchlight`,
    SMTP_URL: `smtp://${address}`,
    TWILIO_API_BASE: web,
    STRIPE_API_BASE: web,
    PUBLIC_URL: `https://porchlight.test:${silent.port}`,
  };
  const never = () => new Promise<string[]>(() => {});
  try {
    const checks = await operated.checks([], { env, network: { limits: { check: 300, close: 100 }, txtOf: never } });
    for (const id of ['database.connection', 'mail.server', 'mail.spf', 'texts.account', 'payments.key', 'address.service'])
      expect(checks.get(id), id).toMatchObject({ state: 'error' });
    for (const id of ['database.version', 'clock.computer', 'address.identity'])
      expect(checks.get(id), id).toMatchObject({ state: 'unknown' });
    expect(checks.get('computer.node')).toMatchObject({ state: 'ok' });
  } finally {
    await silent.close();
  }
});

async function silentServer() {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

test('no secret is in the output, also where a server repeats it', async () => {
  const secrets = {
    database: 'pass%20word-1',
    smtp: 'pass-word-2',
    key: 'pass-word-3-that-is-long-enough-to-count',
    twilio: 'pass-word-4',
  };
  const smtp = await rudeSmtp((line) => (line.startsWith('EHLO') ? '250-here\r\n250 AUTH LOGIN PLAIN' : `535 5.7.8 no: ${line}`));
  const env = {
    DATABASE_URL: `postgres://porchlight:${secrets.database}@127.0.0.1:1/porchlight`,
    SMTP_URL: smtp.url.replace('//', `//me:${secrets.smtp}@`),
    SECRET_KEY: secrets.key,
    TWILIO_AUTH_TOKEN: secrets.twilio,
    STRIPE_SECRET_KEY: 'sk_test_hush5',
    STRIPE_WEBHOOK_SECRET: 'whsec_hush6',
  };
  const results = [
    await operated.run(['doctor', '--mail-to', 'ann@example.org'], { env }),
    await operated.run(['doctor', '--json'], { env }),
    await operated.run(['mail', 'test', '--to', 'ann@example.org'], { env }),
    await operated.run(['version'], { env }),
  ];
  smtp.close();
  const text = results.map(({ out, err }) => out + err).join('');
  expect(text).toMatch(/535 5\.7\.8 no/);
  expect(text).not.toContain('hush');
  for (const password of [secrets.smtp, `\0me\0${secrets.smtp}`]) expect(text).not.toContain(Buffer.from(password).toString('base64'));
});

test.each([
  [['doctor', 'now'], /does not know what to do with "now"/],
  [['doctor', '--mail-to', 'ann'], /--mail-to should be an email address/],
  [['mail', 'test'], /Name the recipient/],
  [['version', '--all'], /does not know --all/],
])('the arguments %j are refused with code 2', async (args, sentence) => {
  expect(await operated.run(args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(sentence) });
});

test('the command version shows what the database has, and says so without a database', async () => {
  const { code, out } = await operated.run(['version']);
  expect(code).toBe(0);
  expect(out.trim().split('\n')).toEqual([
    expect.stringMatching(/^Porchlight \d+\.\d+\.\d+, Node \d+\.\d+\.\d+\.$/),
    `The newest tables that this version knows are ${fileOf(newestTables)}.`,
    expect.stringMatching(/^PostgreSQL \d+\.\d+\.$/),
    `The newest tables in the database are ${fileOf(newestTables)}.`,
    'The epoch is 1.',
  ]);
  const away = await operated.run(['version'], { env: { DATABASE_URL: nobody } });
  expect(away).toMatchObject({ code: 0, out: expect.stringMatching(/\nWhat the database has is not known\. No PostgreSQL answers .*\n$/) });
});
