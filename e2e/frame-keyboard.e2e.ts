import { expect, type Locator, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { confirmedPerson, linkedDevice, type Person, registeredPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The keyboard alone: one gets everywhere, sees where one is, and starts where the new page does. */

let world: World;
let ann: Person;
let device: string;
withWorld((its) => {
  world = its;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
  const linked = await linkedDevice(world, ann);
  await reportAlert(world, linked);
  device = linked.uuid;
});

/** What is wrong with the visible focus; null when nothing is. */
const unseen = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return 'nothing has the focus';
    const what = element.outerHTML.slice(0, 120);
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) return `no outline: ${what}`;
    if (outlineColor === getComputedStyle(document.body).backgroundColor) return `outline in the colour of the page: ${what}`;
    // The first box of a link that is broken over two lines.
    const { left, top, right, bottom, height } = element.getClientRects()[0] ?? new DOMRect();
    if (left < 0 || right > innerWidth + 1 || bottom <= 0 || top >= innerHeight) return `out of sight: ${what}`;
    if (height > innerHeight) return null;
    const hit = document.elementFromPoint((left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
    return hit && (element.contains(hit) || element.closest('label')?.contains(hit)) ? null : `covered: ${what}`;
  });

/** Presses Tab until something has the focus; everything on the way is seen. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press(key);
    expect(await unseen(page)).toBeNull();
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${target.toString()} cannot be reached with ${key}`);
}

/** Once around the page with Tab: everything that can be used is reached, in sight, and nothing holds the focus. */
async function tabAround(page: Page): Promise<void> {
  // Tab reaches one of a group of radio buttons.
  const total = await page.evaluate(() => {
    document.body.focus();
    const all = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')].filter(
      (element) =>
        element.getClientRects().length > 0 &&
        // What is folded away has a place too, and cannot be reached until it is opened.
        element.checkVisibility() &&
        !element.matches(':disabled') &&
        !(element instanceof HTMLInputElement && element.type === 'radio' && !element.checked),
    );
    for (const element of all) element.dataset.reached = 'no';
    return all.length;
  });
  expect(total).toBeGreaterThan(5);
  for (let i = 0; i < total + 3; i++) {
    await page.keyboard.press('Tab');
    const what = await unseen(page);
    if (what === 'nothing has the focus') continue;
    expect(what).toBeNull();
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.dataset.reached = 'yes';
    });
  }
  expect(await page.evaluate(() => [...document.querySelectorAll('[data-reached="no"]')].map((it) => it.outerHTML.slice(0, 120)))).toEqual(
    [],
  );
}

const main = (page: Page) => page.getByRole('main');
const nav = (page: Page) => page.getByRole('navigation', { name: 'Main' });

test('from the login to the dashboard, through the profile and out again with the keyboard alone', async ({ page }) => {
  await page.goto(`${world.dashboardUrl}/login`);
  await expect(page.getByLabel('Email')).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to the page' });
  await expect(skip).toBeFocused();
  expect(await unseen(page)).toBeNull();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(ann.email);
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await page.keyboard.type(ann.password);
  await tabTo(page, page.getByRole('button', { name: 'Log in', exact: true }));
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { level: 1, name: /^Good / })).toBeVisible();
  await expect(main(page)).toBeFocused();
  await tabTo(page, nav(page).getByRole('link', { name: 'Profile' }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Email')).toHaveValue(ann.email);
  for (const [tab, ready] of [
    ['Password', 'Change your password'],
    ['Admin PIN', 'Your Admin PIN'],
    ['Guardians', 'Add a Guardian'],
    ['My Profile', ''],
  ] as const) {
    await expect(main(page)).toBeFocused();
    await tabTo(page, page.getByRole('navigation', { name: 'Profile pages' }).getByRole('link', { name: tab }));
    await page.keyboard.press('Enter');
    if (ready) await expect(page.getByRole('heading', { level: 2, name: ready })).toBeVisible();
  }
  await expect(page.getByLabel('Name')).toHaveValue('Ann Example');
  await tabTo(page, page.getByLabel('Name'));
  await page.keyboard.press('End');
  await page.keyboard.type(' the Elder');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your profile has been updated.')).toBeVisible();
  await tabTo(page, nav(page).getByRole('button', { name: 'Log out' }), 'Shift+Tab');
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(`${world.dashboardUrl}/login`);
  await expect(main(page)).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue('');
});

const screens: [name: string, path: () => string, who: 'guest' | 'ann' | 'planless', ready: string][] = [
  ['login', () => '/login', 'guest', 'Log in'],
  ['register', () => '/register', 'guest', 'Leave a light on for someone'],
  ['forgot password', () => '/forgot-password', 'guest', 'Forgot your password?'],
  ['reset password', () => '/reset-password/x', 'guest', 'Choose a new password'],
  ['confirm email', () => '/confirm-email/x', 'guest', 'Confirm your email address'],
  ['not found', () => '/nowhere', 'guest', 'Page Not Found.'],
  ['share', () => '/share/ABCD-EFGH', 'guest', 'We do not know this code'],
  ['guardian', () => '/guardian/11111111-1111-4111-8111-111111111111/x', 'guest', 'This link no longer works'],
  ['terms', () => '/../terms-of-service', 'guest', 'Terms of service'],
  ['privacy policy', () => '/../privacy-policy', 'guest', 'Privacy policy'],
  ['dashboard', () => '', 'ann', 'Your devices'],
  ['subscribe', () => '/subscribe', 'planless', 'Start Subscription'],
  ['profile', () => '/profile', 'ann', 'Save Profile'],
  ['password', () => '/profile/password', 'ann', 'this browser'],
  ['Admin PIN', () => '/profile/admin-pin', 'ann', 'copy it'],
  ['guardians', () => '/profile/guardians', 'ann', 'Add a Guardian'],
  ['add device', () => '/add-device', 'ann', 'Another device'],
  ['add device, policy', () => '/add-device?step=policy', 'ann', 'Protection profile'],
  ['protection profiles', () => '/policies', 'ann', 'Make your own profile'],
  ['a new protection profile', () => '/policies/new', 'ann', 'Scam websites'],
  ['device settings', () => `/devices/${device}`, 'ann', 'Protection profile'],
  ['alert history', () => `/devices/${device}/detections`, 'ann', 'AnyDesk was blocked'],
  ['remove device', () => `/devices/${device}/remove-device`, 'ann', 'I understand'],
];
for (const [name, path, who, ready] of screens) {
  test(`${name}: Tab begins at the skip link, reaches everything, and it can be seen where one is`, async ({ browser }) => {
    const page = await pageOf(browser, world, who === 'ann' ? ann : who === 'planless' ? await confirmedPerson(world) : null);
    await page.goto(`${world.dashboardUrl}${path()}`);
    await expect(page.getByText(ready).first()).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to the page' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(main(page)).toBeFocused();
    await expect(page.getByText(ready).first()).toBeVisible();
    // What still comes would be reached later than it is counted, and the footer waits for it.
    await expect(page.locator('main .skeleton')).toHaveCount(0);
    await tabAround(page);
  });
}

test('the link that the share page shows stays the same after the skip link', async ({ page }) => {
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Mum’s laptop' } });
  const link = `${world.dashboardUrl}/share/${login_code}`;
  await page.goto(`${link}#page`);
  await expect(page.getByText(link, { exact: true })).toBeVisible();
});
