import { expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { password, registerAndConfirm } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** A phone number on the profile: as it is typed, as it is saved, and as it is proved by the code of a text. */

let world: World;
withWorld((its) => {
  world = its;
});
// A German at a browser that speaks German: the United States and Canada come first all the same.
test.use({ locale: 'de-DE', timezoneId: 'Europe/Berlin' });

const open = (page: Page, search = '') => page.goto(`${world.dashboardUrl}/profile${search}`);
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Verify your phone number' });
const phone = (page: Page) => page.getByRole('textbox', { name: 'Phone number' });
const code = (page: Page) => dialog(page).getByLabel('The six digits');
const country = (page: Page) => page.getByLabel('Country');
const textsTo = async (number: string) => (await world.texts()).filter((text) => text.to === number);

/** The calls that ask for a text from now on. */
function sends(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/web/send-phone-code')) seen.push(request.method());
  });
  return seen;
}

async function save(page: Page, typed: string): Promise<void> {
  await phone(page).fill(typed);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  const ask = page.getByRole('dialog', { name: 'Confirm with your password' });
  await ask.getByLabel('Password', { exact: true }).fill(password);
  await ask.getByRole('button', { name: 'Confirm' }).click();
  await expect(ask).toHaveCount(0);
}

/** The code of the newest text to a number, once `count` have arrived. */
async function codeTo(number: string, count = 1): Promise<string> {
  await expect.poll(async () => (await textsTo(number)).length, { timeout: 15_000 }).toBe(count);
  return /\b\d{6}\b/.exec((await textsTo(number))[0]?.body ?? '')?.[0] ?? '';
}
const not = (right: string) => String((Number(right) + 1) % 1_000_000).padStart(6, '0');

