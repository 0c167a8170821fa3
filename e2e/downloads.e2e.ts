import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { registeredPerson } from '@porchlight/dev/people.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';
import { installers, type MadeUpInstallers, saved, userAgents } from './lib/installers.ts';
import { judge, judgeZoomed } from './lib/judge.ts';
import { pageOf } from './lib/people.ts';
import { test } from './lib/test.ts';

/** The files with a code in their name, and an operator who has none. */

let world: World;
let bare: World;
let made: MadeUpInstallers;
let none: MadeUpInstallers;
test.beforeAll(async () => {
  [made, none] = await Promise.all([installers(), installers([])]);
  [world, bare] = await Promise.all([
    startWorld({ env: { INSTALLERS_DIR: made.folder } }),
    startWorld({ env: { INSTALLERS_DIR: none.folder } }),
  ]);
});
test.afterAll(async () => {
  await Promise.all([world?.close(), bare?.close()]);
  await Promise.all([made?.close(), none?.close()]);
});

for (const [system, said] of [
  ['Windows', 'This service has no installer for Windows yet. Ask support.'],
  ['macOS', 'This service has no installer for macOS yet. Ask support.'],
  ['Linux', 'This service has no installers yet. Ask support.'],
] as const) {
  test(`on ${system}, where the operator has no installers, that is said, whom to ask, and nothing is offered that is not there`, async ({
    browser,
  }) => {
    const page = await (await browser.newContext({ userAgent: userAgents[system] })).newPage();
    await page.goto(`${bare.dashboardUrl}/free-download`);
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Download now' }).click();
    const section = page.getByRole('region', { name: 'Downloading' });
    await expect(section.getByText(said)).toBeVisible();
    await expect(section.getByRole('link')).toHaveText(['support@porchlight.example', '1-800-555-0100']);
    await expect(page).toHaveURL(`${bare.dashboardUrl}/free-download`);
    await judge(page);
    await page.context().close();
  });
}

test('where there is an installer for the other system only, that one alone is offered', async ({ browser }) => {
  const file = join(none.folder, 'porchlight.pkg');
  await writeFile(file, 'a new installer');
  const page = await (await browser.newContext({ userAgent: userAgents.Windows })).newPage();
  const { login_code } = await call(bare.url, 'POST /web/create-device', {
    token: (await registeredPerson(bare)).token,
    body: { name: 'Den PC' },
  });
  await page.goto(`${bare.dashboardUrl}/share/${login_code}`);
  await expect(page.getByText('This service has no installer for Windows yet. Ask support.')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Download for / })).toHaveText(['Download for macOS']);
  await judge(page);
  await rm(file);
  await page.reload();
  await expect(page.getByText('This service has no installer for Windows yet. Ask support.')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Download for / })).toHaveCount(0);
  await page.context().close();
});

test('a download that is not there is a page of ours, in light and dark', async ({ page }) => {
  for (const [path, heading] of [
    ['/downloads/windows?code=ABCD-EFGH', 'This service has no installer for Windows yet.'],
    ['/downloads/linux', 'We have no such download.'],
  ] as const) {
    expect((await page.goto(bare.url + path))?.status()).toBe(404);
    await expect(page.getByRole('heading')).toHaveText(heading);
    await expect(page.getByText('Ask support.')).toBeVisible();
    await judge(page);
    await judgeZoomed(page);
  }
  await page.getByRole('link', { name: 'Go to the free plan' }).click();
  await expect(page.getByRole('button', { name: 'Download now' })).toBeVisible();
});

test('[9.12] [2.71] [8.19] who adds this device is warned where it cannot be protected, and gets the file with the code in its name', async ({
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
    expect((await saved(await download)).name).toBe(`Porchlight [${code}].${expected}`);
    await page.context().close();
  }
});

test('[2.71] who adds another device on a system that cannot be protected is not warned: it is not the one that counts', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, await registeredPerson(world), { userAgent: userAgents.Linux });
  await page.goto(`${world.dashboardUrl}/add-device`);
  await page.getByRole('button', { name: 'Another device' }).click();
  await expect(page.getByLabel('Device name')).toBeVisible();
  await expect(page.getByText('not compatible')).toHaveCount(0);
  await page.context().close();
});

test('[9.12] the share page has the file for the computer it is opened on first, with the code, and the other one beside it', async ({
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
    const both = page.getByRole('link', { name: /^Download for / });
    await expect(both).toHaveCount(2);
    for (const [index, platform] of order.entries()) {
      const download = page.waitForEvent('download');
      await both.nth(index).click();
      const name = `Porchlight [${login_code}].${platform === 'windows' ? 'exe' : 'pkg'}`;
      expect(await saved(await download)).toEqual({ name, sha256: made.sha256[platform] });
    }
    await judge(page);
    await page.context().close();
  }
});
