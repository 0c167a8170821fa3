import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandsOf, porchlight } from '../testing/command.ts';
import { fakeAddress, goodPassword, newcomer, person, type TestServer, testServer } from '../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({}, undefined, { storedShop: true });
});
afterAll(() => server.close());

const run = commandsOf(() => server, { PUBLIC_URL: 'https://www.porchlight.example' });
const checkCode = (code: string) => server.call('POST /code', { body: { code }, headers: { 'x-forwarded-for': fakeAddress() } });
const successWith = (...lines: string[]) => ({ code: 0, out: `${lines.join('\n')}\n`, err: '' });

test('a sign-up code is created, listed and checked, and an account registered with it gets its plan', async () => {
  const createResult = await run(
    ...'signup-code create --code Bank-27 --devices 8 --uses 2 --expires 2999-01-31 --external --lifetime'.split(' '),
    '--note',
    'the bank',
  );
  expect(createResult).toEqual(
    successWith(
      'The sign-up code Bank-27 is made: 8 devices, managed externally, for life, for 2 accounts, until the end of 2999-01-31 (UTC).',
      'Give this address away: https://www.porchlight.example/dashboard/register/c/Bank-27',
    ),
  );
  const { body } = await checkCode('BANK-27');
  const headers = { 'x-forwarded-for': fakeAddress() };
  const credentials = { email: 'bank@example.org', password: goodPassword };
  const signup_code = String(body.signup_code_id);
  expect((await server.call('POST /register', { body: { name: 'Ann', ...credentials, signup_code }, headers })).status).toBe(200);
  const { body: login } = await server.call('POST /login/web', { body: credentials, headers });
  const plan = await server.call('GET /web/profile/sub', { token: String(login.web_token) });
  expect(plan.body).toMatchObject({ device_limit: 8, external: true, lifetime: true });
  expect(await run('signup-code', 'list')).toEqual(
    successWith('Bank-27: 8 devices, managed externally, for life, used 1 of 2, until the end of 2999-01-31 (UTC) (the bank)'),
  );
  const { expires } = await server.db.selectFrom('signup_codes').select('expires').executeTakeFirstOrThrow();
  expect(expires?.toISOString()).toBe('2999-01-31T23:59:59.000Z');
});

test('without options a sign-up code is random, allows five devices and one account, and does not expire', async () => {
  const { out, code } = await run('signup-code', 'create');
  expect(code).toBe(0);
  const createdCode = /^The sign-up code (\w{5}-\w{5}) is made: 5 devices, for one account, without an end\.\n/.exec(out)?.[1] ?? '';
  expect((await checkCode(createdCode)).status).toBe(200);
});

test('promos are created and listed, in the same wording as on the dashboard', async () => {
  expect(await run(...'promo create --code SPRING --amount 1000 --months 3 --until 2999-01-31'.split(' '))).toEqual(
    successWith(
      'The promo SPRING is made: $10.00 off for the first 3 months, until the end of 2999-01-31 (UTC).',
      'Give this address away: https://www.porchlight.example/dashboard/register/SPRING',
    ),
  );
  expect((await run(...'promo create --code ALWAYS --percent 12.5 --forever'.split(' '))).code).toBe(0);
  expect((await run('promo', 'list')).out.trim().split('\n').sort()).toEqual([
    'ALWAYS: 12.5% off for the life of the subscription, without an end',
    'SPRING: $10.00 off for the first 3 months, until the end of 2999-01-31 (UTC)',
  ]);
  const { body } = await server.call('GET /promo-code?code=spring');
  expect(body).toMatchObject({
    amount_off: 1000,
    percent_off: null,
    duration: 'repeating',
    duration_in_months: 3,
    redeem_by: 32_474_822_399,
  });
});

