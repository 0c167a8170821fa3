import { expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { password, registerAndConfirm } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
// A German browser: the United States and Canada still come first.
test.use({ locale: 'de-DE', timezoneId: 'Europe/Berlin' });
const open = (page: Page, search = '') => page.goto(`${world.dashboardUrl}/profile${search}`);
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Verify your phone number' });
const phone = (page: Page) => page.getByRole('textbox', { name: 'Phone number' });
const code = (page: Page) => dialog(page).getByLabel('The six digits');
const country = (page: Page) => page.getByLabel('Country');
const textsTo = async (number: string) => (await world.texts()).filter((text) => text.to === number);

function sends(page: Page): string[] {
  const sentMethods: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/web/send-phone-code')) sentMethods.push(request.method());
  });
  return sentMethods;
}

async function save(page: Page, typedText: string): Promise<void> {
  await phone(page).fill(typedText);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  const ask = page.getByRole('dialog', { name: 'Confirm with your password' });
  await ask.getByLabel('Password', { exact: true }).fill(password);
  await ask.getByRole('button', { name: 'Confirm' }).click();
  await expect(ask).toHaveCount(0);
}

/** The code of the newest text to a number, once `count` texts have arrived. */
async function codeTo(number: string, count = 1): Promise<string> {
  await expect.poll(async () => (await textsTo(number)).length, { timeout: 15_000 }).toBe(count);
  return /\b\d{6}\b/.exec((await textsTo(number))[0]?.body ?? '')?.[0] ?? '';
}
const wrongCode = (rightCode: string) => String((Number(rightCode) + 1) % 1_000_000).padStart(6, '0');

