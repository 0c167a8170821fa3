import { type Browser, expect, type Page } from '@playwright/test';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { Secret, TOTP } from 'otpauth';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { addPasskey, passkeyDevice } from './lib/passkey-device.ts';
import { registeredPerson } from './lib/people.ts';
import { logIn } from './lib/screens.ts';
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
const pageAt = (browser: Browser, person: Person | null) => {
  pages += 1;
  return pageOf(browser, world, person, { extraHTTPHeaders: { 'x-forwarded-for': `198.18.2.${pages}` } });
};

const greeting = (page: Page) => page.getByRole('heading', { name: /^Good / });
const code = (page: Page) => page.getByLabel('Code', { exact: true });
const logInButton = (page: Page) => page.getByRole('button', { name: 'Log in', exact: true });
const card = (page: Page) => page.getByRole('region', { name: 'Authenticator app' });
const savedCodes = async (page: Page) => {
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeFocused();
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  return codes;
};
const prove = async (page: Page, heading: string, { password }: Person, button: string) => {
  const dialog = page.getByRole('dialog', { name: heading });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: button }).click();
};
const logOut = (page: Page) => page.getByRole('button', { name: 'Log out', exact: true }).click();
const askedForCode = async (page: Page, person: Person) => {
  await logIn(page, person);
  await expect(page.getByRole('heading', { level: 1, name: 'One more step' })).toBeVisible();
};

/** Opens the set-up, and returns the app that scanned the code. */
async function startSetup(page: Page, person: Person): Promise<TOTP> {
  await page.goto(`${world.dashboardUrl}/profile/log-in`);
  await page.getByRole('button', { name: 'Set up an app' }).click();
  await prove(page, 'Is it you?', person, 'Continue');
  await expect(page.getByRole('img', { name: 'A QR code for your authenticator app' })).toBeVisible();
  const typed = (await card(page).locator('code').textContent()) ?? '';
  return new TOTP({ secret: Secret.fromBase32(typed.replaceAll(' ', '')) });
}

/** Each code counts once; the server takes that of the next 30 seconds, too. */
const nextCode = (app: TOTP) => app.generate({ timestamp: Date.now() + 30_000 });

test('[P13.1] an authenticator app is set up in three steps, and its code is then asked for after the password', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await pageAt(browser, ann);
  const app = await startSetup(page, ann);
  await checkScreen(page);
  await checkScreenZoomed(page);
  const digits = page.getByLabel('Six digits', { exact: true });
  const finish = page.getByRole('button', { name: 'Finish' });
  await digits.fill('12 34');
  await expect(digits).toHaveValue('1234');
  await finish.click();
  await expect(digits).toHaveAccessibleDescription('The code has 6 digits. Enter all of them.');
  const wrong = app.generate() === '000000' ? '111111' : '000000';
  await digits.fill(wrong);
  await finish.click();
  await expect(page.getByRole('alert')).toHaveText(/^That is not the code\./);
  await expect(digits).toHaveValue('');
  await digits.fill(app.generate());
  await finish.click();
  await expect(page.getByText('Your authenticator app is set up.')).toBeVisible();
  expect(await savedCodes(page)).toHaveLength(10);
  await expect(card(page)).toContainText(/In use since (today|yesterday)/);

  await logOut(page);
  await askedForCode(page, ann);
  await expect(code(page)).toBeFocused();
  await expect(code(page)).toHaveAttribute('autocomplete', 'one-time-code');
  // Recovery codes have letters.
  await expect(code(page)).toHaveAttribute('inputmode', 'text');
  await page.getByText('Lost your phone?').click();
  await expect(page.getByText('Enter one of the recovery codes that you printed or wrote down. Each works once.')).toBeVisible();
  await checkScreen(page);
  await checkScreenZoomed(page);
  await code(page).fill(wrong);
  await logInButton(page).click();
  await expect(page.getByRole('alert')).toHaveText(/^That is not the code\. Use the newest one in your app, or a recovery code/);
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(code(page)).toHaveValue('');
  await code(page).fill(nextCode(app));
  await code(page).press('Enter');
  await expect(greeting(page)).toBeVisible();
});

test('[P13.1] a recovery code logs in once, new ones replace the old ones, and without the app the password is enough again', async ({
  browser,
}) => {
  const ann = await registeredPerson(world);
  const page = await pageAt(browser, ann);
  const app = await startSetup(page, ann);
  await page.getByLabel('Six digits', { exact: true }).fill(app.generate());
  await page.getByRole('button', { name: 'Finish' }).click();
  const [first = '', second = ''] = await savedCodes(page);

  await logOut(page);
  await askedForCode(page, ann);
  await code(page).fill(` ${first.toUpperCase()} `);
  await logInButton(page).click();
  await expect(greeting(page)).toBeVisible();
  await page.goto(`${world.dashboardUrl}/profile/log-in`);
  await expect(page.getByText('You have 9 recovery codes left.')).toBeVisible();

  await page.getByRole('button', { name: 'Get new codes' }).click();
  await prove(page, 'Get new recovery codes?', ann, 'Get new codes');
  const [renewed = ''] = await savedCodes(page);
  await expect(page.getByText('You have 10 recovery codes left.')).toBeVisible();

  await logOut(page);
  await askedForCode(page, ann);
  for (const old of [first, second]) {
    await code(page).fill(old);
    await logInButton(page).click();
    await expect(page.getByRole('alert')).toHaveText(/^That is not the code\./);
    await expect(code(page)).toHaveValue('');
  }
  await code(page).fill(renewed);
  await logInButton(page).click();
  await expect(greeting(page)).toBeVisible();

  await page.goto(`${world.dashboardUrl}/profile/log-in`);
  await page.getByRole('button', { name: 'Remove the authenticator app' }).click();
  await prove(page, 'Remove the authenticator app?', ann, 'Remove');
  await expect(page.getByText('The authenticator app is removed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Set up an app' })).toBeVisible();
  await expect(page.getByText('You get them when you add a passkey or an authenticator app.')).toBeVisible();
  await logOut(page);
  await logIn(page, ann);
  await expect(greeting(page)).toBeVisible();
});

test('[P13.1] a passkey does instead of a code, and without the right password nobody learns of the second step', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await pageAt(browser, ann);
  await passkeyDevice(page);
  await addPasskey(page, world, ann);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await logOut(page);
  await logIn(page, { ...ann, password: 'not my password' });
  await expect(page.getByRole('alert')).toHaveText('That email and password do not go together. Check both and try again.');
  await askedForCode(page, ann);
  await page.getByRole('button', { name: 'Use another email' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(ann.email);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
  await askedForCode(page, ann);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(greeting(page)).toBeVisible();
});
