import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { registeredPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { porchlight } from '@porchlight/server/testing/command.ts';
import { logIn, password, register, termsBox } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** Opening an account: the form, offers, sign-up codes, and whom one asks for help. The codes are made by the operator's own command. */

let world: World;
withWorld(
  (its) => {
    world = its;
  },
  { env: { TRUST_PROXY: 'on' } },
);
// Each test has its own client address, so that no test uses up another's attempts.
let turn = 0;
test.beforeEach(async ({ page }) => {
  turn += 1;
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': `198.18.1.${turn}` });
});

const at = (path: string) => `${world.dashboardUrl}${path}`;
const operator = async (...words: string[]) => {
  const { code, err } = await porchlight(words, { DATA_DIR: world.dataDir });
  expect(err).toBe('');
  expect(code).toBe(0);
};
const button = (page: Page) => page.getByRole('button', { name: 'Register', exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

async function fill(page: Page, name: string, email: string): Promise<void> {
  await field(page, 'Name').fill(name);
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(password);
  await field(page, 'Confirm Password').fill(password);
  await termsBox(page).check();
}

const subOf = async (page: Page) => {
  const token = (await page.evaluate(() => localStorage.getItem('porchlight_token'))) ?? '';
  return call(world.url, 'GET /web/profile/sub', { token });
};

test('[2.40] [5.1] [5.2] [5.3] [5.4] [5.5] the button waits for both rules and the terms, and what is missing is said beside its field', async ({
  page,
}) => {
  await page.goto(at('/register'));
  await expect(page.getByRole('form', { name: 'Register' }).locator('input')).toHaveCount(5);
  await field(page, 'Name').fill('Ann Example');
  await field(page, 'Email').fill('rules@example.org');
  const short = page.getByText('Your password must be at least 12 characters.', { exact: true });
  const twice = page.getByText('You must enter the same password twice.', { exact: true });
  const terms = page.getByText('You must accept the terms of service and privacy policy', { exact: true });

  await field(page, 'Password').fill('a'.repeat(11));
  await expect(short).toHaveCount(0);
  await field(page, 'Confirm Password').fill('a'.repeat(11));
  await expect(short).toBeVisible();
  await termsBox(page).check();
  await expect(button(page)).toBeDisabled();

  await field(page, 'Password').fill('a'.repeat(12));
  await expect(short).toHaveCount(0);
  await expect(twice).toBeVisible();
  await expect(button(page)).toBeDisabled();

  await field(page, 'Confirm Password').fill('a'.repeat(12));
  await expect(twice).toHaveCount(0);
  await expect(button(page)).toBeEnabled();
  await expect(terms).toHaveCount(0);
  await termsBox(page).uncheck();
  await expect(terms).toBeVisible();
  await expect(button(page)).toBeDisabled();
  // Enter does not get around the disabled button.
  await field(page, 'Confirm Password').press('Enter');
  await expect(page).toHaveURL(at('/register'));
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('[7.3] what is sent, and one is logged in at once; the same address again is told beside the field, and nothing typed is lost', async ({
  page,
  browser,
}) => {
  await page.goto(at('/register'));
  await fill(page, 'Ann Example', 'twice@example.org');
  const sent = page.waitForRequest('**/api/register');
  await button(page).click();
  expect((await sent).postDataJSON()).toEqual({
    name: 'Ann Example',
    email: 'twice@example.org',
    password,
    promo: null,
    signup_code: null,
  });
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();

  const second = await browser.newPage();
  await second.goto(at('/register'));
  await fill(second, 'Ann Example', 'twice@example.org');
  await button(second).click();
  const alert = second.getByRole('alert');
  await expect(alert).toHaveText('There is already an account with this email address. Log in, or choose a new password.');
  await expect(alert).toBeFocused();
  await expect(field(second, 'Email')).toHaveAttribute('aria-invalid', 'true');
  await expect(field(second, 'Email')).toHaveValue('twice@example.org');
  await second.close();
});

test('an account whose first log-in does not go through is not told that its address is taken', async ({ page }) => {
  await page.route('**/api/login/web', (route) => route.abort());
  await page.goto(at('/register'));
  await fill(page, 'Kim Example', 'kim@example.org');
  await button(page).click();
  await expect(page.getByText('Your account is ready. Log in to go on.')).toBeVisible();
  await page.unroute('**/api/login/web');
  await logIn(page, { email: 'kim@example.org', password });
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
});

test('[2.42] while one registers there is help in the header, and a way out once one is signed in', async ({ page }) => {
  const nav = page.getByRole('navigation', { name: 'Main' });
  await page.goto(at('/register'));
  await expect(nav.getByRole('link')).toHaveText(['Help']);
  await expect(nav.getByRole('link')).toHaveAttribute('href', 'mailto:support@porchlight.example');
  await expect(nav.getByRole('button')).toHaveCount(0);
  await register(page, world, 'Lee Example', 'lee@example.org');
  await expect(nav.getByRole('link')).toHaveText(['Help', 'Profile']);
  await nav.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(at('/login'));
});

const offers: [title: string, code: string, words: string[], banner: string[]][] = [
  [
    'a percentage for some months',
    'SPRING',
    ['--percent', '25', '--months', '3'],
    ['25% off for your first 3 months', 'After that it renews at the regular price.'],
  ],
  ['an amount for good', 'FAMILY', ['--amount', '1000', '--forever'], ['$10.00 off for the life of your subscription']],
];
for (const [title, code, words, banner] of offers) {
  test(`[2.5] [2.39] [2.41] an offer in the address has a banner and stays with the account: ${title}`, async ({ page }) => {
    await operator('promo', 'create', '--code', code, ...words);
    await page.goto(at(`/register/${code.toLowerCase()}`));
    const offer = page.getByRole('region', { name: 'Your offer' });
    for (const text of [...banner, `The offer ${code} is taken off when you choose a plan.`]) await expect(offer).toContainText(text);
    await expect(offer.getByText('After that it renews at the regular price.')).toHaveCount(banner.length - 1);
    await fill(page, 'Pat Example', `${code.toLowerCase()}@example.org`);
    const sent = page.waitForRequest('**/api/register');
    await button(page).click();
    expect((await sent).postDataJSON()).toMatchObject({ promo: code.toLowerCase(), signup_code: null });
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
    expect((await subOf(page)).register_promo_code).toEqual({ code });
  });
}

for (const code of ['NOTHING', 'x'.repeat(150)]) {
  test(`[8.16] an offer that cannot be looked up is a line on the console, and registering goes on without it: ${code.slice(0, 9)}`, async ({
    page,
  }) => {
    const said: string[] = [];
    page.on('console', (message) => message.type() === 'warning' && said.push(message.text()));
    await page.goto(at(`/register/${code}`));
    await expect.poll(() => said.filter((text) => text.startsWith('The offer could not be looked up'))).toHaveLength(1);
    await expect(page.getByRole('region', { name: 'Your offer' })).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await fill(page, 'Pat Example', `without-${code.length}@example.org`);
    await button(page).click();
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
    expect((await subOf(page)).register_promo_code).toBeNull();
  });
}

test('[2.4] [2.39] [7.4] a sign-up code in the address gives the account what it is for, once; then it says that it was used', async ({
  page,
  browser,
}) => {
  await operator('signup-code', 'create', '--code', 'BANK', '--devices', '7', '--uses', '1', '--external');
  await page.goto(at('/register/c/BANK'));
  await expect(page.getByText('Your sign-up code works. Register to use it.')).toBeVisible();
  await fill(page, 'Sam Example', 'sam@example.org');
  await button(page).click();
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
  expect(await subOf(page)).toMatchObject({ device_limit: 7, external: true, subscribed: false });

  const second = await browser.newPage();
  await second.goto(at('/register/c/BANK'));
  await expect(second.getByRole('heading', { name: 'This sign-up code has been used' })).toBeVisible();
  await second.getByRole('link', { name: 'Register without a code' }).click();
  await expect(second).toHaveURL(at('/register'));
  await expect(button(second)).toBeVisible();
  await second.close();
});

test('a sign-up code that is unknown says so, and the code of a device leads to its own page', async ({ page }) => {
  await page.goto(at('/register/c/WRONG'));
  await expect(page.getByRole('heading', { name: 'We do not know this sign-up code' })).toBeVisible();
  await expect(button(page)).toHaveCount(0);
  const ann = await registeredPerson(world);
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Den PC' } });
  await page.goto(at(`/register/c/${login_code}`));
  await expect(page).toHaveURL(at(`/share/${login_code}`));
  await expect(page.getByText(login_code ?? '', { exact: true })).toBeVisible();
});

test('[1.4] whom one asks for help is whoever was set for this person, everywhere; without that it is the operator, under the default title', async ({
  page,
}) => {
  const ann = await registeredPerson(world);
  await page.goto(at('/login'));
  await logIn(page, ann);
  const block = page.getByRole('region', { name: 'Customer support' });
  await expect(block.getByRole('link')).toHaveText(['support@porchlight.example', '1-800-555-0100']);

  const details = ['--support-email', 'help@bank.example', '--phone', '+1 202 555 0143', '--title', 'Acme Bank'];
  const link = ['--description', 'We know your family.', '--link', 'https://bank.example/help', '--linktext', 'Write to us'];
  await operator('support', 'set', '--email', ann.email, ...details, ...link);
  await page.reload();
  const own = page.getByRole('region', { name: 'Acme Bank' });
  await expect(own.getByText('We know your family.')).toBeVisible();
  const links = own.getByRole('link');
  await expect(links).toHaveText(['Write to us', 'help@bank.example', '+1 202 555 0143']);
  await expect(links.nth(0)).toHaveAttribute('href', 'https://bank.example/help');
  await expect(links.nth(1)).toHaveAttribute('href', 'mailto:help@bank.example');
  await expect(links.nth(2)).toHaveAttribute('href', 'tel:+12025550143');
  await expect(block).toHaveCount(0);
  await expect(page.getByRole('contentinfo')).toContainText('Acme Bank');
  await expect(page.getByText('support@porchlight.example')).toHaveCount(0);

  const open = ['/free-download', '/what-we-recognise', '/no-such-page', '/confirm-email/unknown', '/confirm-email-change/unknown'];
  for (const path of open) {
    await page.goto(at(path));
    await expect(page.getByRole('contentinfo')).toContainText('Acme Bank');
    await expect(page.getByText('support@porchlight.example')).toHaveCount(0);
    await expect(page).toHaveURL(at(path));
  }

  // After a log-out, the operator's support shows again.
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('contentinfo')).toContainText('support@porchlight.example');
});

test('[1.4] a login that has ended leads nobody away from a page that is open to anyone, and the operator is named there', async ({
  page,
}) => {
  const ann = await registeredPerson(world);
  await operator('support', 'set', '--email', ann.email, '--title', 'Acme Bank', '--phone', '+1 202 555 0143');
  await page.goto(at('/login'));
  await logIn(page, ann);
  await expect(page.getByRole('contentinfo')).toContainText('Acme Bank');
  await page.evaluate(() => localStorage.setItem('porchlight_token', 'ended'));
  const refused = page.waitForResponse((response) => response.url().endsWith('/api/web/profile') && response.status() === 401);
  await page.goto(at('/free-download'));
  await refused;
  await expect(page.getByRole('heading', { level: 1, name: 'Start using our free plan' })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toContainText('support@porchlight.example');
  await expect(page).toHaveURL(at('/free-download'));
});
