// Tier: fast. The journey of section 1, what the product is and for whom.
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { registeredPerson } from './lib/people.ts';
import { logIn, password, register, termsBox } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { commandIn } from './lib/subscribe.ts';
import { test } from './lib/test.ts';

/** The operator's own command makes the codes. */

let world: World;
withWorld(
  (startedWorld) => {
    world = startedWorld;
  },
  { env: { TRUST_PROXY: 'on' } },
);
// Each test has its own client address because of the rate limits.
let turn = 0;
test.beforeEach(async ({ page }) => {
  turn += 1;
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': `198.18.1.${turn}` });
});

const urlOf = (path: string) => `${world.dashboardUrl}${path}`;
const operator = async (...commandArguments: string[]) => {
  const { code, err } = await commandIn(world, ...commandArguments);
  expect(err).toBe('');
  expect(code).toBe(0);
};
const button = (page: Page) => page.getByRole('button', { name: 'Register', exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

async function fillForm(page: Page, name: string, email: string): Promise<void> {
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

test('[2.40] [5.1] [5.2] [5.3] [5.4] [5.5] the register button needs both password rules and the terms, and errors appear beside their fields', async ({
  page,
}) => {
  await page.goto(urlOf('/register'));
  await expect(page.getByRole('form', { name: 'Register' }).locator('input')).toHaveCount(5);
  await field(page, 'Name').fill('Ann Example');
  await field(page, 'Email').fill('rules@example.org');
  const lengthError = page.getByText('Your password must be at least 12 characters.', { exact: true });
  const mismatchError = page.getByText('You must enter the same password twice.', { exact: true });
  const terms = page.getByText('You must accept the terms of service and privacy policy', { exact: true });

  await field(page, 'Password').fill('a'.repeat(11));
  await expect(lengthError).toHaveCount(0);
  await field(page, 'Confirm Password').fill('a'.repeat(11));
  await expect(lengthError).toBeVisible();
  await termsBox(page).check();
  await expect(button(page)).toBeDisabled();

  await field(page, 'Password').fill('a'.repeat(12));
  await expect(lengthError).toHaveCount(0);
  await expect(mismatchError).toBeVisible();
  await expect(button(page)).toBeDisabled();

  await field(page, 'Confirm Password').fill('a'.repeat(12));
  await expect(mismatchError).toHaveCount(0);
  await expect(button(page)).toBeEnabled();
  await expect(terms).toHaveCount(0);
  await termsBox(page).uncheck();
  await expect(terms).toBeVisible();
  await expect(button(page)).toBeDisabled();
  await field(page, 'Confirm Password').press('Enter');
  await expect(page).toHaveURL(urlOf('/register'));
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('[7.3] registering sends the form and logs in at once; a taken address shows an error beside the field, and the input stays', async ({
  page,
  browser,
}) => {
  await page.goto(urlOf('/register'));
  await fillForm(page, 'Ann Example', 'twice@example.org');
  const requestPromise = page.waitForRequest('**/api/register');
  await button(page).click();
  expect((await requestPromise).postDataJSON()).toEqual({
    name: 'Ann Example',
    email: 'twice@example.org',
    password,
    promo: null,
    signup_code: null,
  });
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();

  const secondPage = await browser.newPage();
  await secondPage.goto(urlOf('/register'));
  await fillForm(secondPage, 'Ann Example', 'twice@example.org');
  await button(secondPage).click();
  const alert = secondPage.getByRole('alert');
  await expect(alert).toHaveText('There is already an account with this email address. Log in, or choose a new password.');
  await expect(alert).toBeFocused();
  await expect(field(secondPage, 'Email')).toHaveAttribute('aria-invalid', 'true');
  await expect(field(secondPage, 'Email')).toHaveValue('twice@example.org');
  await secondPage.close();
});

test('an account whose first login fails sees no error about a taken address', async ({ page }) => {
  await page.route('**/api/login/web', (route) => route.abort());
  await page.goto(urlOf('/register'));
  await fillForm(page, 'Kim Example', 'kim@example.org');
  await button(page).click();
  await expect(page.getByText('Your account is ready. Log in to go on.')).toBeVisible();
  await page.unroute('**/api/login/web');
  await logIn(page, { email: 'kim@example.org', password });
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
});

test('[2.42] while registering the header has help, and a log-out once there is an account', async ({ page }) => {
  const nav = page.getByRole('navigation', { name: 'Main' });
  await page.goto(urlOf('/register'));
  await expect(nav.getByRole('link')).toHaveText(['Help']);
  await expect(nav.getByRole('link')).toHaveAttribute('href', 'mailto:support@porchlight.example');
  await expect(nav.getByRole('button')).toHaveCount(0);
  await register(page, world, 'Lee Example', 'lee@example.org');
  await expect(nav.getByRole('link')).toHaveText(['Help', 'Profile']);
  await nav.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(urlOf('/login'));
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
for (const [title, code, texts, banner] of offers) {
  test(`[2.5] [2.39] [2.41] an offer in the address shows a banner and stays with the account: ${title}`, async ({ page }) => {
    await operator('promo', 'create', '--code', code, ...texts);
    await page.goto(urlOf(`/register/${code.toLowerCase()}`));
    const offer = page.getByRole('region', { name: 'Your offer' });
    for (const text of [...banner, `The offer ${code} is taken off when you choose a plan.`]) await expect(offer).toContainText(text);
    await expect(offer.getByText('After that it renews at the regular price.')).toHaveCount(banner.length - 1);
    await fillForm(page, 'Pat Example', `${code.toLowerCase()}@example.org`);
    const requestPromise = page.waitForRequest('**/api/register');
    await button(page).click();
    expect((await requestPromise).postDataJSON()).toMatchObject({ promo: code.toLowerCase(), signup_code: null });
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
    expect((await subOf(page)).register_promo_code).toEqual({ code });
  });
}

for (const code of ['NOTHING', 'x'.repeat(150)]) {
  test(`[8.16] an offer that cannot be looked up is a warning on the console, and registering works without it: ${code.slice(0, 9)}`, async ({
    page,
  }) => {
    const warnings: string[] = [];
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    await page.goto(urlOf(`/register/${code}`));
    await expect.poll(() => warnings.filter((text) => text.startsWith('The offer could not be looked up'))).toHaveLength(1);
    await expect(page.getByRole('region', { name: 'Your offer' })).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await fillForm(page, 'Pat Example', `without-${code.length}@example.org`);
    await button(page).click();
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
    expect((await subOf(page)).register_promo_code).toBeNull();
  });
}

test('[2.4] [2.39] [7.4] a sign-up code in the address gives the account its benefit once, and then counts as used', async ({
  page,
  browser,
}) => {
  await operator('signup-code', 'create', '--code', 'BANK', '--devices', '7', '--uses', '1', '--external');
  await page.goto(urlOf('/register/c/BANK'));
  await expect(page.getByText('Your sign-up code works. Register to use it.')).toBeVisible();
  await fillForm(page, 'Sam Example', 'sam@example.org');
  await button(page).click();
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
  expect(await subOf(page)).toMatchObject({ device_limit: 7, external: true, subscribed: false });

  const secondPage = await browser.newPage();
  await secondPage.goto(urlOf('/register/c/BANK'));
  await expect(secondPage.getByRole('heading', { name: 'This sign-up code has been used' })).toBeVisible();
  await secondPage.getByRole('link', { name: 'Register without a code' }).click();
  await expect(secondPage).toHaveURL(urlOf('/register'));
  await expect(button(secondPage)).toBeVisible();
  await secondPage.close();
});

test('an unknown sign-up code says so, and a device code leads to its own page', async ({ page }) => {
  await page.goto(urlOf('/register/c/WRONG'));
  await expect(page.getByRole('heading', { name: 'We do not know this sign-up code' })).toBeVisible();
  await expect(button(page)).toHaveCount(0);
  const ann = await registeredPerson(world);
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Den PC' } });
  await page.goto(urlOf(`/register/c/${login_code}`));
  await expect(page).toHaveURL(urlOf(`/share/${login_code}`));
  await expect(page.getByText(login_code ?? '', { exact: true })).toBeVisible();
});

test('[1.4] every page names the third-party support of the account; without it the operator’s, under the default title', async ({
  page,
}) => {
  const ann = await registeredPerson(world);
  await page.goto(urlOf('/login'));
  await logIn(page, ann);
  const block = page.getByRole('region', { name: 'Customer support' });
  await expect(block.getByRole('link')).toHaveText(['support@porchlight.example', '1-800-555-0100']);

  const details = ['--support-email', 'help@bank.example', '--phone', '+1 202 555 0143', '--title', 'Acme Bank'];
  const link = ['--description', 'We know your family.', '--link', 'https://bank.example/help', '--linktext', 'Write to us'];
  await operator('support', 'set', '--email', ann.email, ...details, ...link);
  await page.reload();
  const ownSupport = page.getByRole('region', { name: 'Acme Bank' });
  await expect(ownSupport.getByText('We know your family.')).toBeVisible();
  const links = ownSupport.getByRole('link');
  await expect(links).toHaveText(['Write to us', 'help@bank.example', '+1 202 555 0143']);
  await expect(links.nth(0)).toHaveAttribute('href', 'https://bank.example/help');
  await expect(links.nth(1)).toHaveAttribute('href', 'mailto:help@bank.example');
  await expect(links.nth(2)).toHaveAttribute('href', 'tel:+12025550143');
  await expect(block).toHaveCount(0);
  await expect(page.getByRole('contentinfo')).toContainText('Acme Bank');
  await expect(page.getByText('support@porchlight.example')).toHaveCount(0);

  const open = ['/free-download', '/what-we-recognise', '/no-such-page', '/confirm-email/unknown', '/confirm-email-change/unknown'];
  for (const path of open) {
    await page.goto(urlOf(path));
    await expect(page.getByRole('contentinfo')).toContainText('Acme Bank');
    await expect(page.getByText('support@porchlight.example')).toHaveCount(0);
    await expect(page).toHaveURL(urlOf(path));
  }

  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('contentinfo')).toContainText('support@porchlight.example');
});

test('[1.4] an expired login does not redirect from a public page, which names the operator’s support', async ({ page }) => {
  const ann = await registeredPerson(world);
  await operator('support', 'set', '--email', ann.email, '--title', 'Acme Bank', '--phone', '+1 202 555 0143');
  await page.goto(urlOf('/login'));
  await logIn(page, ann);
  await expect(page.getByRole('contentinfo')).toContainText('Acme Bank');
  // The dashboard polls, and the first 401 would end the login there; the page of the free download does not poll.
  await page.goto(urlOf('/free-download'));
  await expect(page.getByRole('contentinfo')).toContainText('Acme Bank');
  await page.evaluate(() => localStorage.setItem('porchlight_token', 'ended'));
  const refusedResponse = page.waitForResponse((response) => response.url().endsWith('/api/web/profile') && response.status() === 401);
  await page.reload();
  await refusedResponse;
  await expect(page.getByRole('heading', { level: 1, name: 'Start using our free plan' })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toContainText('support@porchlight.example');
  await expect(page).toHaveURL(urlOf('/free-download'));
});
