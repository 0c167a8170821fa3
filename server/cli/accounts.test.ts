import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandsOf } from '../testing/command.ts';
import { activeGuardian, linkedDevice, newcomer, person, type TestServer, testServer } from '../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const run = commandsOf(() => server);
const linesOf = async (...args: string[]) => (await run(...args)).out.trimEnd().split('\n');
const idOf = async (email: string) =>
  (await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow()).uuid;

test('the list has masked addresses in their order with plan, guardians and devices, and goes on after an address or an id', async () => {
  expect(await linesOf('accounts', 'list')).toEqual(['There are no accounts.']);
  const ann = await person(server, 'Ann Example', 'ann@example.org');
  await linkedDevice(server, ann.token, 'Den PC');
  await activeGuardian(server, ann.token, 'Bob');
  await newcomer(server, 'Bea Example', 'Bea@example.org');
  await server.call('POST /register', {
    body: { name: 'Cid', email: 'cid@example.org', password: 'correct horse battery', promo: null, signup_code: null },
  });
  await run('account', 'grant', '--email', 'cid@example.org', '--devices', '3', '--lifetime');
  const [annsId, beasId, cidsId] = [await idOf('ann@example.org'), await idOf('Bea@example.org'), await idOf('cid@example.org')];
  const ends = new Date(server.clock.now().getTime() + 30 * 24 * 3_600_000).toISOString().slice(0, 4);
  const annsLine = new RegExp(
    `^${annsId} {2}a•••@example\\.org \\(confirmed, since 2026-11-21, .+ until ${ends}-\\d\\d-\\d\\d, renews\\), 1 guardian, 1 device$`,
  );
  const beasLine = `${beasId}  B•••@example.org (confirmed, since 2026-11-21, no plan), 0 guardians, 0 devices`;
  const cidsLine = `${cidsId}  c•••@example.org (not confirmed, since 2026-11-21, a gift of 3 devices, for life), 0 guardians, 0 devices`;
  expect(await linesOf('accounts', 'list')).toEqual([expect.stringMatching(annsLine), beasLine, cidsLine]);
  expect(await linesOf('accounts', 'list', '--limit', '2')).toEqual([
    expect.stringMatching(annsLine),
    beasLine,
    `There are more: accounts list --after ${beasId}`,
  ]);
  expect(await linesOf('accounts', 'list', '--after', beasId)).toEqual([cidsLine]);
  expect(await linesOf('accounts', 'list', '--after', 'BEA@example.org')).toEqual([cidsLine]);
  expect(await linesOf('accounts', 'list', '--after', 'zzz@example.org')).toEqual(['There are no accounts after this one.']);
});

test.each([
  ['an address', 'finds@example.net'],
  ['a part of it in another case', 'FINDS@EX'],
  ['a part of a name', 'dolphi'],
  ['a part of a device’s name', 'kitchen'],
  ['a phone number', '+12025550188'],
  ['the id of the account', 'account'],
  ['the id of a device', 'device'],
])('an account is found by %s, with its whole address, and another account is not', async (_, text) => {
  const email = 'finds@example.net';
  const known = await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirst();
  if (!known) {
    const { token } = await person(server, 'Dolphin Example', email);
    await linkedDevice(server, token, 'Kitchen PC');
    await server.db.updateTable('accounts').set({ phone_number: '+12025550188' }).where('email', '=', email).execute();
    await newcomer(server, 'Zoe Example', 'other@example.com');
  }
  const account = await idOf(email);
  const device = await server.db.selectFrom('devices').select('uuid').where('account', '=', account).executeTakeFirstOrThrow();
  const typed = text === 'account' ? account : text === 'device' ? device.uuid : text;
  expect(await linesOf('accounts', 'find', typed)).toEqual([
    expect.stringMatching(
      new RegExp(`^${account} {2}${email}, Dolphin Example, \\+12025550188 \\(confirmed, .+\\), 0 guardians, 1 device: Kitchen PC$`),
    ),
  ]);
});

test('a search shows 50 accounts and says that there are more; wildcards are plain text', async () => {
  const row = (n: number) => ({
    uuid: crypto.randomUUID(),
    name: 'Crowd',
    email: `crowd${String(n).padStart(3, '0')}@example.org`,
    password_hash: 'x',
    device_limit: 0,
    created: server.clock.now(),
  });
  await server.db
    .insertInto('accounts')
    .values(Array.from({ length: 50 }, (_, n) => row(n)))
    .execute();
  expect(await linesOf('accounts', 'find', 'crowd')).toHaveLength(50);
  await server.db.insertInto('accounts').values(row(50)).execute();
  const lines = await linesOf('accounts', 'find', 'crowd');
  expect(lines).toHaveLength(51);
  expect(lines.at(-1)).toBe('There are more than 50; say more of it.');
  expect((await linesOf('accounts', 'find', 'crowd_'))[0]).toMatch(/^There is no account with "crowd_"/);
});

test.each([
  ['accounts list --limit 0', /^--limit should be a whole number from 1 to 1000/],
  ['accounts list --after nobody', /^--after should be an email address/],
  ['accounts list --after 00000000-0000-4000-8000-000000000000', /^There is no account with the id /],
  ['accounts find', /^Say what to find/],
  ['accounts find x', /^Say at least two characters/],
  ['accounts find ann more', /^"accounts find" does not know what to do with "more"/],
  ['accounts delete', /^Say whose account it is/],
  ['accounts delete --email nobody@example.org --yes', /^There is no account with the address/],
  ['accounts unlock --email nobody@example.org', /^There is no account with the address/],
  ['accounts confirm --email nobody@example.org', /^There is no account with the address/],
])('these arguments are refused in one sentence, with exit code 2: %s', async (args, sentence) => {
  const { code, out, err } = await run(...args.split(' '));
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(sentence);
});

test('help explains each command', async () => {
  const out = (await run('help', 'accounts')).out;
  for (const name of ['list', 'find', 'export', 'delete', 'unlock', 'confirm'])
    expect(out).toMatch(new RegExp(`^npm run porchlight -- accounts ${name}( |$)`, 'm'));
});
