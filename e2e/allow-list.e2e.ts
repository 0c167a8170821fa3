import { expect } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { addButton, allowListOf, dialog, field, hits, rows } from './lib/allow-list.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const soon = 'Changes can take up to an hour, or take effect right away after restarting the device.';

test('[2.76] [2.82] [2.86] [2.87] the allow-list tab is between the alerts and the removal, and explains itself when empty', async ({
  browser,
}) => {
  const { page, device } = await allowListOf(browser, world);
  await page.goto(`${world.dashboardUrl}/devices/${device}`);
  const tabs = page.locator('nav.tabs').getByRole('link');
  await expect(tabs).toHaveText(['Device Settings', 'Alert History', 'Allow List', 'Remove Device']);
  await tabs.nth(2).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/devices/${device}/allowlist`);
  await expect(tabs.nth(2)).toHaveAttribute('aria-current', 'page');
  await expect(page.locator('h1 + p')).toHaveText('Allow List');
  await expect(page.getByText('You have not added any allowed websites or programs.', { exact: true })).toBeVisible();
  await expect(
    page.getByText('Anyone (including scammers) will be able to use items you add here. Please use caution.', { exact: true }),
  ).toBeVisible();
});

test('[2.83] [2.85] [4.36] each row of the allow list shows what it allows, since when and until when, and can be removed at once', async ({
  browser,
}) => {
  const ann = await allowListOf(browser, world);
  const { page } = ann;
  await ann.add('domain', 'https://www.Bücher.example/x', 'hour');
  await ann.add('definition', 'anydesk', 'today');
  await ann.add('definition', 'driver-support');
  await ann.open();
  await expect(rows(page)).toHaveText([
    /^Driver Support Program\s*Allowed since (?:today|yesterday) at \d{1,2}:\d\d [AP]M, until you remove itRemove$/,
    /^AnyDesk Program\s*Allowed since (?:today|yesterday) at \d{1,2}:\d\d [AP]M, until midnightRemove$/,
    /^bücher\.example Website\s*Allowed since (?:today|yesterday) at \d{1,2}:\d\d [AP]M, until (?:(?:today|tomorrow) at \d{1,2}:\d\d [AP]M|midnight)Remove$/,
  ]);

  await rows(page).nth(1).getByRole('button', { name: 'Remove' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).getByText('AnyDesk')).toHaveCount(0);
  expect((await ann.items()).map(({ name }) => name)).toEqual(['Driver Support', 'bücher.example']);
  await expect(page.getByText(`AnyDesk is no longer on the allow list. ${soon}`, { exact: true })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Allowed websites and programs' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(rows(page).nth(0).getByRole('button', { name: 'Remove' })).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('an entry that cannot be removed shows the error and stays', async ({ browser }) => {
  const ann = await allowListOf(browser, world);
  await ann.add('definition', 'driver-support');
  await ann.open();
  await ann.page.route('**/v2/exceptions', (route) => (route.request().method() === 'DELETE' ? route.abort() : route.fallback()));
  await rows(ann.page).getByRole('button', { name: 'Remove' }).click();
  await expect(ann.page.getByRole('alert')).toHaveText('Failed to connect to API.');
  await expect(ann.page.getByRole('alert')).toBeFocused();
  await expect(rows(ann.page)).toHaveCount(1);
});

test('[2.84] [2.88] [4.35] [4.36] [4.37] [7.26] [9.4] a new entry appears in the list, the dialog closes, and for 20 s a message says when it takes effect', async ({
  browser,
}) => {
  const ann = await allowListOf(browser, world);
  const { page } = ann;
  await page.clock.install();
  await ann.search('driver support');
  await expect(hits(page)).toHaveText(['Driver SupportAdd this program to your allow list']);
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  const requestPromise = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v2/exceptions'));
  await hits(page).click();
  expect((await requestPromise).postDataJSON()).toEqual({ type: 'definition', identifier: 'driver-support' });
  await expect(dialog(page)).toHaveCount(0);
  await expect(addButton(page)).toBeFocused();

  const confirmation = page.getByText(`Driver Support is on the allow list now. ${soon}`, { exact: true });
  await page.clock.runFor(299);
  await expect(confirmation).toHaveCount(0);
  await expect(rows(page)).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(page.locator('[aria-live="polite"]', { has: confirmation })).toHaveCount(1);
  await page.clock.runFor(19_999);
  await expect(confirmation).toBeVisible();
  await page.clock.runFor(1);
  await expect(confirmation).toHaveCount(0);
  await expect(rows(page)).toHaveText([/^Driver Support Program/]);
});

test('[2.88] allowing a remote-control program needs a confirmation: No sends nothing, Yes sends the duration', async ({ browser }) => {
  const ann = await allowListOf(browser, world);
  const { page } = ann;
  await ann.search('anydesk');
  const sentBodies: unknown[] = [];
  page.on('request', (request) => request.method() === 'POST' && sentBodies.push(request.postDataJSON()));
  await expect(hits(page)).toHaveText(['AnyDeskAdd this remote control program to your allow list']);
  const durations = dialog(page).getByRole('group', { name: 'A program: for how long?' }).getByRole('radio');
  await expect(durations).toHaveCount(3);
  for (const [i, name] of ['until I remove it', 'for 1 hour', 'today'].entries()) {
    await expect(durations.nth(i)).toHaveAccessibleName(name);
    await expect(durations.nth(i)).toBeChecked({ checked: name === 'until I remove it' });
  }
  await page.getByLabel('for 1 hour').check();

  await hits(page).click();
  const question = page.getByRole('dialog', { name: 'Allow AnyDesk?' });
  await expect(question).toContainText('Scammers ask for it on the phone.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expect(question.getByRole('button', { name: 'Allow AnyDesk' })).toHaveClass(/danger/);
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(dialog(page)).toBeVisible();
  await expect(hits(page)).toBeFocused();
  expect(sentBodies).toEqual([]);

  await hits(page).click();
  await question.getByRole('button', { name: 'Allow AnyDesk' }).click();
  await expect(rows(page)).toHaveText([/^AnyDesk Program/]);
  await expect(dialog(page)).toHaveCount(0);
  expect(sentBodies).toEqual([{ type: 'definition', identifier: 'anydesk', lasts: 'hour' }]);
  const [entry] = await ann.items();
  expect(Date.parse(entry?.until ?? '') - Date.parse(entry?.added ?? '')).toBe(3_600_000);
});

test('an addition that the server refuses shows the error in the dialog, with the input still there', async ({ browser }) => {
  const ann = await allowListOf(browser, world);
  await ann.search('example.com');
  await expect(hits(ann.page)).toHaveText(['example.comAdd this website to your allow list']);
  // The page must not learn of the entry by its poll, which would disable the hit.
  await ann.page.route('**/v2/exceptions', (route) => (route.request().method() === 'GET' ? route.abort() : route.fallback()));
  await ann.add('domain', 'example.com');
  await hits(ann.page).click();
  const alert = dialog(ann.page).getByRole('alert');
  await expect(alert).toHaveText('This is already on the allow list of this device.');
  await expect(alert).toBeFocused();
  await expect(field(ann.page)).toHaveValue('example.com');
});
