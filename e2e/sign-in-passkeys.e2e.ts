import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { addPasskey, passkeyDevice } from './lib/passkey-device.ts';
import { registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld(
  (startedWorld) => {
    world = startedWorld;
  },
  { env: { TRUST_PROXY: 'on' } },
);

// Each page has its own client address, because of the login rate limit.
let pages = 0;
const pageAt = (browser: Browser, person: Person | null, options: BrowserContextOptions = {}) => {
  pages += 1;
  return pageOf(browser, world, person, { ...options, extraHTTPHeaders: { 'x-forwarded-for': `198.18.1.${pages}` } });
};

const greeting = (page: Page) => page.getByRole('heading', { name: /^Good / });
const loginButton = (page: Page) => page.getByRole('button', { name: 'Log in with a passkey' });
const passkeys = (page: Page) => page.getByRole('region', { name: 'Passkeys' });
const rows = (page: Page) => passkeys(page).getByRole('listitem');
const signInPage = (page: Page) => page.goto(`${world.dashboardUrl}/profile/log-in`);
const logOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(loginButton(page)).toBeVisible();
};

test('[P13.1] a passkey is added with the password, shows recovery codes once, and logs in alone', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await pageAt(browser, ann);
  await passkeyDevice(page);
  await signInPage(page);
  await expect(passkeys(page)).toBeVisible();
  await checkScreen(page);

  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const ask = page.getByRole('dialog', { name: 'Is it you?' });
  await ask.getByLabel('Password', { exact: true }).fill('not my password');
  await ask.getByRole('button', { name: 'Continue' }).click();
  await expect(ask.getByRole('alert')).toHaveText('That is not your current password. Try again.');
  await expect(ask.getByRole('button', { name: 'Use a passkey' })).toHaveCount(0);
  await ask.getByLabel('Password', { exact: true }).fill(ann.password);
  await ask.getByRole('button', { name: 'Continue' }).click();

  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeFocused();
  await expect(page.getByText('Your passkey is added.')).toBeVisible();
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
  expect(new Set(codes).size).toBe(10);
  await checkScreen(page);
  await checkScreenZoomed(page);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByRole('heading', { name: 'How you log in' })).toBeFocused();
  await expect(page.getByText('You have 10 recovery codes left.')).toBeVisible();
  await expect(page.getByText(codes[0] ?? '')).toHaveCount(0);
  await expect(rows(page)).toHaveText([/Chrom.*Added (today|yesterday) .*Not used yet\./]);
  await checkScreen(page);
  await checkScreenZoomed(page);

  await logOut(page);
  await loginButton(page).click();
  await expect(greeting(page)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('porchlight_person'))).toBe(ann.email);
  await signInPage(page);
  await expect(rows(page)).toHaveText([/Last used (today|yesterday)/]);
  await expect(page.getByText(codes[0] ?? '')).toHaveCount(0);
});

test('[P13.1] a removed passkey no longer logs in, and another one still does', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await pageAt(browser, ann);
  await passkeyDevice(page);
  await addPasskey(page, world, ann);
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const other = await pageAt(browser, ann, { userAgent });
  await passkeyDevice(other);
  await addPasskey(other, world, ann);
  // The codes of the first passkey are in use.
  await expect(other.getByRole('heading', { name: 'Save your recovery codes' })).toHaveCount(0);
  await expect(rows(other)).toHaveCount(2);

  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('button', { name: /^Remove the passkey Chrom/ }).click();
  const ask = page.getByRole('dialog', { name: 'Remove this passkey?' });
  await ask.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText(/^The passkey is removed\./)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeFocused();
  await expect(rows(page)).toHaveText([/^Firefox on Windows/]);

  await logOut(page);
  await loginButton(page).click();
  await expect(page.getByRole('alert')).toHaveText('That passkey did not work. Use it once more, or another way.');
  await logOut(other);
  await loginButton(other).click();
  await expect(greeting(other)).toBeVisible();
});

