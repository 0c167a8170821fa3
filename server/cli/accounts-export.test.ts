import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountTables } from '../db/account-data.ts';
import type { AccountExport } from '../features/account-data/export.ts';
import { porchlight } from '../testing/command.ts';
import { fillTables, incidentAccount } from '../testing/full-account.ts';
import { person, type TestServer, testServer } from '../testing/world.ts';

let server: TestServer;
let folder = '';
beforeAll(async () => {
  server = await testServer();
  folder = await mkdtemp(join(tmpdir(), 'export-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const exportTo = (to: string, email: string, ...more: string[]) => {
  const { database_url: DATABASE_URL, config } = server;
  return porchlight(['accounts', 'export', '--email', email, '--to', to, ...more], { DATABASE_URL, DATA_DIR: config.data_dir });
};
const exported = async (to: string, account: string): Promise<AccountExport> =>
  JSON.parse(await readFile(join(to, `account-${account}.json`), 'utf8')) as AccountExport;

test('an export has the rows of every table of this account and of no other, as JSON and as a page, for the operator’s eyes alone', async () => {
  const ann = await incidentAccount(server, 'Ann', '+12025550111');
  const eve = await incidentAccount(server, 'Eve', '+12025550112');
  for (const one of [ann, eve]) await fillTables(server, one);
  const to = join(folder, 'new', 'folder');
  const { code, out } = await exportTo(to, ann.email);
  expect(code).toBe(0);
  expect(out).toContain(join(to, `account-${ann.account}.json`));
  const file = await exported(to, ann.account);
  expect(file).toMatchObject({
    format: 'porchlight-account',
    format_version: 1,
    schema: expect.stringMatching(/^\d{4}-/),
    account: { uuid: ann.account, email: ann.email },
  });
  expect(Object.keys(file.tables).toSorted()).toEqual(accountTables.map(({ name }) => name as string).toSorted());
  expect(file.tables.devices).toMatchObject([{ uuid: ann.device, name: 'Ann’s PC' }]);
  // The result is as if all of it had been written at once.
  expect(await readFile(join(to, `account-${ann.account}.json`), 'utf8')).toBe(`${JSON.stringify(file, null, 2)}\n`);
  const page = await readFile(join(to, `account-${ann.account}.html`), 'utf8');
  expect(page).toContain('<h2>Computers</h2>');
  expect(page).toContain('Ann’s PC');
  for (const text of [JSON.stringify(file), page])
    for (const id of [eve.account, eve.email, eve.device, eve.guardian]) expect(text).not.toContain(id);
  expect((await readdir(to)).toSorted()).toEqual([`account-${ann.account}.html`, `account-${ann.account}.json`]);
  for (const name of await readdir(to)) expect((await stat(join(to, name))).mode & 0o777).toBe(0o600);
});

test('an export has no secret: no hash, no sealed text, no key and nothing that guardians entered for themselves', async () => {
  const ann = await incidentAccount(server, 'Ann', '+12025550113');
  await fillTables(server, ann);
  await server.db.updateTable('guardians').set({ phone_number: '+12025550199' }).where('uuid', '=', ann.guardian).execute();
  await exportTo(folder, ann.email);
  const file = await exported(folder, ann.account);
  const texts = [JSON.stringify(file.tables), await readFile(join(folder, `account-${ann.account}.html`), 'utf8')];
  const secrets: string[] = ['+12025550199'];
  for (const { name, owned, secret = [] } of accountTables) {
    for (const column of secret) {
      const statement = sql<{
        secret: string | null;
      }>`select ${sql.ref(column)}::text as secret from ${sql.table(name)} where ${owned({ uuid: ann.account, email: ann.email })}`;
      secrets.push(...(await statement.execute(server.db)).rows.flatMap((row) => row.secret ?? []).filter((text) => text.length > 8));
      expect(file.left_out[name]).toContain(column);
    }
  }
  // A domain is part of every address.
  const found = secrets.filter((secret) => secret !== 'example.org' && texts.some((text) => text.includes(secret)));
  expect(secrets.length).toBeGreaterThan(20);
  expect(found).toEqual([]);
});

test('names that contain HTML are shown as text on the page', async () => {
  const { email, token } = await person(server);
  await server.call('POST /web/create-device', { token, body: { name: '<script>alert(1)</script>&', policy: null } });
  const { uuid } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow();
  await exportTo(folder, email);
  const page = await readFile(join(folder, `account-${uuid}.html`), 'utf8');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&amp;');
  expect(page).not.toContain('<script');
});

test('existing files stay as they are, and nothing is written beside them; --replace writes over them', async () => {
  const { email } = await person(server);
  const { uuid } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow();
  const to = await mkdtemp(join(folder, 'old-'));
  await writeFile(join(to, `account-${uuid}.html`), 'old');
  expect(await exportTo(to, email)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/exists already, and nothing was written/),
  });
  expect(await readdir(to)).toEqual([`account-${uuid}.html`]);
  expect(await readFile(join(to, `account-${uuid}.html`), 'utf8')).toBe('old');
  expect((await exportTo(to, email, '--replace')).code).toBe(0);
  expect(await readFile(join(to, `account-${uuid}.html`), 'utf8')).toContain('<h2>Account</h2>');
  expect((await readdir(to)).length).toBe(2);
});

test('a folder that cannot be made is reported in one sentence, and a missing option too', async () => {
  const { email } = await person(server);
  await writeFile(join(folder, 'a-file'), '');
  await chmod(join(folder, 'a-file'), 0o600);
  expect(await exportTo(join(folder, 'a-file'), email)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/a-file cannot be written to; /),
  });
  expect(await porchlight(['accounts', 'export', '--email', email], {})).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^Say where/),
  });
});
