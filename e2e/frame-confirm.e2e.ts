import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { type Person, registeredPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The dialog that asks once more before something is done. */

let world: World;
let ann: Person;
withWorld((its) => {
  world = its;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email: 'bob@example.org' } });
});

const dialog = (page: Page) => page.getByRole('dialog');
const heading = (page: Page) => dialog(page).getByRole('heading');
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
const cancelled = (page: Page) => page.getByRole('status').filter({ hasText: /^Action Cancelled$/ });

/** Records the writes to the server from now on. */
function changes(page: Page): string[] {
  const list: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && list.push(`${request.method()} ${new URL(request.url()).pathname}`));
  return list;
}

async function open(page: Page, path: string, ready: string): Promise<void> {
  await page.goto(`${world.dashboardUrl}${path}`);
  await expect(page.getByRole('button', { name: ready, exact: true })).toBeVisible();
}

/** The colours of a button, and which of the product's own colours red and blue are. */
const colours = (page: Page, name: string) =>
  button(page, name).evaluate((element) => {
    const { borderTopColor, borderTopStyle, color, backgroundColor } = getComputedStyle(element);
    const named = (role: string) => {
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
      red: named('danger'),
      blue: named('action'),
    };
  });

test('[4.42] [4.46] [4.47] [4.50] questions queue, the newest first; each is declined for itself, and nothing is done', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, ann);
  await open(page, '/profile/guardians', 'Resend email');
  const done = changes(page);
  await page.getByRole('button', { name: 'Resend email' }).click();
  await expect(heading(page)).toHaveText('Resend email?');
  await expect(dialog(page)).toContainText('Bob gets a new link');
  // A modal dialog blocks clicks, but code can still ask a second question.
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
  expect(done).toEqual([]);
  await expect(page.getByTitle('Remove Bob as a guardian')).toBeVisible();
});

test('[4.47] without a label of its own the button says Confirm; what destroys is outlined in red, the rest is not', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, ann);
  await open(page, '/profile/guardians', 'Resend email');
  await page.getByRole('button', { name: 'Resend email' }).click();
  await expect(dialog(page).getByRole('button')).toHaveText(['Confirm', 'Cancel']);
  const calm = await colours(page, 'Confirm');
  expect(calm).toMatchObject({ border: calm.blue, ground: calm.blue });
  await page.keyboard.press('Escape');
  await open(page, '/profile/admin-pin', 'Reset Admin PIN');
  await page.getByRole('button', { name: 'Reset Admin PIN' }).click();
  await expect(dialog(page).getByRole('button')).toHaveText(['Confirm', 'Cancel']);
  const danger = await colours(page, 'Confirm');
  expect(danger).toMatchObject({ border: danger.red, text: danger.red, line: 'solid', ground: 'rgba(0, 0, 0, 0)' });
  expect(danger.red).not.toBe(danger.blue);
});

for (const [how, decline] of [
  ['Cancel', (page: Page) => button(page, 'Cancel').click()],
  ['Escape', (page: Page) => page.keyboard.press('Escape')],
] as const) {
  test(`[4.49] [8.9] ${how} rejects with "Action Cancelled", said calmly; the focus is back where it was`, async ({ browser }) => {
    const page = await pageOf(browser, world, ann);
    await open(page, '/profile/admin-pin', 'Reset Admin PIN');
    const pin = page.locator('.code');
    await expect(pin).toHaveText(/^\d{6}$/);
    const before = (await pin.textContent()) ?? '';
    const done = changes(page);
    await page.getByRole('button', { name: 'Reset Admin PIN' }).click();
    await expect(dialog(page)).toBeVisible();
    await decline(page);
    await expect(dialog(page)).toHaveCount(0);
    await expect(cancelled(page)).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.locator('.note.bad')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Reset Admin PIN' })).toBeFocused();
    await expect(pin).toHaveText(before);
    expect(done).toEqual([]);
  });
}

test('[4.48] Confirm does it, takes the question away, and says nothing of a cancelled action', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await open(page, '/profile/admin-pin', 'Reset Admin PIN');
  const pin = page.locator('.code');
  await expect(pin).toHaveText(/^\d{6}$/);
  const before = (await pin.textContent()) ?? '';
  await page.getByRole('button', { name: 'Reset Admin PIN' }).click();
  const done = changes(page);
  await button(page, 'Confirm').click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(pin).not.toHaveText(before);
  await expect(page.getByText('Action Cancelled')).toHaveCount(0);
  expect(done).toEqual(['POST /api/web/bypasspassword']);
});

test('a key that is held down does not destroy: the focus begins at Cancel where the other button is red', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await open(page, '/profile/admin-pin', 'Reset Admin PIN');
  const done = changes(page);
  await page.getByRole('button', { name: 'Reset Admin PIN' }).press('Enter');
  await expect(button(page, 'Cancel')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toHaveCount(0);
  expect(done).toEqual([]);
  await open(page, '/profile/guardians', 'Resend email');
  await page.getByRole('button', { name: 'Resend email' }).press('Enter');
  await expect(button(page, 'Confirm')).toBeFocused();
});
