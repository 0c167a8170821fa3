// Its own server: one has installers and one has none.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { installers, type MadeUpInstallers, savedFile, userAgents } from './lib/installers.ts';
import { registeredPerson } from './lib/people.ts';
import { test } from './lib/test.ts';
import { startTestWorld } from './lib/worlds.ts';

let world: World;
let bareWorld: World;
let fakeInstallers: MadeUpInstallers;
let noInstallers: MadeUpInstallers;
test.beforeAll(async () => {
  [fakeInstallers, noInstallers] = await Promise.all([installers(), installers([])]);
  [world, bareWorld] = await Promise.all([
    startTestWorld({ env: { INSTALLERS_DIR: fakeInstallers.folder } }),
    startTestWorld({ env: { INSTALLERS_DIR: noInstallers.folder } }),
  ]);
});
test.afterAll(async () => {
  await Promise.all([world?.close(), bareWorld?.close()]);
  await Promise.all([fakeInstallers?.close(), noInstallers?.close()]);
});

for (const [system, explanation] of [
  ['Windows', 'This service has no installer for Windows yet.'],
  ['macOS', 'This service has no installer for macOS yet.'],
  ['Linux', 'This service has no installer for Linux yet.'],
  ['iOS', 'This service has no installers yet.'],
] as const) {
  test(`[4.43] on ${system} without installers, a contributor reads how to build them, above the form and after it`, async ({
    browser,
  }) => {
    const page = await (await browser.newContext({ userAgent: userAgents[system] })).newPage();
    await page.goto(`${bareWorld.dashboardUrl}/free-download`);
    await expect(page.getByText(explanation, { exact: true })).toBeVisible();
    await expect(page.getByText('To make them, run npm run installers in the folder of the project. Then reload this page.')).toBeVisible();
    await formThenNothingOffered(page, explanation);
    await page.context().close();
  });

  test(`[4.43] on ${system} without installers, users of a production server can ask for a notification, above the form and after it`, async ({
    browser,
  }) => {
    const page = await (await browser.newContext({ userAgent: userAgents[system] })).newPage();
    await inProduction(page);
    await page.goto(`${bareWorld.dashboardUrl}/free-download`);
    await expect(page.getByText(explanation, { exact: true })).toBeVisible();
    await expect(page.getByText('Email us, and we’ll tell you when there is one.')).toBeVisible();
    const mail = new URL((await page.getByRole('link', { name: 'Ask to be told' }).getAttribute('href')) ?? '');
    expect([mail.protocol, mail.pathname]).toEqual(['mailto:', 'support@porchlight.example']);
    expect(mail.searchParams.get('subject')).toBe('Please tell me when I can install Porchlight');
    expect(mail.searchParams.get('body')).toBe(
      `Please write to me when there is an installer for ${system === 'iOS' ? 'my computer' : system}.`,
    );
    await expect(page.getByText('npm run')).toHaveCount(0);
    await formThenNothingOffered(page, explanation);
    await page.context().close();
  });
}

/** Makes pages behave as in production. */
async function inProduction(page: Page): Promise<void> {
  await page.route(/\/dashboard\/(?:free-download|share\/|devices\/)/, async (route) => {
    const answer = await route.fetch();
    const html = await answer.text();
    expect(html).toContain('"development":true');
    await route.fulfill({ response: answer, body: html.replace('"development":true', '"development":false') });
  });
}

/** The form comes first, and the card after it promises no download. */
async function formThenNothingOffered(page: Page, explanation: string): Promise<void> {
  await checkScreen(page);
  const section = page.getByRole('region', { name: 'Downloading' });
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible();
  await expect(section).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'I agree to the terms of service and the privacy policy' }).check();
  await page.getByRole('button', { name: 'Download now' }).click();
  await expect(section.getByText(explanation, { exact: true })).toBeVisible();
  await expect(page.getByText(explanation, { exact: true })).toHaveCount(1);
  await expect(section.getByRole('heading')).toBeFocused();
  await expect(page.getByRole('form')).toHaveCount(0);
  await expect(page.getByText('How to install')).toHaveCount(0);
  await expect(page.getByText('You can now download')).toHaveCount(0);
  await expect(section.getByRole('listitem')).toHaveCount(0);
  await checkScreen(page);
}