test.describe('typing a number', () => {
  let page: Page;
  test.beforeAll(async ({ browser }) => {
    page = await (await browser.newContext({ locale: 'de-DE' })).newPage();
    await registerAndConfirm(page, world, 'Ann Example', 'ann@example.org');
  });

  test('the library of countries loads with the phone field, and on no other page', async () => {
    const scripts = new Set<string>();
    page.on('response', (answer) => void (answer.url().endsWith('.js') && scripts.add(answer.url())));
    // File names are hashes, so a text of the library is searched for, in scripts fetched again, because a browser forgets them with the page.
    const texts = () => Promise.all([...scripts].map(async (url) => (await page.request.get(url)).text()));
    const withLibrary = async () => (await texts()).filter((script) => script.includes('INVALID_COUNTRY')).length;
    for (const path of ['/login', '/register', '/', '/profile/password', '/profile/admin-pin', '/profile/guardians', '/add-device']) {
      await page.goto(`${world.dashboardUrl}${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
    }
    expect(scripts.size).toBeGreaterThan(5);
    expect(await withLibrary()).toBe(0);
    await open(page);
    await expect(phone(page)).toBeVisible();
    expect(await withLibrary()).toBe(1);
  });

  test('[5.17] [8.13] an invalid number shows an error beside the field and above the form, and is not saved', async () => {
    const savedBodies: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') savedBodies.push(request.postDataJSON());
    });
    for (const [typedText, message] of [
      ['202 555 014', 'This number is too short.'],
      ['202 555 01433', 'This number is too long.'],
      ['+999 123 4567', 'That is not the calling code of a country.'],
      ['1-800-FLOWERS', 'This is not a phone number. Use digits only.'],
      ['555 555 5555', 'There is no such number. Check each digit.'],
    ] as const) {
      await open(page);
      await phone(page).fill(typedText);
      await expect(phone(page)).not.toHaveAttribute('aria-invalid');
      await phone(page).press('Tab');
      await expect(phone(page)).toHaveAttribute('aria-invalid', 'true');
      await expect(phone(page)).toHaveAccessibleDescription(new RegExp(message.replaceAll('.', '\\.')));
      await page.getByRole('button', { name: 'Save Profile' }).click();
      await expect(page.getByRole('alert')).toHaveText(message);
      await expect(page.getByRole('alert')).toBeFocused();
      await expect(phone(page)).toHaveValue(typedText);
    }
    expect(savedBodies).toEqual([]);
  });

  test('[9.10] the phone field accepts at most 250 characters', async () => {
    await open(page);
    await phone(page).focus();
    await page.keyboard.insertText('2'.repeat(249));
    await page.keyboard.type('345');
    await expect(phone(page)).toHaveValue(`${'2'.repeat(249)}3`);
  });

  test('a full number switches to its country, which is announced, and is reformatted as there', async () => {
    await open(page);
    await expect(country(page).locator('option:checked')).toHaveText('United States (+1)');
    await phone(page).fill('+49 1522 8817386');
    await expect(country(page).locator('option:checked')).toHaveText('Germany (+49)');
    await expect(page.getByText('The country is now Germany.')).toBeAttached();
    await phone(page).press('Tab');
    await expect(phone(page)).toHaveValue('01522 8817386');
  });

  test('[5.17] a saved German number is restored with its country, listed after the United States and Canada', async () => {
    const bodies: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') bodies.push(request.postDataJSON());
    });
    await open(page);
    await country(page).selectOption({ label: 'Germany (+49)' });
    await save(page, '01522 8817386');
    expect(bodies).toMatchObject([{ phone_number: '+4915228817386', current_password: password }]);
    await open(page);
    await expect(country(page).locator('option:checked')).toHaveText('Germany (+49)');
    await expect(phone(page)).toHaveValue('01522 8817386');
    const firstOptions = (await country(page).locator('option').allTextContents()).slice(0, 4);
    expect(firstOptions).toEqual(['United States (+1)', 'Canada (+1)', 'Germany (+49)', 'Afghanistan (+93)']);
  });
});

test.describe('verifying a number', () => {
  test.describe.configure({ mode: 'serial' });
  const [number, written] = ['+12025550143', '(202) 555-0143'];
  let page: Page;
  let sentMethods: string[];
  test.beforeAll(async ({ browser }) => {
    page = await (await browser.newContext()).newPage();
    await registerAndConfirm(page, world, 'Bea Example', 'bea@example.org');
    sentMethods = sends(page);
  });

  test('[2.101] [4.26] saving a changed number with the password opens the dialog and sends one text', async () => {
    await open(page);
    await save(page, '(202) 555-0143');
    await expect(dialog(page)).toBeVisible();
    await expect(page).toHaveURL(/\/profile\?verify-phone/);
    await expect(code(page)).toBeFocused();
    await expect(dialog(page)).toContainText(`We texted six digits to ${written}. They work for 10 minutes.`);
    expect(await codeTo(number)).toMatch(/^\d{6}$/);
    expect(sentMethods).toEqual(['POST']);
    await expect(dialog(page).getByRole('button', { name: /^Send a new code in \d+ s$/ })).toBeDisabled();
    await checkScreen(page);
    await checkScreenZoomed(page);
  });

  test('[2.101] a reload with the flag in the address opens the phone dialog, and sends a text only on request', async () => {
    await page.reload();
    await expect(dialog(page)).toContainText(`Is ${written} yours?`);
    await page.waitForLoadState('networkidle');
    expect(sentMethods).toHaveLength(1);
    await dialog(page).getByRole('button', { name: 'Text me the code' }).click();
    await expect(dialog(page).getByRole('alert')).toHaveText('That was tried too often. Wait a little and try again.');
    await expect(dialog(page).getByRole('button', { name: /^Text me the code in \d+ s$/ })).toBeDisabled();
    expect(await textsTo(number)).toHaveLength(1);
  });

  test("[2.45] [2.141] 'Not Now' and Escape close the phone dialog and remove the flag in the address, and the banner leads back to the dialog", async () => {
    await dialog(page).getByRole('button', { name: 'Not Now' }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\/profile$/);
    await page.reload();
    await expect(phone(page)).toHaveValue(written);
    await expect(dialog(page)).toHaveCount(0);
    await page.goto(world.dashboardUrl);
    await page.getByRole('link', { name: 'Verify' }).click();
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
    await expect(page).toHaveURL(/\/profile$/);
    expect(sentMethods).toHaveLength(2);
  });

  test('[2.141] the code has six digits, and a wrong one shows an error beside the field', async () => {
    await open(page, '?verify-phone');
    const verify = dialog(page).getByRole('button', { name: 'Verify', exact: true });
    const rightCode = await codeTo(number);
    await code(page).fill('12a345');
    await expect(code(page)).toHaveValue('12345');
    await verify.click();
    await expect(dialog(page).getByRole('alert')).toHaveText('The code has 6 digits. Enter all of them.');
    await code(page).fill(`${wrongCode(rightCode)}7`);
    await expect(code(page)).toHaveValue(wrongCode(rightCode));
    await verify.click();
    const wrongCodeText = 'That is not the code we sent. Check the six digits and try again.';
    await expect(dialog(page).getByRole('alert')).toHaveText(wrongCodeText);
    await expect(dialog(page).getByRole('alert')).toBeFocused();
    await expect(code(page)).toHaveAccessibleDescription(wrongCodeText);
    await expect(code(page)).toHaveValue(wrongCode(rightCode));
  });

  test("[4.25] [2.101] the right code alerts 'Your phone number has been verified!', by keyboard alone", async () => {
    const rightCode = await codeTo(number);
    await code(page).focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(rightCode);
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toHaveCount(0);
    const alert = page.getByRole('alert').filter({ hasText: 'phone number' });
    await expect(alert).toHaveText('Your phone number has been verified!');
    await expect(page).toHaveURL(/\/profile$/);
    await checkScreen(page);
    await page.getByRole('button', { name: 'Close this message' }).click();
    await expect(alert).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Verify' })).toHaveCount(0);
    await open(page, '?verify-phone');
    await expect(phone(page)).toHaveValue('(202) 555-0143');
    await expect(dialog(page)).toHaveCount(0);
  });
});

test('[2.141] five wrong codes invalidate the texted code, and a new code can be requested', async ({ page }) => {
  await registerAndConfirm(page, world, 'Cleo Example', 'cleo@example.org');
  await page.clock.install();
  await open(page);
  await save(page, '(202) 555-0147');
  const firstCode = await codeTo('+12025550147');
  // The form ignores Enter until the page has the answer about the text.
  await expect(dialog(page)).toContainText('We texted six digits');
  const nextResponse = () => page.waitForResponse((answer) => answer.url().endsWith('/api/web/verify-phonenumber'));
  for (let i = 0; i < 5; i++) {
    await code(page).fill(wrongCode(firstCode));
    const [answer] = await Promise.all([nextResponse(), code(page).press('Enter')]);
    expect(answer.status()).toBe(400);
    // The press removed the alert of the try before.
    await expect(dialog(page).getByRole('alert')).toBeVisible();
  }
  await code(page).fill(firstCode);
  await code(page).press('Enter');
  await expect(dialog(page).getByRole('alert')).toHaveText('This code no longer works. Ask for a new one.');
  await expect(code(page)).toHaveAccessibleDescription('This code no longer works. Ask for a new one.');
  const resendButton = dialog(page).getByRole('button', { name: /^Send a new code/ });
  const secondsLeft = Number(/ in (\d+) s$/.exec((await resendButton.textContent()) ?? '')?.[1]);
  expect(secondsLeft).toBeGreaterThan(10);
  // The clock also runs by itself.
  await page.clock.runFor((secondsLeft - 10) * 1000);
  await expect(resendButton).toBeDisabled();
  await page.clock.runFor(11_000);
  await expect(resendButton).toBeEnabled();
  await expect(resendButton).toHaveText('Send a new code');
});

test('[2.101] [4.26] the keyboard alone leads from the field through the password to the dialog and back', async ({ page }) => {
  await registerAndConfirm(page, world, 'Dora Example', 'dora@example.org');
  await open(page);
  let release = () => {};
  const releasePromise = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/web/send-phone-code', async (route) => {
    await releasePromise;
    await route.continue();
  });
  await phone(page).focus();
  await page.keyboard.type('2025550148');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Confirm with your password' }).getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(code(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog(page).getByRole('button', { name: 'Verify' })).toBeFocused();
  release();
  await expect(dialog(page).getByText(/We texted six digits/)).toBeVisible();
  await expect(dialog(page).getByRole('button', { name: 'Verify' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog(page).getByRole('button', { name: 'Not Now' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toHaveCount(0);
  await expect(phone(page)).toBeFocused();
});

test('[2.117] a user who has opted out of texts reads which number to text START to, on the profile and in the dialog', async ({
  page,
}) => {
  await registerAndConfirm(page, world, 'Eva Example', 'eva@example.org');
  await open(page);
  await save(page, '+1 500 555 0004');
  const optOutText = 'You have asked us not to send texts. To get them again, text START to +15005550006.';
  await expect(dialog(page).getByText(optOutText)).toBeVisible({ timeout: 15_000 });
  await checkScreen(page);
  await dialog(page).getByRole('button', { name: 'Not Now' }).click();
  // A closed dialog is still in the document for a moment, with the same sentence.
  await expect(page.locator('dialog', { hasText: optOutText })).toHaveCount(0);
  await expect(page.getByText(optOutText)).toBeVisible();
  await checkScreen(page);
  await page.reload();
  await expect(page.getByText(optOutText)).toBeVisible();
  expect(await textsTo('+15005550004')).toEqual([]);
});
