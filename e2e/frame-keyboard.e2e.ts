import { expect, type Locator, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { endIncidents } from './lib/incidents.ts';
import { confirmedPerson, linkedDevice, registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
let device: string;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
  const linkedPc = await linkedDevice(world, ann);
  await reportAlert(world, linkedPc);
  await endIncidents(world);
  device = linkedPc.uuid;
});

const unseen = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return 'nothing has the focus';
    const elementHtml = element.outerHTML.slice(0, 120);
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) return `no outline: ${elementHtml}`;
    if (outlineColor === getComputedStyle(document.body).backgroundColor) return `outline in the colour of the page: ${elementHtml}`;
    const { left, top, right, bottom, height } = element.getClientRects()[0] ?? new DOMRect();
    if (left < 0 || right > innerWidth + 1 || bottom <= 0 || top >= innerHeight) return `out of sight: ${elementHtml}`;
    if (height > innerHeight) return null;
    const topElement = document.elementFromPoint((left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
    return topElement && (element.contains(topElement) || element.closest('label')?.contains(topElement))
      ? null
      : `covered: ${elementHtml}`;
  });

/** Moves the focus to `target`; every stop on the way must be visible. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press(key);
    expect(await unseen(page)).toBeNull();
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${target.toString()} cannot be reached with ${key}`);
}

/** A full round with Tab: every control is reached and visible, and none traps the focus. */
async function tabAround(page: Page): Promise<void> {
  // Tab reaches only one radio button of a group.
  const total = await page.evaluate(() => {
    document.body.focus();
    const controls = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')].filter(
      (element) =>
        element.getClientRects().length > 0 &&
        // Collapsed content has a box too, but cannot be reached.
        element.checkVisibility() &&
        !element.matches(':disabled') &&
        !(element instanceof HTMLInputElement && element.type === 'radio' && !element.checked),
    );
    for (const element of controls) element.dataset.reached = 'no';
    return controls.length;
  });
  expect(total).toBeGreaterThan(5);
  for (let i = 0; i < total + 3; i++) {
    await page.keyboard.press('Tab');
    const problem = await unseen(page);
    if (problem === 'nothing has the focus') continue;
    expect(problem).toBeNull();
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

test('the keyboard alone leads from the login to the dashboard, through the profile, and out again', async ({ page }) => {
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
  for (const [tab, readyText] of [
    ['Password', 'Change your password'],
    ['Admin PIN', 'Your Admin PIN'],
    ['Guardians', 'Add a Guardian'],
    ['My Profile', ''],
  ] as const) {
    await expect(main(page)).toBeFocused();
    await tabTo(page, page.getByRole('navigation', { name: 'Profile pages' }).getByRole('link', { name: tab }));
    await page.keyboard.press('Enter');
    if (readyText) await expect(page.getByRole('heading', { level: 2, name: readyText })).toBeVisible();
  }
  await expect(page.getByLabel('Name')).toHaveValue('Ann Example');
  await expect(main(page)).toBeFocused();
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
for (const [name, path, viewer, readyText] of screens) {
  test(`${name}: Tab starts at the skip link, reaches every control, and the focus is always visible`, async ({ browser }) => {
    const page = await pageOf(browser, world, viewer === 'ann' ? ann : viewer === 'planless' ? await confirmedPerson(world) : null);
    await page.goto(`${world.dashboardUrl}${path()}`);
    await expect(page.getByText(readyText).first()).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to the page' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(main(page)).toBeFocused();
    await expect(page.getByText(readyText).first()).toBeVisible();
    await expect(page.locator('main .skeleton')).toHaveCount(0);
    await tabAround(page);
  });
}

test('the share page shows its link without the fragment of the skip link', async ({ page }) => {
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Mum’s laptop' } });
  const link = `${world.dashboardUrl}/share/${login_code}`;
  await page.goto(`${link}#page`);
  await expect(page.getByText(link, { exact: true })).toBeVisible();
});
