import { type Browser, expect, type Page } from '@playwright/test';
import { registeredPerson } from '@porchlight/dev/people.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { installers, type MadeUpInstallers, saved, userAgents } from './lib/installers.ts';
import { test } from './lib/test.ts';

/** The free plan, from the page to the file. */

let world: World;
let made: MadeUpInstallers;
test.beforeAll(async () => {
  made = await installers();
  world = await startWorld({ env: { INSTALLERS_DIR: made.folder } });
});
test.afterAll(async () => {
  await world?.close();
  await made?.close();
});

async function open(browser: Browser, system: keyof typeof userAgents): Promise<Page> {
  const page = await (await browser.newContext({ userAgent: userAgents[system] })).newPage();
  await page.goto(`${world.dashboardUrl}/free-download`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Start using our free plan');
  return page;
}
const email = (page: Page) => page.getByLabel('Email', { exact: true });
const terms = (page: Page) => page.getByRole('checkbox', { name: 'I agree to the terms of service and the privacy policy' });
const marketing = (page: Page) =>
  page.getByRole('checkbox', { name: 'I agree to receive occasional product updates and marketing emails', exact: true });
const button = (page: Page) => page.getByRole('button', { name: 'Download now', exact: true });
const alert = (page: Page) => page.getByRole('alert');
const section = (page: Page) => page.getByRole('region', { name: 'Downloading' });
const links = (page: Page) => section(page).getByRole('link', { name: /^Download for / });
const freeDownload = '**/api/free-download';
/** What is asked of the free plan's call from now on. */
function asked(page: Page): unknown[] {
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/free-download')) bodies.push(request.postDataJSON());
  });
  return bodies;
}

test('[2.20] [6.1] [2.134] [2.135] [2.136] [2.137] [2.138] the page is open to a guest, with its words, its boxes unticked, and support', async ({
  browser,
}) => {
  const page = await open(browser, 'Windows');
  await expect(page.getByText('Blocks remote connection and removes existing scam threats.', { exact: true })).toBeVisible();
  await expect(email(page)).toHaveValue('');
  for (const box of [terms(page), marketing(page)]) await expect(box).not.toBeChecked();
  await expect(page.getByRole('link', { name: 'terms of service' })).toHaveAttribute('href', '/terms-of-service');
  await expect(page.getByRole('link', { name: 'privacy policy' })).toHaveAttribute('href', '/privacy-policy');
  await expect(page.getByRole('main').getByRole('link', { name: 'Customer support' })).toHaveAttribute(
    'href',
    'mailto:support@porchlight.example',
  );
  await expect(button(page)).toBeEnabled();
  await expect(section(page)).toHaveCount(0);
  await expect(page.getByText(/We detected your operating system/)).toHaveCount(0);
  await page.context().close();

  const holder = await pageOf(browser, world, await registeredPerson(world));
  await holder.goto(`${world.dashboardUrl}/free-download`);
  await expect(button(holder)).toBeVisible();
});

for (const [system, platform, name, other, words] of [
  ['Windows', 'windows', 'Porchlight.exe', 'Porchlight.pkg', 'If Windows asks whether this app may make changes, choose Yes.'],
  [
    'macOS',
    'macos',
    'Porchlight.pkg',
    'Porchlight.exe',
    'Press Continue, then Install. Your Mac asks for the password that you log in with.',
  ],
] as const) {
  test(`[2.139] [3.20] [4.43] [9.12] on ${system} the right file comes by itself, with the steps to install it, and the other one is beside it`, async ({
    browser,
  }) => {
    const page = await open(browser, system);
    await terms(page).check();
    const download = page.waitForEvent('download');
    await button(page).click();
    expect(await saved(await download)).toEqual({ name, sha256: made.sha256[platform] });
    await expect(section(page).getByRole('heading', { name: `How to install it on ${system}` })).toBeVisible();
    await expect(section(page).getByText(words)).toBeVisible();
    await expect(section(page).getByText('You can now download and install on your device')).toHaveCount(0);
    await expect(page.getByRole('form')).toHaveCount(0);
    await expect(button(page)).toHaveCount(0);
    await expect(page).toHaveURL(`${world.dashboardUrl}/free-download`);
    await expect(section(page).getByRole('heading', { name: 'Downloading' })).toBeFocused();
    await expect(links(page)).toHaveText([`Download for ${system}`, `Download for ${system === 'macOS' ? 'Windows' : 'macOS'}`]);

    for (const [index, expected] of [name, other].entries()) {
      const again = page.waitForEvent('download');
      await links(page).nth(index).click();
      expect((await saved(await again)).name).toBe(expected);
    }
    await page.context().close();
  });
}

for (const system of ['Linux', 'iOS'] as const) {
  test(`[2.139] [3.20] [8.19] on ${system} nothing comes by itself: it is flagged, and both files are there with general steps`, async ({
    browser,
  }) => {
    const page = await open(browser, system);
    const warning = `We detected your operating system to be ${system}, which is currently not compatible with the product.`;
    await expect(page.getByText(warning, { exact: true })).toBeVisible();
    const downloads: unknown[] = [];
    page.on('download', (download) => downloads.push(download));
    await terms(page).check();
    await button(page).click();
    await expect(section(page).getByText('You can now download and install on your device', { exact: true })).toBeVisible();
    await expect(section(page).getByRole('listitem')).toHaveCount(3);
    await expect(section(page).getByRole('heading', { level: 3 })).toHaveCount(0);
    await expect(links(page)).toHaveText(['Download for Windows', 'Download for macOS']);
    expect(downloads).toEqual([]);
    await page.context().close();
  });
}

