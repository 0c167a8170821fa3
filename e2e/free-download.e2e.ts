// Its own server: it has installers of the test.
import { type Browser, expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { installers, type MadeUpInstallers, savedFile, userAgents } from './lib/installers.ts';
import { registeredPerson } from './lib/people.ts';
import { test } from './lib/test.ts';
import { startTestWorld } from './lib/worlds.ts';

let world: World;
let fakeInstallers: MadeUpInstallers;
test.beforeAll(async () => {
  fakeInstallers = await installers();
  world = await startTestWorld({ env: { INSTALLERS_DIR: fakeInstallers.folder } });
});
test.afterAll(async () => {
  await world?.close();
  await fakeInstallers?.close();
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
function recordBodies(page: Page): unknown[] {
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/free-download')) bodies.push(request.postDataJSON());
  });
  return bodies;
}

test('[2.20] [6.1] [2.134] [2.135] [2.136] [2.137] [2.138] the free-download page is open to a guest, with its texts, unticked boxes, and support', async ({
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

for (const [system, platform, name, otherName, stepText] of [
  ['Windows', 'windows', 'Porchlight.exe', 'Porchlight.pkg', 'If Windows asks whether this app may make changes, choose Yes.'],
  [
    'macOS',
    'macos',
    'Porchlight.pkg',
    'Porchlight.exe',
    'Press Continue, then Install. Your Mac asks for the password that you log in with.',
  ],
] as const) {
  test(`[2.139] [3.20] [4.43] [9.12] on ${system} the right file downloads by itself, with installation steps, and the other one is offered beside it`, async ({
    browser,
  }) => {
    const page = await open(browser, system);
    await terms(page).check();
    const download = page.waitForEvent('download');
    await button(page).click();
    expect(await savedFile(await download)).toEqual({ name, sha256: fakeInstallers.sha256[platform] });
    await expect(section(page).getByRole('heading', { name: `How to install it on ${system}` })).toBeVisible();
    await expect(section(page).getByText(stepText)).toBeVisible();
    await expect(section(page).getByText('You can now download and install on your device')).toHaveCount(0);
    await expect(page.getByRole('form')).toHaveCount(0);
    await expect(button(page)).toHaveCount(0);
    await expect(page).toHaveURL(`${world.dashboardUrl}/free-download`);
    await expect(section(page).getByRole('heading', { name: 'Downloading' })).toBeFocused();
    await expect(links(page)).toHaveText([`Download for ${system}`, `Download for ${system === 'macOS' ? 'Windows' : 'macOS'}`]);

    for (const [index, expected] of [name, otherName].entries()) {
      const secondDownload = page.waitForEvent('download');
      await links(page).nth(index).click();
      expect((await savedFile(await secondDownload)).name).toBe(expected);
    }
    await page.context().close();
  });
}

for (const system of ['Linux', 'iOS'] as const) {
  test(`[2.139] [3.20] [8.19] on ${system} nothing downloads by itself: the page warns, and offers both files with general steps`, async ({
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
    bodies.push(recordBodies(page));
    await email(page).fill('ann@example.org');
    await terms(page).check();
    if (yes) await marketing(page).check();
    await button(page).click();
    await expect(section(page)).toBeVisible();
    await page.context().close();
  }
  expect(bodies).toEqual([[{ email: null }], [{ email: 'ann@example.org' }]]);
});

test('[5.28] [5.29] [5.31] without the terms nothing is sent, and the error appears above and beside the box', async ({ browser }) => {
  const page = await open(browser, 'Windows');
  const bodies = recordBodies(page);
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

test('[5.30] [5.31] with consent to updates an invalid address is not sent; without it the address does not matter', async ({
  browser,
}) => {
  const page = await open(browser, 'Linux');
  const bodies = recordBodies(page);
  await terms(page).check();
  await marketing(page).check();
  for (const typedText of ['', 'ann', 'ann@example', 'an n@example.org']) {
    await email(page).fill(typedText);
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

const errorMessage = 'Something went wrong. Is your email address correct?';
for (const [failure, answer] of [
  ['an answer 500', { status: 500, json: { error: 'Something else.', code: 'internal' } }],
  ['an answer 429', { status: 429, json: { error: 'Too often.', code: 'too_many' } }],
  ['an answer 201', { status: 201, json: {} }],
  ['an answer 204', { status: 204 }],
  ['a page that is no answer of ours', { status: 200, contentType: 'text/html', body: '<h1>Wi-Fi</h1>' }],
  ['no answer', null],
] as const) {
  test(`[4.43] [8.10] ${failure} shows a fixed error text, and the input stays`, async ({ browser }) => {
    const page = await open(browser, 'Windows');
    await page.route(freeDownload, (route) => (answer ? route.fulfill(answer) : route.abort()));
    await email(page).fill('ann@example.org');
    await terms(page).check();
    await marketing(page).check();
    await button(page).click();
    await expect(alert(page)).toHaveText(errorMessage);
    await expect(alert(page)).toBeFocused();
    await expect(section(page)).toHaveCount(0);
    await expect(email(page)).toHaveValue('ann@example.org');
    for (const box of [terms(page), marketing(page)]) await expect(box).toBeChecked();
    await page.unroute(freeDownload);
    const download = page.waitForEvent('download');
    await button(page).click();
    expect((await savedFile(await download)).name).toBe('Porchlight.exe');
    await expect(alert(page)).toHaveCount(0);
    await page.context().close();
  });
}

test('[8.10] an address that only the server finds invalid shows an error above and beside its field', async ({ browser }) => {
  const page = await open(browser, 'Windows');
  await email(page).fill('a..b@example.org');
  await terms(page).check();
  await marketing(page).check();
  await button(page).click();
  await expect(alert(page)).toHaveText(errorMessage);
  await expect(email(page)).toHaveAccessibleDescription(new RegExp(`^${errorMessage.replaceAll('?', '\\?').replaceAll('.', '\\.')}`));
  await page.context().close();
});

test('if the installers cannot be loaded, the page says so, and Try again loads them', async ({ browser }) => {
  const page = await (await browser.newContext({ userAgent: userAgents.Windows })).newPage();
  await page.route('**/api/downloads', (route) => route.abort());
  await page.goto(`${world.dashboardUrl}/free-download`);
  await terms(page).check();
  await button(page).click();
  await expect(section(page).getByRole('alert')).toContainText('Failed to connect to API.');
  await page.unroute('**/api/downloads');
  const download = page.waitForEvent('download');
  await section(page).getByRole('button', { name: 'Try again' }).click();
  expect((await savedFile(await download)).sha256).toBe(fakeInstallers.sha256.windows);
  await page.context().close();
});

test('the keyboard alone leads to the download, and the page passes the accessibility checks before and after it', async ({ browser }) => {
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
  expect((await savedFile(await download)).name).toBe('Porchlight.exe');
  await page.keyboard.press('Tab');
  await expect(links(page).first()).toBeFocused();
  await checkScreen(page);
  await checkScreenZoomed(page);
  await page.context().close();
});