test.describe('as it is typed', () => {
  let page: Page;
  test.beforeAll(async ({ browser }) => {
    page = await (await browser.newContext({ locale: 'de-DE' })).newPage();
    await registerAndConfirm(page, world, 'Ann Example', 'ann@example.org');
  });

  test('the library of countries comes with the field, and with no other page', async () => {
    const scripts: Promise<string>[] = [];
    page.on('response', (answer) => {
      if (answer.url().endsWith('.js')) scripts.push(answer.text());
    });
    // One of the library's own words, which no file name hides.
    const withLibrary = async () => (await Promise.all(scripts)).filter((script) => script.includes('INVALID_COUNTRY')).length;
    for (const path of ['/login', '/register', '/', '/profile/password', '/profile/admin-pin', '/profile/guardians', '/add-device']) {
      await page.goto(`${world.dashboardUrl}${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
    }
    expect(scripts.length).toBeGreaterThan(5);
    expect(await withLibrary()).toBe(0);
    await open(page);
    await expect(phone(page)).toBeVisible();
    expect(await withLibrary()).toBe(1);
  });

  test('[5.17] [8.13] what is no number is said in words beside the field and above the form, and is not saved', async () => {
    const saved: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') saved.push(request.postDataJSON());
    });
    for (const [typed, words] of [
      ['202 555 014', 'This number is too short.'],
      ['202 555 01433', 'This number is too long.'],
      ['+999 123 4567', 'That is not the calling code of a country.'],
      ['1-800-FLOWERS', 'This is not a phone number. Use digits only.'],
      ['555 555 5555', 'There is no such number. Check each digit.'],
    ] as const) {
      await open(page);
      await phone(page).fill(typed);
      await expect(phone(page)).not.toHaveAttribute('aria-invalid');
      await phone(page).press('Tab');
      await expect(phone(page)).toHaveAttribute('aria-invalid', 'true');
      await expect(phone(page)).toHaveAccessibleDescription(new RegExp(words.replaceAll('.', '\\.')));
      await page.getByRole('button', { name: 'Save Profile' }).click();
      await expect(page.getByRole('alert')).toHaveText(words);
      await expect(page.getByRole('alert')).toBeFocused();
      await expect(phone(page)).toHaveValue(typed);
    }
    expect(saved).toEqual([]);
  });

  test('[9.10] no more than 250 characters can be typed', async () => {
    await open(page);
    await phone(page).focus();
    await page.keyboard.insertText('2'.repeat(249));
    await page.keyboard.type('345');
    await expect(phone(page)).toHaveValue(`${'2'.repeat(249)}3`);
  });

  test('a full number brings its country, which is read out, and is shown as it is written there', async () => {
    await open(page);
    await expect(country(page).locator('option:checked')).toHaveText('United States (+1)');
    await phone(page).fill('+49 1522 8817386');
    await expect(country(page).locator('option:checked')).toHaveText('Germany (+49)');
    await expect(page.getByText('The country is now Germany.')).toBeAttached();
    await phone(page).press('Tab');
    await expect(phone(page)).toHaveValue('01522 8817386');
  });

  test('[5.17] a saved German number comes back with its country, and before it the United States and Canada', async () => {
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
    const first = (await country(page).locator('option').allTextContents()).slice(0, 4);
    expect(first).toEqual(['United States (+1)', 'Canada (+1)', 'Germany (+49)', 'Afghanistan (+93)']);
  });
});

test.describe('as it is proved', () => {
  test.describe.configure({ mode: 'serial' });
  const [number, written] = ['+12025550143', '(202) 555-0143'];
  let page: Page;
  let asked: string[];
  test.beforeAll(async ({ browser }) => {
    page = await (await browser.newContext()).newPage();
    await registerAndConfirm(page, world, 'Bea Example', 'bea@example.org');
    asked = sends(page);
  });

  test('[2.101] [4.26] after a changed number is saved with the password the dialog opens and one text is sent', async () => {
    await open(page);
    await save(page, '(202) 555-0143');
    await expect(dialog(page)).toBeVisible();
    await expect(page).toHaveURL(/\/profile\?verify-phone/);
    await expect(code(page)).toBeFocused();
    await expect(dialog(page)).toContainText(`We sent a text with six digits to ${written}. It works for 10 minutes.`);
    expect(await codeTo(number)).toMatch(/^\d{6}$/);
    expect(asked).toEqual(['POST']);
    await expect(dialog(page).getByRole('button', { name: /^Send a new code in \d+ s$/ })).toBeDisabled();
    await checkScreen(page);
    await checkScreenZoomed(page);
  });

  test('[2.101] loaded again with the flag it opens, and sends nothing until one asks', async () => {
    await page.reload();
    await expect(dialog(page)).toContainText(`Is ${written} yours?`);
    await page.waitForLoadState('networkidle');
    expect(asked).toHaveLength(1);
    // Within a minute of the first one.
    await dialog(page).getByRole('button', { name: 'Text me the code' }).click();
    await expect(dialog(page).getByRole('alert')).toHaveText('That was tried too often. Wait a little and try again.');
    await expect(dialog(page).getByRole('button', { name: /^Text me the code in \d+ s$/ })).toBeDisabled();
    expect(await textsTo(number)).toHaveLength(1);
  });

  test("[2.45] [2.141] 'Not Now' and Escape close it and take the flag away, and the banner leads back to it", async () => {
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
    expect(asked).toHaveLength(2);
  });

  test('[2.141] the code has six digits, and a wrong one is said to be so beside the field', async () => {
    await open(page, '?verify-phone');
    const verify = dialog(page).getByRole('button', { name: 'Verify', exact: true });
    const right = await codeTo(number);
    await code(page).fill('12a345');
    await expect(code(page)).toHaveValue('12345');
    await verify.click();
    await expect(dialog(page).getByRole('alert')).toHaveText('The code has 6 digits. Enter all of them.');
    await code(page).fill(`${not(right)}7`);
    await expect(code(page)).toHaveValue(not(right));
    await verify.click();
    const words = 'That is not the code we sent. Check the six digits and try again.';
    await expect(dialog(page).getByRole('alert')).toHaveText(words);
    await expect(dialog(page).getByRole('alert')).toBeFocused();
    await expect(code(page)).toHaveAccessibleDescription(words);
    await expect(code(page)).toHaveValue(not(right));
  });

  test("[4.25] [2.101] the right code alerts 'Your phone number has been verified!', by keyboard alone", async () => {
    const right = await codeTo(number);
    await code(page).focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(right);
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toHaveCount(0);
    const alert = page.getByRole('alert').filter({ hasText: 'phone number' });
    await expect(alert).toHaveText('Your phone number has been verified!');
    await expect(page).toHaveURL(/\/profile$/);
    await checkScreen(page);
    await page.getByRole('button', { name: 'Close this message' }).click();
    await expect(alert).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Verify' })).toHaveCount(0);
    // Proved: the flag opens nothing any more.
    await open(page, '?verify-phone');
    await expect(phone(page)).toHaveValue('(202) 555-0143');
    await expect(dialog(page)).toHaveCount(0);
  });
});

test('[2.141] five wrong codes end it, and a new one can be asked for', async ({ page }) => {
  await registerAndConfirm(page, world, 'Cleo Example', 'cleo@example.org');
  await page.clock.install();
  await open(page);
  await save(page, '(202) 555-0147');
  const first = await codeTo('+12025550147');
  const answered = () => page.waitForResponse((answer) => answer.url().endsWith('/api/web/verify-phonenumber'));
  for (let i = 0; i < 5; i++) {
    await code(page).fill(not(first));
    const [answer] = await Promise.all([answered(), code(page).press('Enter')]);
    expect(answer.status()).toBe(400);
  }
  await code(page).fill(first);
  await code(page).press('Enter');
  await expect(dialog(page).getByRole('alert')).toHaveText('This code no longer works. Ask for a new one.');
  await expect(code(page)).toHaveAccessibleDescription('This code no longer works. Ask for a new one.');
  const again = dialog(page).getByRole('button', { name: /^Send a new code/ });
  const left = Number(/ in (\d+) s$/.exec((await again.textContent()) ?? '')?.[1]);
  expect(left).toBeGreaterThan(10);
  await page.clock.runFor((left - 4) * 1000);
  await expect(again).toBeDisabled();
  await page.clock.runFor(5_000);
  await expect(again).toBeEnabled();
  await expect(again).toHaveText('Send a new code');
});

test('[2.101] [4.26] by keyboard alone: from the field over the password to the dialog and back', async ({ page }) => {
  await registerAndConfirm(page, world, 'Dora Example', 'dora@example.org');
  await open(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/web/send-phone-code', async (route) => {
    await held;
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
  // The text is on its way by now: that it has gone out moves nobody who has gone on.
  release();
  await expect(dialog(page).getByText(/We sent a text/)).toBeVisible();
  await expect(dialog(page).getByRole('button', { name: 'Verify' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog(page).getByRole('button', { name: 'Not Now' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toHaveCount(0);
  await expect(phone(page)).toBeFocused();
});

test('[2.117] who has asked for no texts is told which number to text START to, on the profile and in the dialog', async ({ page }) => {
  await registerAndConfirm(page, world, 'Eva Example', 'eva@example.org');
  await open(page);
  await save(page, '+1 500 555 0004');
  const words = 'You have asked us not to send texts. To get them again, text START to +15005550006.';
  await expect(dialog(page).getByText(words)).toBeVisible({ timeout: 15_000 });
  await checkScreen(page);
  await dialog(page).getByRole('button', { name: 'Not Now' }).click();
  await expect(page.getByText(words)).toBeVisible();
  await checkScreen(page);
  await page.reload();
  await expect(page.getByText(words)).toBeVisible();
  expect(await textsTo('+15005550004')).toEqual([]);
});
