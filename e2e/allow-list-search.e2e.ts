// Tier: fast. The journey of section 5, validation rules.
import { expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { addButton, allowListOf, dialog, field, hits, rows } from './lib/allow-list.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const meant = (page: Page, website: string) => dialog(page).getByRole('button', { name: `Did you mean ${website}?`, exact: true });

test('[5.22] [5.23] [5.24] [9.10] one field finds programs by name and websites by form, and accepts 253 characters', async ({
  browser,
}) => {
  const ann = await allowListOf(browser, world);
  const { page } = ann;
  await ann.search();
  await expect(field(page)).toBeFocused();
  await expect(dialog(page).getByRole('textbox')).toHaveCount(1);
  const expectFound = async (typedText: string, ...names: string[]) => {
    await field(page).fill(typedText);
    await expect(hits(page).locator('strong')).toHaveText(names);
  };
  await expectFound('', ...[]);
  await expectFound('team viewer', 'TeamViewer');
  await field(page).fill('vnc');
  const hitNames = () => hits(page).locator('strong').allTextContents();
  await expect.poll(hitNames).toEqual(expect.arrayContaining(['TightVNC', 'UltraVNC']));
  for (const name of await hitNames()) expect(name).toMatch(/vnc/i);
  await expectFound('anydesk.com', 'anydesk.com');
  await expectFound('HTTPS://www.Example.com/path', 'example.com');
  await expectFound('ftp://example.com', ...[]);
  await expectFound(`a.${'b'.repeat(63)}`, `a.${'b'.repeat(63)}`);
  await expectFound(`a.${'b'.repeat(64)}`, ...[]);
  await expectFound('q.b', ...[]);

  const longWebsite = `${'a.'.repeat(125)}com`;
  await field(page).fill('');
  await field(page).pressSequentially(`${longWebsite}x`);
  await expect(field(page)).toHaveValue(longWebsite);
  await expect(hits(page)).toHaveCount(1);
});

test('[5.25] if nothing is found and .com would make it a website, the dialog suggests that website', async ({ browser }) => {
  const ann = await allowListOf(browser, world);
  const { page } = ann;
  await ann.search('knitting-patterns');
  await expect(hits(page)).toHaveCount(0);
  await meant(page, 'knitting-patterns.com').click();
  await expect(field(page)).toHaveValue('knitting-patterns.com');
  await expect(field(page)).toBeFocused();
  await expect(hits(page)).toHaveText(['knitting-patterns.comAdd this website to your allow list']);
  for (const typedText of ['anydesk', 'example.com', 'quick support', '!!!']) {
    await field(page).fill(typedText);
    await expect(dialog(page).getByText(/Did you mean/)).toHaveCount(0);
  }
  await expect(dialog(page).getByText('We found no program of that name. A website looks like example.com.')).toBeVisible();
  await field(page).fill('knitting-patterns.com');
  await hits(page).click();
  await expect(rows(page)).toHaveText([/^knitting-patterns\.com Website/]);
});

test('[5.26] [5.27] an existing entry cannot be added again, however it is typed', async ({ browser }) => {
  const ann = await allowListOf(browser, world);
  const { page } = ann;
  await ann.add('domain', 'example.com');
  await ann.add('definition', 'anydesk');
  for (const typedText of ['example.com', 'EXAMPLE.Com', 'https://www.example.com/']) {
    await ann.search(typedText);
    await expect(hits(page)).toHaveText(['example.comThis device is already allowed to access example.com']);
    await expect(hits(page)).toBeDisabled();
  }
  await field(page).fill('AnyDESK');
  await expect(hits(page)).toHaveText(['AnyDeskThis device is already allowed to use AnyDesk']);
  await expect(hits(page)).toBeDisabled();
  await field(page).fill('example.org');
  await expect(hits(page)).toBeEnabled();

  const items = (await ann.items()).map((entry) => ({ ...entry, identifier: entry.identifier.toUpperCase() }));
  await page.route('**/v2/exceptions', (route) => route.fulfill({ json: { items } }));
  for (const typedText of ['anydesk', 'example.com']) {
    await ann.search(typedText);
    await expect(hits(page)).toBeDisabled();
  }
});

const isRed = (page: Page) =>
  page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--danger)';
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });

test('[8.11] programs that cannot be loaded show an error in red, with the server’s text or a default text, while websites can still be found', async ({
  browser,
}) => {
  const ann = await allowListOf(browser, world);
  const { page } = ann;
  const list = '**/api/definitions/allowlistable.json';
  const alert = dialog(page).getByRole('alert').getByRole('paragraph');
  for (const [errorMessage, answer] of [
    ['Service Unavailable', { status: 503, body: '' }],
    ['Not Found', { status: 404, json: { error: 'We could not find that.' } }],
    ['Failed to load the list of allowable programs', null],
  ] as const) {
    await page.route(list, (route) => (answer ? route.fulfill(answer) : route.abort()));
    await ann.search('example.com');
    await expect(alert).toHaveText(errorMessage);
    await expect(alert).toHaveCSS('color', await isRed(page));
    await expect(hits(page)).toHaveText(['example.comAdd this website to your allow list']);
    await page.unroute(list);
  }
  await field(page).fill('anydesk');
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await expect(hits(page)).toHaveText([/^AnyDesk/]);
  await expect(alert).toHaveCount(0);
});

test('the keyboard alone adds and removes entries; Escape closes the dialog and returns the focus', async ({ browser }) => {
  const ann = await allowListOf(browser, world);
  const { page } = ann;
  await ann.open();
  await addButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(addButton(page)).toBeFocused();

  await page.keyboard.press('Enter');
  await page.keyboard.type('driver support');
  await expect(hits(page)).toHaveCount(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(dialog(page).getByLabel('today')).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(hits(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveText([/^Driver Support Program.*until midnight/]);
  await expect(addButton(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(rows(page).getByRole('button', { name: 'Remove' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('You have not added any allowed websites or programs.')).toBeVisible();

  // Enter in the field moves to the hits, and adds nothing by itself.
  await addButton(page).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('example.com');
  await page.keyboard.press('Enter');
  await expect(hits(page)).toBeFocused();
  expect(await ann.items()).toEqual([]);
});

test('the allow list passes axe in light and dark, and loses nothing at 320 px or at 400 %', async ({ browser }) => {
  const ann = await allowListOf(browser, world);
  const { page } = ann;
  await ann.open();
  await checkScreen(page);
  await ann.add('domain', `${'a-rather-long-name.'.repeat(6)}example.com`, 'hour');
  await ann.add('definition', 'anydesk');
  await ann.open();
  await expect(rows(page)).toHaveCount(2);
  await checkScreen(page);
  await checkScreenZoomed(page);
});

test('the dialog passes axe in light and dark with any input, and loses nothing at 320 px or at 400 %', async ({ browser }) => {
  const ann = await allowListOf(browser, world);
  const { page } = ann;
  await ann.add('definition', 'anydesk');
  for (const [typedText, shownText] of [
    ['desk', 'This device is already allowed to use AnyDesk'],
    [`${'a-rather-long-name-'.repeat(3)}x.example`, 'Add this website to your allow list'],
    ['knitting-patterns', 'Did you mean knitting-patterns.com?'],
    ['no such program', 'We found no program of that name.'],
  ] as const) {
    await ann.search(typedText);
    await expect(dialog(page).getByText(shownText).first()).toBeVisible();
    await checkScreen(page);
    await checkScreenZoomed(page);
  }
});

test('the dialog without programs, and the confirmation above it, pass axe and lose nothing when zoomed', async ({ browser }) => {
  const ann = await allowListOf(browser, world);
  const { page } = ann;
  await page.route('**/api/definitions/allowlistable.json', (route) => route.abort());
  await ann.search('example.com');
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await checkScreen(page);
  await checkScreenZoomed(page);
  await page.unroute('**/api/definitions/allowlistable.json');
  await ann.search('rustdesk');
  await hits(page).click();
  await expect(page.getByRole('dialog', { name: 'Allow RustDesk?' })).toBeVisible();
  await checkScreen(page);
  await checkScreenZoomed(page);
});