test('with an installer for the other system only, the page offers only that installer', async ({ browser }) => {
  const file = join(noInstallers.folder, 'porchlight.pkg');
  await writeFile(file, 'a new installer');
  const page = await (await browser.newContext({ userAgent: userAgents.Windows })).newPage();
  const { login_code } = await call(bareWorld.url, 'POST /web/create-device', {
    token: (await registeredPerson(bareWorld)).token,
    body: { name: 'Den PC' },
  });
  await page.goto(`${bareWorld.dashboardUrl}/share/${login_code}`);
  await expect(page.getByText('This service has no installer for Windows yet.')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Download for / })).toHaveText(['Download for macOS']);
  await checkScreen(page);
  await rm(file);
  await page.reload();
  await expect(page.getByText('This service has no installer for Windows yet.')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Download for / })).toHaveCount(0);
  await page.context().close();
});

test('the address of a missing download shows an error page of our own, in light and dark', async ({ page }) => {
  for (const [path, heading] of [
    ['/downloads/windows?code=ABCD-EFGH', 'This service has no installer for Windows yet.'],
    ['/downloads/amiga', 'We have no such download.'],
  ] as const) {
    expect((await page.goto(bareWorld.url + path))?.status()).toBe(404);
    await expect(page.getByRole('heading')).toHaveText(heading);
    await expect(page.getByText('Ask support.')).toBeVisible();
    await checkScreen(page);
    await checkScreenZoomed(page);
  }
  await page.getByRole('link', { name: 'Go to the free plan' }).click();
  await expect(page.getByRole('heading', { name: 'Start using our free plan' })).toBeVisible();
});

test('[9.12] [2.71] [8.19] adding this device warns on an incompatible system, and downloads a file with the code in its name', async ({
  browser,
}) => {
  const ann = await registeredPerson(world);
  for (const [system, expected] of [
    ['Windows', 'exe'],
    ['macOS', 'pkg'],
    ['Linux', 'exe'],
  ] as const) {
    const page = await pageOf(browser, world, ann, { userAgent: userAgents[system] });
    await page.goto(`${world.dashboardUrl}/add-device?step=policy`);
    await expect(page.getByLabel('Device name')).toBeVisible();
    await expect(
      page.getByText('We detected your operating system to be Linux, which is currently not compatible with the product.'),
    ).toHaveCount(system === 'Linux' ? 1 : 0);
    await page.getByLabel('Device name').fill(`PC with ${system}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    const code = (await page.locator('.code').textContent()) ?? '';
    const download = page.waitForEvent('download');
    await page
      .getByRole('link', { name: /^Download for / })
      .first()
      .click();
    expect((await savedFile(await download)).name).toBe(`Porchlight [${code}].${expected}`);
    await page.context().close();
  }
});

test('[2.71] adding another device from an incompatible system shows no warning', async ({ browser }) => {
  const page = await pageOf(browser, world, await registeredPerson(world), { userAgent: userAgents.Linux });
  await page.goto(`${world.dashboardUrl}/add-device`);
  await page.getByRole('button', { name: 'Another device' }).click();
  await expect(page.getByLabel('Device name')).toBeVisible();
  await expect(page.getByText('not compatible')).toHaveCount(0);
  await page.context().close();
});

test('[9.12] the share page first offers the file for the computer it is opened on, with the code, and beside it the file for the other system', async ({
  browser,
}) => {
  const ann = await registeredPerson(world);
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Mum’s laptop' } });
  for (const [system, order] of [
    ['Windows', ['windows', 'macos']],
    ['macOS', ['macos', 'windows']],
  ] as const) {
    const page = await (await browser.newContext({ userAgent: userAgents[system] })).newPage();
    await page.goto(`${world.dashboardUrl}/share/${login_code.toLowerCase()}`);
    const downloadLinks = page.getByRole('link', { name: /^Download for / });
    await expect(downloadLinks).toHaveCount(2);
    for (const [index, platform] of order.entries()) {
      const download = page.waitForEvent('download');
      await downloadLinks.nth(index).click();
      const name = `Porchlight [${login_code}].${platform === 'windows' ? 'exe' : 'pkg'}`;
      expect(await savedFile(await download)).toEqual({ name, sha256: fakeInstallers.sha256[platform] });
    }
    await checkScreen(page);
    await page.context().close();
  }
});
