import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newKeyPair } from '@porchlight/definitions/signature.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { after } from '../../lib/clock.ts';
import { emptyList, stripeProxy } from '../../testing/fake-stripe.ts';
import { answering, openFakeTwilio } from '../../testing/fake-twilio.ts';
import { type OperatedServer, operatedServer } from '../../testing/operated-server.ts';
import { rudeSmtp } from '../../testing/rude-smtp.ts';
import { testServer } from '../../testing/world.ts';

let operated: OperatedServer;
beforeAll(async () => {
  operated = await operatedServer();
});
afterAll(() => operated.close());

const hour = 3_600_000;
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
    ...['database.connection', 'database.version', 'database.migrations', 'database.connections', 'database.clock'],
    ...['keys.secret', 'keys.release', 'keys.release_agents', 'clock.computer'],
    ...['mail.server', 'mail.encryption', 'mail.spf', 'mail.dmarc', 'mail.test', 'mail.queue'],
    ...['texts.account', 'texts.number', 'texts.webhook'],
    ...['payments.key', 'payments.account', 'payments.plans', 'payments.webhook', 'payments.doubts'],
    ...['address.name', 'address.certificate', 'address.service', 'address.identity', 'address.proxy'],
    ...['lists.age', 'installers.present', 'backups.newest'],
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
    await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '2999-01-01')`.execute(db);
    expect(await migrations()).toMatchObject({ state: 'error', text: expect.stringContaining('9999-future') });
    await sql`delete from kysely_migration where name >= '0031'`.execute(db);
    expect(await migrations()).toMatchObject({
      state: 'warning',
      text: expect.stringMatching(/^1 change of the tables .*0031-first-hour/),
    });
    const { rows } = await sql`select name from kysely_migration where name >= '0031'`.execute(db);
    expect(rows).toEqual([]);
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

test('a release key that others may read is an error, and so is one that agents do not believe', async () => {
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

test('a dead letter is a warning, an email that waits for an hour an error, and so is a carrier that accepts nothing', async () => {
  const { db } = operated.server;
  const queue = async () => (await operated.checks()).get('mail.queue');
  const row = (id: string, created: Date, failed_at: Date | null) => ({
    ...{ id, kind: 'mail', lane: 'mail_urgent', payload: '{"to":"a@example.org"}', unique_key: id, run_at: created, created, failed_at },
  });
  const before = new Date(Date.now() - hour);
  await db
    .insertInto('jobs')
    .values(row('00000000-0000-4000-8000-000000000001', before, before))
    .execute();
  expect(await queue()).toMatchObject({ state: 'warning', text: expect.stringContaining('1 could not be sent') });
  await db
    .insertInto('jobs')
    .values(row('00000000-0000-4000-8000-000000000002', before, null))
    .execute();
  expect(await queue()).toMatchObject({ state: 'error', text: expect.stringContaining('1 wait, the oldest since') });
  await db.deleteFrom('jobs').where('unique_key', 'like', '00000000-%').execute();
  await db
    .insertInto('carriers_away')
    .values({ carrier: 'mail', since: before, tried: before, reason: 'it lets us send nothing (535)' })
    .execute();
  expect(await queue()).toMatchObject({ state: 'error', text: expect.stringContaining('it lets us send nothing') });
  await db.deleteFrom('carriers_away').execute();
  expect(await queue()).toMatchObject({ state: 'ok' });
});

test('an email to --mail-to arrives', async () => {
  const checks = await operated.checks(['--mail-to', 'ann@example.org']);
  expect(checks.get('mail.test')).toMatchObject({ state: 'ok', text: expect.stringMatching(/answered: 250 /) });
  expect((await operated.mailbox.list())[0]).toMatchObject({ to: ['ann@example.org'], subject: 'A test from Porchlight' });
});

const missingRecord = (code: string) => async (): Promise<string[]> => {
  throw Object.assign(new Error(code), { code });
};
test.each([
  ['both records', async (name: string) => [name.startsWith('_dmarc') ? 'v=DMARC1; p=none' : 'v=spf1 -all'], 'ok', 'ok'],
  [
    'a DMARC record of the domain above alone',
    async (name: string) => (name === '_dmarc.family-care.org' ? ['v=DMARC1'] : []),
    'warning',
    'ok',
  ],
  ['no records', missingRecord('ENODATA'), 'warning', 'warning'],
  ['two SPF records', async () => ['v=spf1 -all', 'v=spf1 mx -all'], 'warning', 'warning'],
  ['a DNS server that fails', missingRecord('ESERVFAIL'), 'unknown', 'unknown'],
])('DNS with %s gives its findings about SPF and DMARC', async (_name, txtOf, spf, dmarc) => {
  const checks = await operated.checks([], { env: { MAIL_FROM: 'help@mail.family-care.org' }, outside: { txtOf } });
  expect([checks.get('mail.spf')?.state, checks.get('mail.dmarc')?.state]).toEqual([spf, dmarc]);
});

test.each([
  ['refuses the token', answering(401, { code: 20003 }), 'error', 'unknown'],
  ['has suspended the account', answering(200, { status: 'suspended', incoming_phone_numbers: [] }), 'error', 'error'],
  [
    'has a trial account',
    answering(200, { status: 'active', type: 'Trial', incoming_phone_numbers: [{ sms_url: '' }] }),
    'warning',
    'warning',
  ],
  ['answers no JSON', answering(200, '<html>'), 'error', 'error'],
])('a Twilio that %s gives its findings', async (_name, answer, account, number) => {
  const { api_base, close } = await openFakeTwilio(answer);
  const checks = await operated.checks([], { env: { TWILIO_API_BASE: api_base } });
  await close();
  expect([checks.get('texts.account')?.state, checks.get('texts.number')?.state]).toEqual([account, number]);
});

test('a Stripe without the webhook, and with a price that has no device limit, gives an error for each', async () => {
  const price = { id: 'price_1', metadata: {}, product: { id: 'prod_1', active: true } };
  const { api_base, close } = await stripeProxy(operated.server.stripeSimulator.settings, (call) => {
    if (call.startsWith('GET /v1/webhook_endpoints')) return emptyList;
    return call.startsWith('GET /v1/prices') ? { status: 200, body: { ...emptyList.body, data: [price] } } : null;
  });
  const checks = await operated.checks([], { env: { STRIPE_API_BASE: api_base } });
  await close();
  expect(checks.get('payments.webhook')).toMatchObject({
    state: 'error',
    text: expect.stringContaining(`${operated.front.url}/api/stripe/webhook`),
  });
  expect(checks.get('payments.plans')).toMatchObject({ state: 'error', text: expect.stringContaining('price_1') });
  expect(checks.get('payments.key')).toMatchObject({ state: 'warning' });
});

test('a key that Stripe does not know is an error, and so is the key of another account than that of the plans', async () => {
  const refused = await operated.checks([], { env: { STRIPE_SECRET_KEY: 'sk_test_unknown' } });
  expect(refused.get('payments.key')).toMatchObject({ state: 'error', text: expect.stringContaining('does not know this key') });
  await operated.server.db.insertInto('payment_account').values({ id: 'acct_other', livemode: false, since: new Date() }).execute();
  expect((await operated.checks()).get('payments.account')).toMatchObject({ state: 'error', text: expect.stringContaining('acct_other') });
  await operated.server.db.deleteFrom('payment_account').execute();
});

test('a certificate of an unknown authority is an error', async () => {
  const checks = await operated.checks([], { outside: { authorities: [] } });
  expect(checks.get('address.certificate')).toMatchObject({ state: 'error', text: expect.stringContaining('signed by itself') });
});

test('a certificate for another name is an error', async () => {
  const PUBLIC_URL = operated.front.url.replace('porchlight', 'other');
  expect((await operated.checks([], { env: { PUBLIC_URL } })).get('address.certificate')).toMatchObject({
    state: 'error',
    text: expect.stringContaining('another name'),
  });
});

test.each([
  [30, 'ok'],
  [20, 'warning'],
  [2, 'error'],
])('a certificate that is valid for %i more days is: %s', async (days, state) => {
  // It was made for 60 days, some seconds ago.
  const clock = clockAt(after(new Date(), (60 - days) * 24 * hour - hour));
  expect((await operated.checks([], { clock })).get('address.certificate')).toMatchObject({
    state,
    text: expect.stringContaining(`${days} more days`),
  });
});

test.each([
  ['another service', { status: 200, body: 'hello' }, 'error'],
  ['a server without its database', { status: 503, body: '{"ok":false}' }, 'error'],
  ['a redirection', { status: 301, body: '', headers: { location: 'https://www.porchlight.test' } }, 'error'],
  ['nothing behind the proxy', null, 'error'],
])('a public address with %s is an error, and what cannot be seen from it is not known', async (_name, reply, state) => {
  const answered = await operatedBehind(async () => reply);
  expect(answered.get('address.service')).toMatchObject({ state });
  expect(answered.get('address.identity')).toMatchObject({ state: 'unknown' });
});

test('a public address where a server with another database answers is an error', async () => {
  const config = { host: operated.front.url, push: { public_key: 'another key' } };
  const page = { status: 200, body: `<script type="application/json" id="config">${JSON.stringify(config)}</script>` };
  expect((await operatedBehind(async () => page)).get('address.identity')).toMatchObject({
    state: 'error',
    text: expect.stringContaining('another database'),
  });
});

async function operatedBehind(answer: Parameters<OperatedServer['front']['answerBy']>[0]) {
  const restore = operated.front.current();
  operated.front.answerBy(answer);
  return operated.checks().finally(() => operated.front.answerBy(restore));
}

test('a name without an address in DNS is an error', async () => {
  const checks = await operated.checks([], { outside: { addressesOf: missingRecord('ENOTFOUND') } });
  expect(checks.get('address.name')).toMatchObject({ state: 'error', text: expect.stringContaining('ENOTFOUND') });
});

test('an https address without TRUST_PROXY is an error, because this server speaks no TLS', async () => {
  expect((await operated.checks([], { env: { TRUST_PROXY: 'off' } })).get('address.proxy')).toMatchObject({ state: 'error' });
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
    const checks = await operated.checks([], { env, outside: { limits: { check: 300, close: 100 }, txtOf: never } });
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

test('the command mail test shows the answer of the mail server, and needs no database', async () => {
  const env = { DATABASE_URL: nobody };
  const accepted = await operated.run(['mail', 'test', '--to', 'bob@example.org'], { env });
  expect(accepted).toMatchObject({ code: 0, out: expect.stringMatching(/has accepted an email to bob@example\.org.*answered: 250 /) });
  expect((await operated.mailbox.list())[0]).toMatchObject({
    to: ['bob@example.org'],
    from: expect.stringContaining('help@family-care.org'),
  });

  const smtp = await rudeSmtp((line) => (line.startsWith('RCPT') ? '550 5.7.1 relaying denied' : '250 ok'));
  const refused = await operated.run(['mail', 'test', '--to', 'bob@example.org'], { env: { ...env, SMTP_URL: smtp.url } });
  smtp.close();
  expect(refused).toMatchObject({ code: 1, out: expect.stringMatching(/has not accepted .*550 5\.7\.1 relaying denied/) });
  const without = await operated.run(['mail', 'test', '--to', 'bob@example.org'], { env: { SMTP_URL: '' } });
  expect(without).toMatchObject({ code: 1, out: expect.stringContaining('SMTP_URL is not set') });
});

test('the command version shows what the database has, and says so without a database', async () => {
  const { code, out } = await operated.run(['version']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^Porchlight \d+\.\d+\.\d+, Node \d+\.\d+\.\d+\.\nThe newest tables that this version knows are 0031-first-hour\.\nPostgreSQL \d+\.\d+\.\nThe newest tables in the database are 0031-first-hour\.\nThe epoch is 1\.\n$/,
  );
  const away = await operated.run(['version'], { env: { DATABASE_URL: nobody } });
  expect(away).toMatchObject({ code: 0, out: expect.stringMatching(/\nWhat the database has is not known\. No PostgreSQL answers .*\n$/) });
});
