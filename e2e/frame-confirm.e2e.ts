import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email: 'bob@example.org' } });
});

const dialog = (page: Page) => page.getByRole('dialog');
const heading = (page: Page) => dialog(page).getByRole('heading');
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
const cancelled = (page: Page) => page.getByRole('status').filter({ hasText: /^Action Cancelled$/ });

function recordChanges(page: Page): string[] {
  const list: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && list.push(`${request.method()} ${new URL(request.url()).pathname}`));
  return list;
}

async function open(page: Page, path: string, readyText: string): Promise<void> {
  await page.goto(`${world.dashboardUrl}${path}`);
  await expect(page.getByRole('button', { name: readyText, exact: true })).toBeVisible();
}

const colours = (page: Page, name: string) =>
  button(page, name).evaluate((element) => {
    const { borderTopColor, borderTopStyle, color, backgroundColor } = getComputedStyle(element);
    const colourOf = (role: string) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = `var(--${role})`;
      const value = getComputedStyle(probe).color;
      probe.remove();
      return value;
    };
    return {
      border: borderTopColor,
      line: borderTopStyle,
      text: color,
      ground: backgroundColor,
      red: colourOf('danger'),
      blue: colourOf('action'),
    };
  });

test('[4.42] [4.46] [4.47] [4.50] confirmations queue with the newest first; each is declined separately, and nothing is done', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, ann);
  await open(page, '/profile/guardians', 'Resend email');
  const changesMade = recordChanges(page);
  await page.getByRole('button', { name: 'Resend email' }).click();
  await expect(heading(page)).toHaveText('Resend email?');
  await expect(dialog(page)).toContainText('Bob gets a new link');
  await page.getByTitle('Remove Bob as a guardian').dispatchEvent('click');
  await expect(heading(page)).toHaveText('Remove Guardian?');
  await expect(dialog(page)).toContainText('Bob will no longer receive email or text notifications.');
  await expect(button(page, 'Remove')).toBeVisible();

  await button(page, 'Cancel').click();
  await expect(heading(page)).toHaveText('Resend email?');
  await expect(button(page, 'Confirm')).toBeVisible();
  expect(await dialog(page).evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(cancelled(page)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(changesMade).toEqual([]);
  await expect(page.getByTitle('Remove Bob as a guardian')).toBeVisible();
});

test('[4.47] a confirmation without a label has a button Confirm, and only destructive buttons have a red outline', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await open(page, '/profile/guardians', 'Resend email');
  await page.getByRole('button', { name: 'Resend email' }).click();
  await expect(dialog(page).getByRole('button')).toHaveText(['Confirm', 'Cancel']);
  const calmColours = await colours(page, 'Confirm');
  expect(calmColours).toMatchObject({ border: calmColours.blue, ground: calmColours.blue });
  await page.keyboard.press('Escape');
  await open(page, '/profile/admin-pin', 'Reset Admin PIN');
  await page.getByRole('button', { name: 'Reset Admin PIN' }).click();
  await expect(dialog(page).getByRole('button')).toHaveText(['Confirm', 'Cancel']);
  const dangerColours = await colours(page, 'Confirm');
  expect(dangerColours).toMatchObject({ border: dangerColours.red, text: dangerColours.red, line: 'solid', ground: 'rgba(0, 0, 0, 0)' });
  expect(dangerColours.red).not.toBe(dangerColours.blue);
});

for (const width of [1280, 390]) {
  test(`a button does not move away under a click when the PIN above it arrives, at ${width} pixels`, async ({ browser }) => {
    const page = await pageOf(browser, world, ann);
    await page.setViewportSize({ width, height: 800 });
    let answerPin = () => {};
    const asked = new Promise<void>((resolve) => {
      answerPin = resolve;
    });
    await page.route('**/api/web/bypasspassword', async (route) => {
      await asked;
      await route.continue();
    });
    await open(page, '/profile/admin-pin', 'Reset Admin PIN');
    const place = () => page.getByRole('button', { name: 'Reset Admin PIN' }).boundingBox();
    await expect(page.locator('main .skeleton')).toHaveCount(1);
    const before = await place();
    answerPin();
    await expect(page.locator('.code')).toHaveText(/^\d{6}$/);
    expect(await place()).toEqual(before);
  });
}

for (const [declineName, decline] of [
  ['Cancel', (page: Page) => button(page, 'Cancel').click()],
  ['Escape', (page: Page) => page.keyboard.press('Escape')],
] as const) {
  test(`[4.49] [8.9] ${declineName} declines the confirmation with "Action Cancelled" as a calm status, and returns the focus`, async ({
    browser,
  }) => {
    const page = await pageOf(browser, world, ann);
    await open(page, '/profile/admin-pin', 'Reset Admin PIN');
    const pin = page.locator('.code');
    await expect(pin).toHaveText(/^\d{6}$/);
    const pinBefore = (await pin.textContent()) ?? '';
    const changesMade = recordChanges(page);
    await page.getByRole('button', { name: 'Reset Admin PIN' }).click();
    await expect(dialog(page)).toBeVisible();
    await decline(page);
    await expect(dialog(page)).toHaveCount(0);
    await expect(cancelled(page)).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.locator('.note.bad')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Reset Admin PIN' })).toBeFocused();
    await expect(pin).toHaveText(pinBefore);
    expect(changesMade).toEqual([]);
  });
}

test('[4.48] Confirm performs the action, closes the dialog, and mentions no cancelled action', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await open(page, '/profile/admin-pin', 'Reset Admin PIN');
  const pin = page.locator('.code');
  await expect(pin).toHaveText(/^\d{6}$/);
  const pinBefore = (await pin.textContent()) ?? '';
  await page.getByRole('button', { name: 'Reset Admin PIN' }).click();
  const changesMade = recordChanges(page);
  await button(page, 'Confirm').click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(pin).not.toHaveText(pinBefore);
  await expect(page.getByText('Action Cancelled')).toHaveCount(0);
  expect(changesMade).toEqual(['POST /api/web/bypasspassword']);
});

test('holding a key down confirms nothing destructive, because the focus starts at Cancel', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await open(page, '/profile/admin-pin', 'Reset Admin PIN');
  const changesMade = recordChanges(page);
  await page.getByRole('button', { name: 'Reset Admin PIN' }).press('Enter');
  await expect(button(page, 'Cancel')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toHaveCount(0);
  expect(changesMade).toEqual([]);
  await open(page, '/profile/guardians', 'Resend email');
  await page.getByRole('button', { name: 'Resend email' }).press('Enter');
  await expect(button(page, 'Confirm')).toBeFocused();
});
