// Its own server: it has installers of the test.
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { anyDevice } from './lib/device-info.ts';
import { installers, type MadeUpInstallers, savedFile, userAgents } from './lib/installers.ts';
import { guest, linked, routeLoopback } from './lib/loopback-routes.ts';
import { registeredPerson } from './lib/people.ts';
import { test } from './lib/test.ts';
import { startTestWorld } from './lib/worlds.ts';

let world: World;
let fakeInstallers: MadeUpInstallers;
let ann: Person;
test.beforeAll(async () => {
  fakeInstallers = await installers();
  world = await startTestWorld({ env: { INSTALLERS_DIR: fakeInstallers.folder } });
});
test.beforeEach(async () => {
  ann = await registeredPerson(world);
});
test.afterAll(async () => {
  await world?.close();
  await fakeInstallers?.close();
});

const name = (page: Page) => page.getByLabel('Device name');
const press = (page: Page, label: string) => page.getByRole('button', { name: label }).click();
const addHere = async (page: Page) => {
  await page.goto(`${world.dashboardUrl}/add-device`);
  await press(page, 'This device');
};
const notCompatible = (page: Page) => page.getByText(/not compatible/);

test('[2.69] [P4.6] without a browser prompt, a computer of another account moves to this account by its PIN, and the page shows that', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, ann, { userAgent: userAgents.Windows });
  const agent = await routeLoopback(page, linked);
  agent.take = () => ({ status: 409, code: 'pin_needed' });
  await addHere(page);
  const move = page.getByRole('button', { name: 'Move this computer to my account' });
  await expect(page.getByText(/Not on your dashboard\? Then this computer belongs to another account\./)).toBeVisible();
  await checkScreen(page);
  await move.click();
  await expect(move).toHaveCount(0);
  await expect(name(page)).toBeFocused();
  await expect(page.getByText(/protects this computer already/)).toHaveCount(0);
  await name(page).fill('Den PC');
  await press(page, 'Continue');
  await expect(page).toHaveURL(/step=download$/);
  await expect(page.getByText(/^This computer belongs to an account already\. Answer the question in the Porchlight window/)).toBeVisible();
  await expect(page.getByText(/^The PIN stands on the dashboard of that account/)).toBeVisible();
  expect(agent.links).toHaveLength(1);
  await checkScreen(page);

  // The PIN was right, so the agent enrols with the link.
  const [device] = (await call(world.url, 'GET /web/devices', { token: ann.token })).devices;
  await call(world.url, 'POST /agent/enrol', { body: { code: device?.login_code ?? '', info: anyDevice, enrol_id: randomUUID() } });
  // [4.10] The messages appear in this order.
  await expect(page.getByRole('status').getByRole('paragraph')).toHaveText([
    'Your device has been upgraded successfully!',
    'Device connected',
  ]);
});

test('[2.69] adding a different computer sends no link to this computer’s agent', async ({ browser }) => {
  const page = await pageOf(browser, world, ann, { userAgent: userAgents.Windows });
  const agent = await routeLoopback(page, linked);
  await addHere(page);
  await name(page).fill('Mum’s laptop');
  await press(page, 'Continue');
  await expect(page).toHaveURL(/step=send$/);
  await expect(page.locator('.code')).toBeVisible();
  expect(agent.links).toEqual([]);
});

test('[8.19] on Linux no page warns of incompatibility while an agent of any account answers there', async ({ browser }) => {
  const page = await pageOf(browser, world, ann, { userAgent: userAgents.Linux });
  const agent = await routeLoopback(page, guest);
  for (const path of ['/add-device?step=policy', '/free-download']) {
    const requestsBefore = agent.asked;
    await page.goto(world.dashboardUrl + path);
    await expect(page.getByRole('textbox').first()).toBeVisible();
    await expect.poll(() => agent.asked).toBeGreaterThan(requestsBefore);
    await page.waitForLoadState('networkidle');
    await expect(notCompatible(page)).toHaveCount(0);
  }
  agent.status = null;
  await page.reload();
  await expect(notCompatible(page)).toBeVisible();
});

test('[8.19] [2.139] on Linux with a package no page warns of incompatibility, and only Linux offers the package', async ({ browser }) => {
  await writeFile(join(fakeInstallers.folder, 'porchlight.deb'), 'a package');
  const page = await pageOf(browser, world, null, { userAgent: userAgents.Linux });
  await routeLoopback(page, null);
  const downloads = (targetPage: Page) => targetPage.getByRole('link', { name: /^Download for / });
  await page.goto(`${world.dashboardUrl}/free-download`);
  await page.getByRole('checkbox').first().check();
  await page.waitForLoadState('networkidle');
  await expect(notCompatible(page)).toHaveCount(0);
  const file = page.waitForEvent('download');
  await press(page, 'Download now');
  expect((await savedFile(await file)).name).toBe('Porchlight.deb');
  await expect(downloads(page)).toHaveText(['Download for Linux', 'Download for Windows', 'Download for macOS']);
  await expect(page.getByRole('heading', { name: 'How to install it on Linux' })).toBeVisible();
  await checkScreen(page);

  const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Den PC' } });
  await page.goto(`${world.dashboardUrl}/share/${login_code}`);
  const namedDownload = page.waitForEvent('download');
  await downloads(page).first().click();
  expect((await savedFile(await namedDownload)).name).toBe('Porchlight.deb');

  const otherPage = await pageOf(browser, world, null, { userAgent: userAgents.Windows });
  await otherPage.goto(`${world.dashboardUrl}/share/${login_code}`);
  await expect(downloads(otherPage)).toHaveText(['Download for Windows', 'Download for macOS']);
});

test('only a development server shows the command that starts an agent', async ({ browser }) => {
  const { uuid } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Den PC' } });
  const page = await pageOf(browser, world, ann);
  const source = page.getByText('Running Porchlight from its source?');
  await page.goto(`${world.dashboardUrl}/devices/${uuid}`);
  await expect(source).toBeVisible();
  await page.route(/\/dashboard\/devices\//, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace('"development":true', '"development":false') });
  });
  await page.reload();
  await expect(page.locator('.code')).toBeVisible();
  await expect(source).toHaveCount(0);
  await expect(page.getByText('npm run')).toHaveCount(0);
});
