import { hour } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountTables } from '../../db/account-data.ts';
import { fillTables, incidentAccount } from '../../testing/full-account.ts';
import { activeGuardian, goodPassword, newcomer, person, type TestServer, testServer } from '../../testing/world.ts';
import type { AccountExport } from './export.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const proof = { current_password: goodPassword };
const download = (token: string, format: 'json' | 'page' = 'json', body: object = proof) =>
  server.call('POST /web/account/download', { token, body: { ...body, format } });
const loggedDownloads = async (token: string) =>
  ((await server.call('GET /web/acts', { token })).body.items as unknown as { kind: string; words: string }[]).filter(
    ({ kind }) => kind === 'account_downloaded',
  );

async function fullAccounts() {
  const ann = await incidentAccount(server, 'Ann', '+12025550111');
  const eve = await incidentAccount(server, 'Eve', '+12025550112');
  // Logged in before, since the account gets an authenticator app.
  const { body } = await server.call('POST /login/web', { body: { email: ann.email, password: goodPassword } });
  for (const one of [ann, eve]) await fillTables(server, one);
  return { ann, eve, token: String(body.web_token) };
}

test('[P13.2] a holder downloads the rows of every table of the account and of no other, for programs and to read, also in an incident', async () => {
  const { ann, eve, token } = await fullAccounts();
  const json = await download(token);
  const page = await download(token, 'page');
  expect([json.status, page.status]).toEqual([200, 200]);
  const today = server.clock.now().toISOString().slice(0, 10);
  expect(json.body).toMatchObject({ file_name: `porchlight-account-${today}.json`, content_type: 'application/json' });
  expect(page.body).toMatchObject({ file_name: `porchlight-account-${today}.html`, content_type: 'text/html' });
  const [file, html] = [String(json.body.content), String(page.body.content)];
  const exported = JSON.parse(file) as AccountExport;
  expect(exported).toMatchObject({ format: 'porchlight-account', format_version: 1, account: { uuid: ann.account, email: ann.email } });
  expect(Object.keys(exported.tables).toSorted()).toEqual(accountTables.map(({ name }) => name as string).toSorted());
  expect(html).toContain('<h2>Computers</h2>');
  for (const text of [file, html]) {
    expect(text).toContain('Ann’s PC');
    for (const id of [eve.account, eve.email, eve.device, eve.guardian]) expect(text).not.toContain(id);
    expect(text).not.toMatch(/argon2|sealed-text/);
  }
});

test('[P13.2] a download is in the activity log, and the guardians are notified of it', async () => {
  const ann = await person(server);
  const bob = await activeGuardian(server, ann.token);
  await download(ann.token);
  const sentence = 'Ann downloaded the data of the account.';
  expect(await loggedDownloads(ann.token)).toMatchObject([{ words: sentence }]);
  expect((await server.mailsTo(ann.email))[0]?.text).toMatch(/You downloaded the data of the account/);
  expect((await server.mailsTo(bob.email))[0]?.text).toMatch(/The data of Ann’s account was downloaded/);
});

test('[P13.2] the page to read has the subject of an activity in words, and the file for programs as it is stored', async () => {
  const ann = await newcomer(server);
  expect((await server.call('PATCH /web/alert-settings', { token: ann.token, body: { mail: false } })).status).toBe(200);
  const entryOf = (text: string) => text.match(/alerts_off.*/)?.[0] ?? '';
  expect(entryOf(String((await download(ann.token, 'page')).body.content))).toContain('emails');
  const file = JSON.parse(String((await download(ann.token)).body.content)) as AccountExport;
  expect(file.tables.activity_log).toContainEqual(expect.objectContaining({ kind: 'alerts_off', what: 'mail' }));
});

test('with a wrong password, or none, nothing is handed out or logged', async () => {
  const ann = await newcomer(server);
  expect(await download(ann.token, 'json', { current_password: 'wrong horse battery' })).toMatchObject({
    status: 400,
    body: { code: 'password_wrong' },
  });
  expect((await download(ann.token, 'json', {})).status).toBe(422);
  expect(await loggedDownloads(ann.token)).toEqual([]);
});

test('five downloads in an hour are possible, and another account’s do not count', async () => {
  const [ann, eve] = [await newcomer(server), await newcomer(server)];
  for (let n = 0; n < 5; n++) expect((await download(ann.token)).status).toBe(200);
  expect(await download(ann.token)).toMatchObject({ status: 429, body: { code: 'too_many' } });
  expect((await download(eve.token)).status).toBe(200);
  server.clock.turn(hour);
  expect((await download(ann.token)).status).toBe(200);
});

test('while a download is collected, another one of the account is refused and not logged, and one of another account is not', async () => {
  const [ann, eve] = [await newcomer(server), await newcomer(server)];
  const { uuid } = await server.db.selectFrom('accounts').select('uuid').where('email', '=', ann.email).executeTakeFirstOrThrow();
  await server.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`download:${uuid}`}, 0))`.execute(trx);
    expect(await download(ann.token)).toMatchObject({ status: 429, body: { code: 'too_many' } });
    expect((await download(eve.token)).status).toBe(200);
  });
  expect(await loggedDownloads(ann.token)).toEqual([]);
  expect((await download(ann.token)).status).toBe(200);
});