test('[3.16] [7.32] the address is sent only with the second box ticked', async ({ browser }) => {
  const bodies: unknown[][] = [];
  for (const yes of [false, true]) {
    const page = await open(browser, 'Linux');
    bodies.push(asked(page));
    await email(page).fill('ann@example.org');
    await terms(page).check();
    if (yes) await marketing(page).check();
    await button(page).click();
    await expect(section(page)).toBeVisible();
    await page.context().close();
  }
  expect(bodies).toEqual([[{ email: null }], [{ email: 'ann@example.org' }]]);
});

test('[5.28] [5.29] [5.31] without the terms nothing is sent, and it is said above and beside the box', async ({ browser }) => {
  const page = await open(browser, 'Windows');
  const bodies = asked(page);
  await email(page).fill('ann@example.org');
  await button(page).click();
  await expect(alert(page)).toHaveText('Please agree to the terms of service.');
  await expect(alert(page)).toBeFocused();
  await expect(terms(page)).toHaveAccessibleDescription('Please agree to the terms of service.');
  await expect(terms(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(email(page)).toHaveValue('ann@example.org');
  await expect(section(page)).toHaveCount(0);
  expect(bodies).toEqual([]);
  await checkScreen(page);
  await terms(page).check();
  await button(page).click();
  await expect(section(page)).toBeVisible();
  expect(bodies).toEqual([{ email: null }]);
  await page.context().close();
});

test('[5.30] [5.31] with a yes to updates an address that is none is not sent; without one it does not matter', async ({ browser }) => {
  const page = await open(browser, 'Linux');
  const bodies = asked(page);
  await terms(page).check();
  await marketing(page).check();
  for (const typed of ['', 'ann', 'ann@example', 'an n@example.org']) {
    await email(page).fill(typed);
    await button(page).click();
    await expect(alert(page)).toHaveText('Please enter a valid email address.');
    await expect(email(page)).toHaveAccessibleDescription(/^Please enter a valid email address\./);
  }
  expect(bodies).toEqual([]);
  await marketing(page).uncheck();
  await button(page).click();
  await expect(section(page)).toBeVisible();
  expect(bodies).toEqual([{ email: null }]);
  await page.context().close();
});

const words = 'Something went wrong. Is your email address correct?';
for (const [what, answer] of [
  ['an answer 500', { status: 500, json: { error: 'Something else.', code: 'internal' } }],
  ['an answer 429', { status: 429, json: { error: 'Too often.', code: 'too_many' } }],
  ['an answer 201', { status: 201, json: {} }],
  ['an answer 204', { status: 204 }],
  ['a page that is no answer of ours', { status: 200, contentType: 'text/html', body: '<h1>Wi-Fi</h1>' }],
  ['no answer', null],
] as const) {
  test(`[4.43] [8.10] ${what} is told in set words, and nothing is lost`, async ({ browser }) => {
    const page = await open(browser, 'Windows');
    await page.route(freeDownload, (route) => (answer ? route.fulfill(answer) : route.abort()));
    await email(page).fill('ann@example.org');
    await terms(page).check();
    await marketing(page).check();
    await button(page).click();
    await expect(alert(page)).toHaveText(words);
    await expect(alert(page)).toBeFocused();
    await expect(section(page)).toHaveCount(0);
    await expect(email(page)).toHaveValue('ann@example.org');
    for (const box of [terms(page), marketing(page)]) await expect(box).toBeChecked();
    await page.unroute(freeDownload);
    const download = page.waitForEvent('download');
    await button(page).click();
    expect((await saved(await download)).name).toBe('Porchlight.exe');
    await expect(alert(page)).toHaveCount(0);
    await page.context().close();
  });
}

test('[8.10] an address that only the server knows to be none is told above and beside its field', async ({ browser }) => {
  const page = await open(browser, 'Windows');
  await email(page).fill('a..b@example.org');
  await terms(page).check();
  await marketing(page).check();
  await button(page).click();
  await expect(alert(page)).toHaveText(words);
  await expect(email(page)).toHaveAccessibleDescription(new RegExp(`^${words.replaceAll('?', '\\?').replaceAll('.', '\\.')}`));
  await page.context().close();
});

test('the list of installers that cannot be had says so, and comes after another try', async ({ browser }) => {
  const page = await (await browser.newContext({ userAgent: userAgents.Windows })).newPage();
  await page.route('**/api/downloads', (route) => route.abort());
  await page.goto(`${world.dashboardUrl}/free-download`);
  await terms(page).check();
  await button(page).click();
  await expect(section(page).getByRole('alert')).toContainText('Failed to connect to API.');
  await page.unroute('**/api/downloads');
  const download = page.waitForEvent('download');
  await section(page).getByRole('button', { name: 'Try again' }).click();
  expect((await saved(await download)).sha256).toBe(made.sha256.windows);
  await page.context().close();
});

test('by the keyboard alone one gets to the file; before and after it the page stands up to the judge', async ({ browser }) => {
  const page = await open(browser, 'Windows');
  await checkScreen(page);
  await checkScreenZoomed(page);
  await email(page).focus();
  await page.keyboard.type('ann@example.org');
  await page.keyboard.press('Tab');
  await expect(terms(page)).toBeFocused();
  await page.keyboard.press('Space');
  for (let n = 0; n < 3; n++) await page.keyboard.press('Tab');
  await expect(marketing(page)).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await expect(button(page)).toBeFocused();
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await saved(await download)).name).toBe('Porchlight.exe');
  await page.keyboard.press('Tab');
  await expect(links(page).first()).toBeFocused();
  await checkScreen(page);
  await checkScreenZoomed(page);
  await page.context().close();
});
