import { expect } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { addButton, allowListOf, dialog, field, hits, rows } from './lib/allow-list.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The tab 'Allow List': what stands there, adding to it and removing from it. */

let world: World;
withWorld((its) => {
  world = its;
});

const soon = 'Changes can take up to an hour, or take effect right away after restarting the device.';

test('[2.76] [2.82] [2.86] [2.87] the tab stands between the alerts and the removal; an empty list says so, and what to mind', async ({
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

test('[2.83] [2.85] [4.36] each row says what it is, since when and until when, and can be removed at once', async ({ browser }) => {
  const ann = await allowListOf(browser, world);
  const { page } = ann;
  await ann.add('domain', 'https://www.Bücher.example/x', 'hour');
  await ann.add('definition', 'anydesk', 'today');
  await ann.add('definition', 'driver-support');
  await ann.open();
  await expect(rows(page)).toHaveText([
    /^Driver Support Program\s*Allowed since today \d{1,2}:\d\d [AP]M, until you remove itRemove$/,
    /^AnyDesk Program\s*Allowed since today \d{1,2}:\d\d [AP]M, until midnightRemove$/,
    /^bücher\.example Website\s*Allowed since today \d{1,2}:\d\d [AP]M, until (?:(?:today|tomorrow) \d{1,2}:\d\d [AP]M|midnight)Remove$/,
  ]);

  await rows(page).nth(1).getByRole('button', { name: 'Remove' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).getByText('AnyDesk')).toHaveCount(0);
  expect((await ann.items()).map(({ name }) => name)).toEqual(['Driver Support', 'bücher.example']);
  await expect(page.getByText(`AnyDesk is no longer on the allow list. ${soon}`, { exact: true })).toBeVisible();
  // Its button is gone; the list it was in has the focus, and the next one is a key away.
  await expect(page.getByRole('group', { name: 'Allowed websites and programs' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(rows(page).nth(0).getByRole('button', { name: 'Remove' })).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('what cannot be removed is said, and stays', async ({ browser }) => {
  const ann = await allowListOf(browser, world);
  await ann.add('definition', 'driver-support');
  await ann.open();
  await ann.page.route('**/v2/exceptions', (route) => (route.request().method() === 'DELETE' ? route.abort() : route.fallback()));
  await rows(ann.page).getByRole('button', { name: 'Remove' }).click();
  await expect(ann.page.getByRole('alert')).toHaveText('Failed to connect to API.');
  await expect(ann.page.getByRole('alert')).toBeFocused();
  await expect(rows(ann.page)).toHaveCount(1);
});

test('[2.84] [2.88] [4.35] [4.36] [4.37] [9.4] what is added is on the list, the dialog closes, and for 20 s it is said when it takes effect', async ({
  browser,
}) => {
  const ann = await allowListOf(browser, world);
  const { page } = ann;
  await page.clock.install();
  await ann.search('driver support');
  await expect(hits(page)).toHaveText(['Driver SupportAdd this program to your allow list']);
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/v2/exceptions'));
  await hits(page).click();
  expect((await sent).postDataJSON()).toEqual({ type: 'definition', identifier: 'driver-support', lasts: 'hour' });
  await expect(dialog(page)).toHaveCount(0);
  await expect(addButton(page)).toBeFocused();

  const said = page.getByText(`Driver Support is on the allow list now. ${soon}`, { exact: true });
  await page.clock.runFor(299);
  await expect(said).toHaveCount(0);
  await expect(rows(page)).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(page.locator('[aria-live="polite"]', { has: said })).toHaveCount(1);
  await page.clock.runFor(19_999);
  await expect(said).toBeVisible();
  await page.clock.runFor(1);
  await expect(said).toHaveCount(0);
  await expect(rows(page)).toHaveText([/^Driver Support Program/]);
});

test('[2.88] before a remote control program is allowed one is asked once more; a no sends nothing, a yes sends for how long', async ({
  browser,
}) => {
  const ann = await allowListOf(browser, world);
  const { page } = ann;
  await ann.search('anydesk');
  const sent: unknown[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.postDataJSON()));
  await expect(hits(page)).toHaveText(['AnyDeskAdd this remote control program to your allow list']);
  const lasts = dialog(page).getByRole('group', { name: 'For how long?' }).getByRole('radio');
  await expect(lasts).toHaveCount(3);
  for (const [i, name] of ['for 1 hour', 'today', 'until I remove it'].entries()) {
    await expect(lasts.nth(i)).toHaveAccessibleName(name);
    await expect(lasts.nth(i)).toBeChecked({ checked: name === 'for 1 hour' });
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
  expect(sent).toEqual([]);

  await hits(page).click();
  await question.getByRole('button', { name: 'Allow AnyDesk' }).click();
  await expect(rows(page)).toHaveText([/^AnyDesk Program/]);
  await expect(dialog(page)).toHaveCount(0);
  expect(sent).toEqual([{ type: 'definition', identifier: 'anydesk', lasts: 'hour' }]);
  const [item] = await ann.items();
  expect(Date.parse(item?.until ?? '') - Date.parse(item?.added ?? '')).toBe(3_600_000);
});

test('what the server refuses is said in the dialog, with what was typed still there', async ({ browser }) => {
  const ann = await allowListOf(browser, world);
  await ann.search('example.com');
  await expect(hits(ann.page)).toHaveText(['example.comAdd this website to your allow list']);
  // Someone else of the family was faster.
  await ann.add('domain', 'example.com');
  await hits(ann.page).click();
  const alert = dialog(ann.page).getByRole('alert');
  await expect(alert).toHaveText('This is already on the allow list of this device.');
  await expect(alert).toBeFocused();
  await expect(field(ann.page)).toHaveValue('example.com');
});