test('[1.4] the support details of an account are set, replaced and cleared', async () => {
  const { token, email } = await person(server);
  const details = async (of = token) => (await server.call('GET /web/profile', { token: of })).body.third_party_support;
  const other = await person(server);
  await run('support', 'set', '--email', other.email, '--phone', '555 0111');
  const setResult = await run(
    ...['support', 'set', '--email', email.toUpperCase(), '--support-email', 'help@bank.example', '--phone', '1-800-555-0199'],
    ...[
      '--title',
      'Your bank',
      '--description',
      'On Main Street.',
      '--link',
      'https://bank.example/help',
      '--linktext',
      'Ask',
      '--exclusive',
    ],
  );
  expect(setResult).toEqual(
    successWith(`${email} now asks "Your bank" (help@bank.example, 1-800-555-0199, https://bank.example/help), and nobody else.`),
  );
  expect(await details()).toEqual({
    email: 'help@bank.example',
    phone: '1-800-555-0199',
    title: 'Your bank',
    description: 'On Main Street.',
    exclusive: true,
    link: 'https://bank.example/help',
    linktext: 'Ask',
  });
  expect(await run('support', 'set', '--email', email, '--phone', '555 0100')).toEqual(
    successWith(`${email} now asks "Customer support" (555 0100).`),
  );
  expect(await details()).toMatchObject({ email: null, phone: '555 0100', title: null, exclusive: false, link: null });
  expect(await run('support', 'clear', '--email', email)).toEqual(successWith(`${email} now asks the usual support again.`));
  expect(await details()).toBeNull();
  expect((await run('support', 'clear', '--email', email)).out).toBe(`${email} had no support of their own; nothing changed.\n`);
  expect(await details(other.token)).toMatchObject({ phone: '555 0111' });
});

test('[3.9] an account is granted devices, external management and a lifetime plan, and a grant can be revoked', async () => {
  const { token, email } = await newcomer(server, 'Ann\u001b[2J Example');
  const plan = async () => (await server.call('GET /web/profile/sub', { token })).body;
  expect(await run('account', 'grant', '--email', email, '--devices', '1', '--external', '--lifetime')).toEqual(
    successWith(`${email} now has 1 device, managed externally, for life.`),
  );
  expect(await plan()).toMatchObject({ subscribed: false, device_limit: 1, external: true, lifetime: true });
  expect((await run('account', 'grant', '--email', email, '--no-external')).out).toBe(`${email} now has 1 device, for life.\n`);
  expect(await plan()).toMatchObject({ device_limit: 1, external: false, lifetime: true });
  expect((await run('account', 'grant', '--email', email, '--devices', '0')).out).toBe(
    `${email} now has any number of devices, for life.\n`,
  );
  expect((await run('account', 'grant', '--email', email, '--devices', '1')).out).toBe(`${email} now has 1 device, for life.\n`);
  expect(await run('account', 'show', '--email', email)).toEqual(
    successWith(
      `Ann [2J Example, ${email} (confirmed)`,
      'Has 1 device, for life.',
      'Registered without a promo.',
      'Asks the usual support.',
    ),
  );
});

