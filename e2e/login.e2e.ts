import { expect, type Locator, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { registeredPerson } from './lib/people.ts';
import { linkIn, logIn, mailTo, register } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
const people: Person[] = [];
withWorld(
  (startedWorld) => {
    world = startedWorld;
  },
  { env: { TRUST_PROXY: 'on' } },
);
test.beforeAll(async () => {
  for (let i = 0; i < 7; i++) people.push(await registeredPerson(world));
});
// Each test has its own client address and the accounts take turns, because of the login rate limit.
let turn = 0;
test.beforeEach(async ({ page }) => {
  turn += 1;
  ann = people[turn % people.length] ?? ann;
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': `198.18.0.${turn}` });
});

const urlOf = (path: string) => `${world.dashboardUrl}${path}`;
const button = (page: Page) => page.getByRole('button', { name: 'Log in', exact: true });
const token = (page: Page) => page.evaluate(() => localStorage.getItem('porchlight_token'));
const greeting = (page: Page) => page.getByRole('heading', { name: /^Good / });
const expire = async (page: Page) => call(world.url, 'POST /web/logout', { token: (await token(page)) ?? '' });
/** Ends the login so that the press, and not a poll of the guardians before it, gets the first 401. */
async function expireAtPress(page: Page, target: Locator): Promise<void> {
  await page.route('**/api/web/guardians', (route) => route.abort());
  await expire(page);
  await target.click();
  await expect(page).toHaveURL(urlOf('/login?expired=1'));
  await page.unroute('**/api/web/guardians');
}

test('[2.29] [2.30] [5.9] the login button is enabled only when both fields are filled, and the enter key submits', async ({ page }) => {
  await page.goto(urlOf('/login'));
  await expect(button(page)).toBeDisabled();
  await page.getByLabel('Email').fill(ann.email);
  await expect(button(page)).toBeDisabled();
  await page.getByLabel('Email').press('Enter');
  await page.getByLabel('Password', { exact: true }).fill('x');
  await expect(button(page)).toBeEnabled();
  await page.getByLabel('Email').fill('');
  await expect(button(page)).toBeDisabled();
  await page.getByLabel('Email').fill(ann.email);
  await page.getByLabel('Password', { exact: true }).fill(ann.password);
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(greeting(page)).toBeVisible();
});

test('[2.38] [3.8] [4.2] [7.1] the token is stored, the dashboard opens, and every call carries the token', async ({ page }) => {
  await page.goto(urlOf('/login'));
  expect(await token(page)).toBeNull();
  const requestPromise = page.waitForRequest(`${world.url}/api/web/devices`);
  await logIn(page, ann);
  await expect(page).toHaveURL(urlOf(''));
  await requestPromise;
  const calls: { path: string; authorization: string | undefined }[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push({ path: pathname, authorization: request.headers().authorization });
  });
  const families = page.waitForRequest(`${world.url}/api/definitions/families.json`);
  await page.goto(urlOf('/what-we-recognise'));
  await families;
  await page.goto(urlOf(''));
  await expect.poll(() => calls.map(({ path }) => path)).toContain('/api/web/devices');
  const bearer = `Bearer ${await token(page)}`;
  expect(calls.filter(({ authorization }) => authorization !== bearer)).toEqual([]);
});

test('a wrong password shows an error in the focused alert area; the input and the page stay', async ({ page }) => {
  await page.goto(urlOf('/login'));
  await logIn(page, { ...ann, password: 'wrong' });
  await expect(page.getByRole('alert')).toHaveText('That email and password do not go together. Check both and try again.');
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page).toHaveURL(urlOf('/login'));
  await expect(page.getByLabel('Email')).toHaveValue(ann.email);
});

const notices: [title: string, query: string, words: string][] = [
  ['[2.31] [2.32] after a reset', 'notice=password-reset', 'Your password has been reset.'],
  ['[2.33] a reset link that is none', 'notice=invalid-reset-key', 'The password reset token is invalid.'],
  ['[2.34] a reset link that is too old', 'notice=reset-key-expired', 'The password reset token has expired.'],
  ['[2.35] a confirmed address', 'notice=email-confirmed', 'Your email address has been confirmed.'],
  ['[2.36] an expired login', 'expired=1', 'Your login has expired. Please login again.'],
];
for (const [title, query, noticeText] of notices) {
  test(`the login shows the notice: ${title}`, async ({ page }) => {
    await page.goto(urlOf(`/login?${query}`));
    await expect(page.getByText(noticeText, { exact: true })).toBeVisible();
    await expect(page.locator('.note')).toHaveCount(1);
  });
}

