import { expect, type Page } from '@playwright/test';
import { readCatalogue } from '@porchlight/definitions/catalogue.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const catalogue = readCatalogue();
const search = (page: Page) => page.getByRole('searchbox', { name: 'Name of a program or page' });
const entries = (page: Page) => page.locator('details');
const open = async (page: Page) => {
  await page.goto(`${world.dashboardUrl}/login`);
  await page.getByRole('link', { name: 'What we recognize' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What we recognize');
  await expect(entries(page)).toHaveCount(catalogue.length);
};

test('a guest gets to the list of definitions from the footer, finds a program by a part of its name, and reads what it is and what to do', async ({
  page,
}) => {
  await open(page);
  await search(page).fill('ultra viewer');
  await expect(entries(page)).toHaveCount(1);
  await expect(page.getByRole('status').filter({ hasText: '1 of them fits' })).toBeVisible();
  await entries(page).first().click();
  const { help } = catalogue.find(({ identifier }) => identifier === 'ultraviewer') ?? {};
  await expect(page.getByText(help?.what_it_is ?? '?')).toBeVisible();
  await expect(page.getByText(help?.what_to_do ?? '?')).toBeVisible();
  await expect(page.getByText('Lets someone else use the computer')).toBeVisible();
  await checkScreen(page);
  await checkScreenZoomed(page);
});

test('[P15.3] Remote Desktop Connection has a sentence about when it is stopped, and Quick Assist, which lets others in, has none', async ({
  page,
}) => {
  await open(page);
  const sentence = page.getByText('On Windows and Linux you can use it to reach another computer.');
  for (const [name, isThere] of [
    ['Quick Assist', false],
    ['Remote Desktop Connection', true],
  ] as const) {
    await search(page).fill(name);
    await entries(page).filter({ hasText: name }).first().click();
    await expect(page.getByRole('heading', { name: 'What it is' })).toBeVisible();
    await expect(sentence).toHaveCount(isThere ? 1 : 0);
  }
});

test('the search works by keyboard alone, and an unknown name gets a message of its own', async ({ page }) => {
  await open(page);
  await search(page).focus();
  await page.keyboard.type('rustdesk');
  await expect(entries(page)).toHaveCount(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'What to do' })).toBeVisible();
  await search(page).fill('my bank');
  await expect(page.getByText('We do not know “my bank” by name. That does not make it safe')).toBeVisible();
  await expect(entries(page)).toHaveCount(0);
});

test('four hundred definitions are searched as fast as typing, and a failed request shows an error', async ({ page }) => {
  const [firstEntry] = catalogue;
  const many = Array.from({ length: 400 }, (_, n) => ({
    ...firstEntry,
    aliases: [],
    has_client: false,
    ...firstEntry?.help,
    identifier: `p-${n}`,
    name: `Program ${n}`,
  }));
  await page.route('**/api/definitions/families.json', (route) => route.fulfill({ json: many }));
  await page.goto(`${world.dashboardUrl}/what-we-recognise`);
  await expect(entries(page)).toHaveCount(400);
  await search(page).fill('program 399');
  await expect(entries(page)).toHaveCount(1);
  await page.route('**/api/definitions/families.json', (route) => route.fulfill({ status: 500, json: { error: 'Something went wrong.' } }));
  await page.reload();
  await expect(page.getByRole('button', { name: /again/i })).toBeVisible();
});
