// Its own server: it builds installers into a folder of its own.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Browser, expect, type Page } from '@playwright/test';
import type { BuiltInstallers, RunningBuild } from '@porchlight/contract/installer-build.ts';
import { call } from '@porchlight/dev/call.ts';
import { root } from '@porchlight/dev/root.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { installers, type MadeUpInstallers, savedFile, userAgents } from './lib/installers.ts';
import { registeredPerson } from './lib/people.ts';
import { test } from './lib/test.ts';
import { startTestWorld } from './lib/worlds.ts';

/** A real build takes minutes. Here this test is a build in the folder of the server, as `npm run installers` and a second server are. */

let world: World;
let folder: MadeUpInstallers;
test.beforeAll(async () => {
  folder = await installers([]);
  await building({ step: 2, steps: 8, platform: 'macos' });
  world = await startTestWorld({ env: { INSTALLERS_DIR: folder.folder, INSTALLERS_BUILD: 'on' } });
});
test.afterAll(async () => {
  await world?.close();
  await folder?.close();
});
test.beforeEach(async () => {
  for (const file of ['built.json', 'build-failed.json', 'porchlight.exe', 'porchlight.pkg'])
    await rm(join(folder.folder, file), { force: true });
  await building({ step: 2, steps: 8, platform: 'macos' });
});

const write = (file: string, content: unknown) => writeFile(join(folder.folder, file), JSON.stringify(content));
const building = (progress: Pick<RunningBuild, 'step' | 'steps' | 'platform'>) =>
  write('building.json', { id: 'e2e', pid: process.pid, host: hostname(), ...progress } satisfies RunningBuild);

async function finishBuild(change: Partial<BuiltInstallers> = {}): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const { keys, public_url } = await call(world.url, 'GET /agent/server', {});
  const files = change.installers ?? ['porchlight.exe', 'porchlight.pkg'];
  for (const file of files) await writeFile(join(folder.folder, file), `the content of ${file}`);
  const usual = {
    version,
    public_url,
    root_key: keys.definitions,
    installers: files,
    needs_makensis: false,
    signed_with: null,
    complete: true,
  };
  await write('built.json', { ...usual, ...change } satisfies BuiltInstallers);
  await rm(join(folder.folder, 'building.json'));
}

const failBuild = async () => {
  await write('build-failed.json', { reason: 'offline', at: new Date().toISOString() });
  await rm(join(folder.folder, 'building.json'));
};

async function openFreeDownload(browser: Browser, system: keyof typeof userAgents = 'Windows'): Promise<Page> {
  const page = await (await browser.newContext({ userAgent: userAgents[system] })).newPage();
  await page.goto(`${world.dashboardUrl}/free-download`);
  return page;
}

test('[4.43] on the free-download page the steps of a build stand above the form, and the download begins by itself once it is ready, without a reload', async ({
  browser,
}) => {
  const page = await openFreeDownload(browser);
  const bar = page.getByRole('progressbar', { name: 'Getting the download ready' });
  await expect(bar).toHaveAttribute('aria-valuenow', '2');
  await expect(page.getByText('We’re getting this download ready.')).toBeVisible();
  await expect(page.getByText('Step 2 of 8: macOS')).toBeVisible();
  await expect(page.getByText('This service has no installer')).toHaveCount(0);
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible();
  await checkScreen(page);
  await checkScreenZoomed(page);
  await page.evaluate(() => Object.assign(window, { notReloaded: true }));
  await building({ step: 8, steps: 8, platform: null });
  await expect(bar).toHaveAttribute('aria-valuetext', 'Step 8 of 8');
  await page.getByRole('checkbox', { name: 'I agree to the terms of service and the privacy policy' }).check();
  await page.getByRole('button', { name: 'Download now' }).click();
  const section = page.getByRole('region', { name: 'Downloading' });
  await expect(section.getByRole('progressbar')).toBeVisible();
  await expect(page.getByRole('form')).toHaveCount(0);
  await checkScreen(page);
  const download = page.waitForEvent('download');
  await finishBuild();
  await expect(section.getByText('The download is ready.')).toBeVisible();
  await expect(bar).toHaveCount(0);
  expect((await savedFile(await download)).name).toBe('Porchlight.exe');
  expect(await page.evaluate(() => 'notReloaded' in window)).toBe(true);
  await page.context().close();
});

test('while adding this device, its download appears the moment it is ready, with the code in its name', async ({ browser }) => {
  const page = await pageOf(browser, world, await registeredPerson(world), { userAgent: userAgents.macOS });
  await page.goto(`${world.dashboardUrl}/add-device?step=policy`);
  await page.getByLabel('Device name').fill('Den Mac');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('progressbar')).toBeVisible();
  const code = (await page.locator('.code').textContent()) ?? '';
  expect(code).toMatch(/^\w{4}-\w{4}$/);
  await checkScreen(page);
  await finishBuild();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download for macOS' }).click();
  expect((await savedFile(await download)).name).toBe(`Porchlight [${code}].pkg`);
  await page.context().close();
});

test('after a failure the page says that it will try again, and shows the download once there is one', async ({ browser }) => {
  await failBuild();
  const page = await openFreeDownload(browser, 'macOS');
  await page.clock.install();
  await page.reload();
  await expect(page.getByText('This download isn’t ready yet.')).toBeVisible();
  await expect(page.getByText('We’ll try again in about 10 minutes')).toBeVisible();
  await expect(page.getByText('This computer could not fetch a part from the npm registry.')).toBeVisible();
  await expect(page.getByText('To try at once and read more, run npm run installers in the folder of the project.')).toBeVisible();
  await checkScreen(page);
  await building({ step: 1, steps: 8, platform: 'windows' });
  await page.clock.fastForward(30_000);
  await expect(page.getByText('Step 1 of 8: Windows')).toBeVisible();
  await finishBuild();
  await page.clock.fastForward(3_000);
  await expect(page.getByText('The download is ready.')).toBeVisible();
  await expect(page.getByText('Step 1 of 8: Windows')).toHaveCount(0);
  await page.context().close();
});

test('without makensis, a contributor reads how to get it, and users of a production server can ask for a notification', async ({
  browser,
}) => {
  await finishBuild({ installers: ['porchlight.pkg'], needs_makensis: true });
  // The server of this test has makensis where the computer has it, and would build.
  await building({ step: 1, steps: 8, platform: null });
  const page = await openFreeDownload(browser);
  await page.route('**/api/downloads', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), build: { state: 'idle' } } });
  });
  await page.reload();
  await expect(page.getByText('Building the installer for Windows takes makensis.')).toContainText('apt-get install nsis');
  await page.route(/\/dashboard\/free-download/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace('"development":true', '"development":false') });
  });
  await page.reload();
  await expect(page.getByText('This download isn’t ready yet.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ask to be told' })).toBeVisible();
  await expect(page.getByText('makensis')).toHaveCount(0);
  await page.context().close();
});

test('a download address that is asked for too early shows a page of our own, from which people can try again', async ({ page }) => {
  expect((await page.goto(`${world.url}/downloads/windows`))?.status()).toBe(503);
  await expect(page.getByRole('heading')).toHaveText('This download isn’t ready yet.');
  await expect(page.getByText('We’re getting it ready now. This takes a few minutes.')).toBeVisible();
  await checkScreen(page);
  await finishBuild();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Try again' }).click();
  expect((await savedFile(await download)).name).toBe('Porchlight.exe');
});