for (const name of ['constructor', '__proto__', 'nothing', '']) {
  test(`an unknown notice shows no text: "${name}"`, async ({ page }) => {
    await page.goto(urlOf(`/login?notice=${name}`));
    await expect(button(page)).toBeVisible();
    await expect(page.locator('.note')).toHaveCount(0);
  });
}

test('[2.37] links lead to the free trial, the forgotten password and support', async ({ page }) => {
  await page.goto(urlOf('/login'));
  await expect(page.getByRole('link', { name: 'Customer support' })).toHaveAttribute('href', /^mailto:/);
  await page.getByRole('link', { name: /free 14-day trial/ }).click();
  await expect(page).toHaveURL(urlOf('/register'));
  await page.goBack();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page).toHaveURL(urlOf('/forgot-password'));
});

test('[2.23] [2.38] after the login the requested page opens with its query, and never another site', async ({ page }) => {
  await page.goto(urlOf('/add-device?step=machine'));
  await expect(page).toHaveURL(urlOf('/login'));
  await logIn(page, ann);
  await expect(page).toHaveURL(urlOf('/add-device?step=machine'));
  await page.getByRole('button', { name: 'Log out' }).click();

  for (const unsafePath of ['//evil.example/x', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    await page.evaluate((target) => window.history.replaceState({ usr: { from: target }, key: 'x', idx: 0 }, ''), unsafePath);
    await page.reload();
    await logIn(page, ann);
    await expect(page).toHaveURL(urlOf(''));
    await page.getByRole('button', { name: 'Log out' }).click();
  }
});

test('[4.3] [8.8] a 401 to a background poll ends the login, and the next login returns to the same page', async ({ page }) => {
  await page.goto(urlOf('/login'));
  await logIn(page, ann);
  await page.getByRole('link', { name: 'Add Device' }).click();
  await page.getByRole('button', { name: 'Another device' }).click();
  await expect(page.getByLabel('Device name')).toBeVisible();
  await page.goto(urlOf('/profile/guardians?from=here'));
  await expect(page.getByRole('form', { name: 'Add a Guardian' })).toBeVisible();
  await expire(page);
  await expect(page).toHaveURL(urlOf('/login?expired=1'), { timeout: 25_000 });
  await expect(page.getByText('Your login has expired. Please login again.')).toBeVisible();
  expect(await token(page)).toBeNull();
  await logIn(page, ann);
  await expect(page).toHaveURL(urlOf('/profile/guardians?from=here'));
});

test('[4.3] [8.8] a 401 after a press ends the login too; after the next login the input is restored, once', async ({ page }) => {
  await page.goto(urlOf('/login'));
  await logIn(page, ann);
  await expect(greeting(page)).toBeVisible();
  await page.goto(urlOf('/profile/guardians'));
  await typeGuardian(page);
  await expireAtPress(page, page.getByRole('button', { name: 'Add Guardian' }));
  await logIn(page, ann);
  await expect(page.getByLabel('Name')).toHaveValue('Bob Builder');
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('bob@example.org');
  await page.reload();
  await expect(page.getByLabel('Name')).toHaveValue('');
});

for (const [nextPerson, logInNext] of [
  [
    'someone else who logs in next',
    async (page: Page) => {
      await logIn(page, await registeredPerson(world, 'Eve Example'));
      await expect(page).toHaveURL(urlOf(''));
    },
  ],
  [
    'the same person who has logged out in between',
    async (page: Page) => {
      await page.evaluate(() => window.history.replaceState({ usr: { from: '/profile' }, key: 'x', idx: 0 }, ''));
      await page.reload();
      await logIn(page, ann);
      await expect(page).toHaveURL(urlOf('/profile'));
      // The page removes the return path only once it is on the screen.
      await expect.poll(() => page.evaluate(() => Object.keys(sessionStorage))).toEqual(['porchlight_kept:draft:guardian']);
      await page.getByRole('button', { name: 'Log out' }).click();
      await logIn(page, ann);
    },
  ],
] as const) {
  test(`the input of an expired login is discarded for ${nextPerson}`, async ({ page }) => {
    await page.goto(urlOf('/login'));
    await logIn(page, ann);
    await expect(greeting(page)).toBeVisible();
    await page.goto(urlOf('/profile/guardians'));
    await typeGuardian(page);
    await expireAtPress(page, page.getByRole('button', { name: 'Add Guardian' }));
    await logInNext(page);
    await expect(greeting(page)).toBeVisible();
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
    await page.goto(urlOf('/profile/guardians'));
    await expect(page.getByLabel('Name')).toHaveValue('');
  });
}

test('[4.3] a login that expires in one tab expires in all, and each tab keeps its input', async ({ page }) => {
  await page.goto(urlOf('/login'));
  await logIn(page, ann);
  await expect(greeting(page)).toBeVisible();
  const otherPage = await page.context().newPage();
  await otherPage.goto(urlOf('/profile/guardians'));
  await typeGuardian(otherPage);
  await page.goto(urlOf('/profile'));
  await expect(page.getByLabel('Email')).toBeVisible();
  await expire(page);
  // The poll of the other tab, every 5 s, gets the first 401.
  for (const tab of [page, otherPage]) await expect(tab).toHaveURL(urlOf('/login?expired=1'), { timeout: 15_000 });
  await logIn(page, ann);
  await expect(otherPage).toHaveURL(urlOf('/profile/guardians'));
  await expect(otherPage.getByLabel('Name')).toHaveValue('Bob Builder');
});

test('[2.6] [2.7] [2.142] a forgotten password is reset by an emailed link, which works once, and the login confirms it', async ({
  page,
}) => {
  const kim = await registeredPerson(world, 'Kim Example');
  await page.goto(urlOf('/forgot-password'));
  await expect(page.getByRole('button', { name: 'Send the email' })).toBeDisabled();
  await page.getByLabel('Email').fill(kim.email);
  // Before the script takes over the page the button stays disabled, and Enter sends nothing.
  await expect(page.getByRole('button', { name: 'Send the email' })).toBeEnabled();
  await page.getByLabel('Email').press('Enter');
  await expect(page.getByText(/^If there is an account with this address/)).toBeVisible();
  const link = linkIn(await mailTo(world, kim.email, /new password/i));
  for (const [notice, fill] of [
    ['Your password has been reset.', true],
    ['The password reset token is invalid.', true],
  ] as const) {
    await page.goto(link);
    await page.getByLabel('New Password', { exact: true }).fill('a new long password');
    await expect(page.getByRole('button', { name: 'Save new password' })).toBeDisabled();
    if (fill) await page.getByLabel('Confirm New Password', { exact: true }).fill('a new long password');
    await page.getByRole('button', { name: 'Save new password' }).click();
    await expect(page.getByText(notice, { exact: true })).toBeVisible();
  }
  await logIn(page, { ...kim, password: 'a new long password' });
  await expect(greeting(page)).toBeVisible();
});

test('[2.34] [P2.2] a new password with an expired link leads to the login, which shows a notice', async ({ page }) => {
  // A link expires after an hour; the server's own tests cover this answer.
  await page.route('**/api/reset-password', (route) =>
    route.fulfill({ status: 410, json: { error: 'Too old.', code: 'reset_expired', request_id: 'x' } }),
  );
  await page.goto(urlOf('/reset-password/an-old-token'));
  await page.getByLabel('New Password', { exact: true }).fill('a new long password');
  await page.getByLabel('Confirm New Password', { exact: true }).fill('a new long password');
  await page.getByRole('button', { name: 'Save new password' }).click();
  await expect(page).toHaveURL(urlOf('/login?notice=reset-key-expired'));
  await expect(page.getByText('The password reset token has expired.', { exact: true })).toBeVisible();
});

test('[2.35] [P2.1] a guest who confirms the first address is led to the login, which shows a notice', async ({ page, browser }) => {
  const email = `guest-${turn}@example.org`;
  await register(page, world, 'Lou Example', email);
  const phone = await (await browser.newContext()).newPage();
  await phone.goto(linkIn(await mailTo(world, email, /confirm/i)));
  await phone.getByRole('button', { name: 'Confirm my email address' }).click();
  await expect(phone).toHaveURL(urlOf('/login?notice=email-confirmed'));
  await expect(phone.getByText('Your email address has been confirmed.', { exact: true })).toBeVisible();
  await phone.context().close();
});

async function typeGuardian(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Bob Builder');
  await page.getByLabel('Email', { exact: true }).fill('bob@example.org');
  await page.getByLabel('Confirm Email').fill('bob@example.org');
}