describe('a wrong argument is reported in one sentence with exit code 2, and nothing changes', () => {
  const promo = 'promo create --code NEW1';
  test.each([
    ['bla', /^There is no command "bla"; npm run porchlight -- help shows every word\.$/],
    ['toString x', /^There is no command "toString"/],
    ['signup-code', /^After "signup-code" say "create" or "list"; /],
    ['signup-code create --devices many', /^--devices should be a whole number from 0 to 10000, for example --devices 5\.$/],
    ['signup-code create --devices -1', /^--devices needs a value after it/],
    ['signup-code create --uses 0', /^--uses should be a whole number from 1 to 1000000/],
    ['signup-code create --expires 2999-02-30', /^--expires should be a day that exists, written as --expires \d{4}-01-31\.$/],
    ['signup-code create --expires 2020-01-31', /^--expires 2020-01-31 is over already; choose a day that is still to come\.$/],
    ['signup-code create --code a/b', /^--code should be 3 to 40 letters, digits, dashes or underscores/],
    ['signup-code create --code BANK-27', /^There is already a sign-up code BANK-27; choose another text\.$/],
    ['signup-code create --external=yes', /^--external stands alone/],
    ['signup-code create --what', /^"signup-code create" does not know --what; /],
    ['signup-code create more', /^"signup-code create" does not know what to do with "more"/],
    ['signup-code list --all', /^"signup-code list" does not know --all/],
    ['promo create --percent 5 --forever', /^A promo needs a code/],
    [`${promo} --forever`, /^Say what the promo takes off with one of the two/],
    [`${promo} --percent 5 --amount 5 --forever`, /^Say what the promo takes off with one of the two/],
    [`${promo} --percent 5`, /^Say how long the promo lasts with one of the two/],
    [`${promo} --percent 5 --forever --months 3`, /^Say how long the promo lasts with one of the two/],
    [`${promo} --percent 100.01 --forever`, /^--percent should be a number above 0 and at most 100/],
    [`${promo} --amount 9.99 --forever`, /^--amount should be a whole number from 1/],
    ['promo create --code NEW_1 --percent 5 --forever', /^--code should be letters, digits or dashes/],
    [`${promo} --percent 5 --months 0`, /^--months should be a whole number from 1 to 120/],
    ['promo create --code spring --percent 5 --forever', /^There is already a promo spring; choose another code\.$/],
    ['support set --phone 5550100', /^Say whose account it is/],
    ['support set --email nobody@example.org --phone 5550100', /^There is no account with the address nobody@example\.org; /],
    ['support set --email nobody@example.org', /^Say how the support is reached/],
    ['support set --email nobody@example.org --phone 1 --linktext Ask', /^--phone should be a phone number/],
    ['support set --email nobody@example.org --phone 5550100 --linktext Ask', /^--linktext is what a link is called/],
    [
      'support set --email nobody@example.org --link javascript:alert(1)',
      /^--link should be a web address that begins with https:\/\/ or http:\/\//,
    ],
    ['support set --email nobody@example.org --link ftp://x.example/', /^--link should be a web address/],
    ['account grant --email nobody@example.org', /^Say what to give/],
    ['account grant --email nobody --lifetime', /^--email should be an email address/],
    ['account show --email nobody@example.org', /^There is no account with the address/],
  ])('these arguments are refused: %s', async (args, sentence) => {
    const rows = async () =>
      JSON.stringify([
        await server.db.selectFrom('signup_codes').selectAll().execute(),
        await server.stripeSimulator.at(({ state }) => [state.promotion_codes, state.coupons]),
      ]);
    const before = await rows();
    const { code, out, err } = await run(...args.split(' '));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(err.trimEnd()).toMatch(sentence);
    expect(await rows()).toBe(before);
  });
});

test.each([
  ['promo', 'create', '--help'],
  ['help', 'promo', 'create'],
  ['promo', 'create', '--code', 'X', '-h'],
])('help of one command explains its options and no other command: %s', async (...args) => {
  const { code, out } = await run(...args);
  expect(code).toBe(0);
  expect(out).toMatch(/^npm run porchlight -- promo create --code TEXT /);
  expect(out).not.toContain('signup-code');
});

test.each([['help'], ['--help'], []])('help names every command: %s', async (...args) => {
  const { code, out } = await run(...args);
  expect(code).toBe(0);
  for (const name of [
    'signup-code create',
    'signup-code list',
    'promo create',
    'promo list',
    'payments status',
    'payments believe',
    'support set',
    'support clear',
    'account grant',
    'account show',
  ]) {
    expect(out).toMatch(new RegExp(`^npm run porchlight -- ${name}( |$)`, 'm'));
  }
});

test('a Stripe that is unreachable or rejects the key is reported in one sentence, with exit code 1', async () => {
  const { api_base } = server.stripeSimulator.settings;
  const runWithStripeAt = (STRIPE_API_BASE: string) => {
    const stripe = { STRIPE_SECRET_KEY: 'sk_test_wrong', STRIPE_WEBHOOK_SECRET: 'whsec_x', STRIPE_API_BASE };
    return porchlight(['promo', 'list'], { DATABASE_URL: server.database_url, ...stripe });
  };
  expect(await runWithStripeAt(api_base)).toEqual({ code: 1, out: '', err: 'Stripe does not know this key; check STRIPE_SECRET_KEY.\n' });
  expect(await runWithStripeAt('http://127.0.0.1:1')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Stripe cannot be reached; .*\n$/),
  });
});

test('an unreachable database and an invalid setting are each reported in one sentence, with exit code 1', async () => {
  expect(await porchlight(['promo', 'list'], { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' })).toEqual({
    code: 1,
    out: '',
    err: 'The database cannot be reached (ECONNREFUSED); check DATABASE_URL, or whether the database runs.\n',
  });
  expect(await porchlight(['promo', 'list'], { DATABASE_URL: 'x' })).toMatchObject({
    code: 1,
    err: 'DATABASE_URL should be a PostgreSQL address, for example postgres://user:password@host/porchlight.\n',
  });
});