test('[P13.1] closing the browser’s dialog is not an error, when a passkey is added and when it logs in', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await pageAt(browser, ann);
  const device = await passkeyDevice(page);
  await signInPage(page);
  await device.refuse();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const ask = page.getByRole('dialog', { name: 'Is it you?' });
  await ask.getByLabel('Password', { exact: true }).fill(ann.password);
  await ask.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'No passkey was made, and nothing has changed.' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(rows(page)).toHaveCount(0);

  await device.accept();
  await addPasskey(page, world, ann);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await logOut(page);
  await device.refuse();
  await loginButton(page).click();
  await expect(page.getByRole('status').filter({ hasText: 'No passkey was used. Try again, or use another way.' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await device.accept();
  await loginButton(page).click();
  await expect(greeting(page)).toBeVisible();
});

test('[P13.1] the activity log has the new passkey, and leads to the page of the ways to log in', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await pageAt(browser, ann);
  await passkeyDevice(page);
  await addPasskey(page, world, ann);
  await page.goto(`${world.dashboardUrl}/profile/alerts`);
  const entry = page.getByRole('region', { name: 'What was changed' }).getByRole('listitem').filter({ hasText: 'a passkey' });
  await entry.getByRole('link', { name: 'Check how you log in' }).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/profile/log-in`);
  await expect(rows(page)).toHaveCount(1);
});

test('a deletion in the activity log is stopped by one press', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await pageAt(browser, ann);
  const entry = {
    uuid: '11111111-1111-4111-8111-111111111111',
    words: 'Ann asked us to delete the account on December 3.',
    ...{ kind: 'deletion_asked', who: 'Ann', device: '', what: '2026-12-03T12:00:00.000Z' },
    time: new Date().toISOString(),
  };
  await page.route('**/api/web/acts', (route) => route.fulfill({ json: { items: [{ ...entry, undo: { way: 'keep_account' } }] } }));
  const stops: string[] = [];
  await page.route('**/api/web/account/deletion/stop', (route) => {
    stops.push(route.request().method());
    return route.fulfill({ json: {} });
  });
  await page.goto(`${world.dashboardUrl}/profile/alerts`);
  const row = page.getByRole('region', { name: 'What was changed' }).getByRole('listitem');
  await expect(row).toContainText('Ann asked us to delete the account on December 3.');
  await row.getByRole('button', { name: 'Keep the account' }).click();
  await expect(row.getByText('Done. The account stays.')).toBeVisible();
  expect(stops).toEqual(['POST']);
});

test('a device that already has a passkey of the account is not asked for a second one', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await pageAt(browser, ann);
  await passkeyDevice(page);
  await addPasskey(page, world, ann);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const ask = page.getByRole('dialog', { name: 'Is it you?' });
  await ask.getByLabel('Password', { exact: true }).fill(ann.password);
  await ask.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'This device already has a passkey for your account.' })).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
});

test('the log-in page loads the library for passkeys at the press of the button, not before', async ({ browser }) => {
  const page = await pageAt(browser, null);
  await passkeyDevice(page);
  const scripts: Promise<string>[] = [];
  page.on('response', (answer) => {
    if (answer.request().resourceType() === 'script') scripts.push(answer.text().catch(() => ''));
  });
  const withLibrary = async () => (await Promise.all(scripts)).filter((text) => text.includes('ERROR_CEREMONY_ABORTED')).length;
  await page.goto(`${world.dashboardUrl}/login`);
  await expect(loginButton(page)).toBeVisible();
  await page.waitForLoadState('load');
  expect(scripts.length).toBeGreaterThan(0);
  expect(await withLibrary()).toBe(0);
  await loginButton(page).click();
  await expect.poll(withLibrary).toBe(1);
});

test('a browser without passkeys offers none, and the password and an authenticator app remain', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await pageAt(browser, ann);
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
  await signInPage(page);
  await expect(passkeys(page)).toContainText('This browser can’t use passkeys.');
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Set up an app' })).toBeVisible();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await expect(loginButton(page)).toHaveCount(0);
});
