import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { limits } from '@porchlight/contract/limits.ts';
import { call } from '@porchlight/dev/call.ts';
import { type Person, registeredPerson } from '@porchlight/dev/people.ts';
import { root } from '@porchlight/dev/root.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { userAgents } from './lib/installers.ts';
import { linked, routeLoopback } from './lib/loopback-routes.ts';
import { test } from './lib/test.ts';
import { type WindowAgent, windowAgent } from './lib/window-agent.ts';

/** A computer that belongs to one account is connected to another one: the PIN of the first opens the way. Told in order. */
test.describe.configure({ mode: 'serial' });

let world: World;
let agent: WindowAgent;
let [ann, ben]: [Person | null, Person | null] = [null, null];
let page: Page;
let window: Page;

test.beforeAll(async ({ browser }) => {
  world = await startWorld();
  [ann, ben] = [await registeredPerson(world, 'Ann Example'), await registeredPerson(world, 'Ben Example')];
  page = await pageOf(browser, world, ben, { userAgent: userAgents.Windows });
  window = await (await browser.newContext()).newPage();
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Den PC' } });
  agent = await windowAgent(world, { port: limits.loopback_port });
  // A computer without an account is linked at once.
  await agent.open(window);
  await window.getByLabel('Your code').fill(login_code);
  await window.getByRole('button', { name: 'Connect' }).click();
  await expect.poll(() => agent.said).toContain('Porchlight protects this computer as Den PC.');
  agent.opened.length = 0;
});
test.afterAll(async () => {
  await agent?.close();
  await world?.close();
});

const tokenOf = (person: Person | null) => person?.token ?? '';
const pinOf = async (person: Person | null) =>
  (await call(world.url, 'GET /web/bypasspassword', { token: tokenOf(person) })).bypass_password;
const devicesOf = async (person: Person | null) =>
  (await call(world.url, 'GET /web/devices', { token: tokenOf(person) })).devices.map(({ name, login_code }) => [
    name,
    login_code === undefined,
  ]);
const openWindow = async (nth: number) => {
  await expect.poll(() => agent.opened).toHaveLength(nth);
  await window.goto(agent.opened.at(-1) ?? '');
};
const needed = /^This computer belongs to an account already\. Answer the question in the Porchlight window that has opened on it/;
/** Yes is taken ten seconds after the question came on the screen. */
const sayYes = async (pin: string) => {
  await window.getByLabel('The Admin PIN').fill(pin);
  agent.passes(10_000);
  await window.getByRole('button', { name: /^Yes, it should belong to/ }).click();
};

test('[P4.6] the share page hands the link over, says that the PIN is needed and where it is typed, and a wrong one moves nothing', async () => {
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: tokenOf(ben), body: { name: 'Kitchen PC' } });
  await page.goto(`${world.dashboardUrl}/share/${login_code}`);
  // A program that refuses for another reason is not said to ask.
  const refuses = await routeLoopback(page, linked);
  refuses.take = () => 409;
  await page.getByRole('button', { name: 'Connect this computer' }).click();
  await expect(page.getByText('Porchlight did not answer on this computer. Type the code into it instead.')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Connect this computer' }).click();
  await expect(page.getByText(needed)).toBeVisible();
  await checkScreen(page);
  await openWindow(1);
  await expect(window.getByRole('heading', { level: 1 })).toHaveText('Should this computer belong to Ben?');
  await expect(window.getByText('Did a stranger on the phone send you here? Then say no.')).toBeVisible();
  await expect(window.getByText(/Ben’s account \(.•••@/)).toBeVisible();
  await expect(window.getByRole('button', { name: 'No, change nothing' })).toBeFocused();
  await checkScreen(window);
  await checkScreenZoomed(window);
  await sayYes(await pinOf(ben));
  await expect(window.getByRole('alert')).toContainText('That is not the PIN.');
  expect(await devicesOf(ben)).toEqual([['Kitchen PC', false]]);
});

test('[P4.6] the right PIN connects it', async () => {
  await sayYes(await pinOf(ann));
  await expect(window.getByRole('status')).toHaveText('Connected.');
  await expect(window.getByText('Its name on the dashboard is Kitchen PC.')).toBeVisible();
  expect(await devicesOf(ben)).toEqual([['Kitchen PC', true]]);
});

test('[P4.6] by a typed code and the PIN, in the window: what was typed stays, and it moves', async () => {
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: tokenOf(ann), body: { name: 'Attic PC' } });
  await window.getByRole('link', { name: 'About this computer' }).click();
  await window.getByRole('link', { name: 'Connect to another account' }).click();
  await window.getByLabel('Your code').fill(login_code);
  await window.getByRole('button', { name: 'Connect' }).click();
  await expect(window.getByText('Right now it belongs to Ben')).toBeVisible();
  await sayYes('000000');
  await expect(window.getByRole('alert')).toContainText('That is not the PIN.');
  await sayYes(await pinOf(ben));
  await expect(window.getByText('Its name on the dashboard is Attic PC.')).toBeVisible();
});

test('[P4.6] adding this device: the search ends with the same words, the window opens again when it is asked to, and the PIN connects it', async () => {
  // A browser that asks before a page may call this computer keeps the page from knowing at the first step that it is protected.
  const hidden = await routeLoopback(page, null);
  await page.goto(`${world.dashboardUrl}/add-device`);
  await page.getByRole('button', { name: 'This device' }).click();
  await expect(page.getByLabel('Device name')).toBeVisible();
  expect(hidden.asked).toBe(1);
  await page.unrouteAll();
  await page.getByLabel('Device name').fill('Study PC');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(needed)).toBeVisible();
  await expect(page.locator('.code')).toBeVisible();
  await checkScreen(page);
  await checkScreenZoomed(page);
  const opened = agent.opened.length;
  const again = page.getByRole('button', { name: 'Open the window again' });
  await expect(again).toBeEnabled();
  await again.click();
  await openWindow(opened + 1);
  await sayYes(await pinOf(ann));
  await expect(window.getByText('Its name on the dashboard is Study PC.')).toBeVisible();
  await expect(page.getByText('Device connected').first()).toBeVisible();
});

test('[P3.2] where the page cannot reach the program, a link opens it, which is asked about as the page’s would be', async ({
  browser,
}) => {
  const other = await pageOf(browser, world, ben, { userAgent: userAgents.Windows });
  await other.route(`http://127.0.0.1:${limits.loopback_port}/**`, (route) => route.abort('connectionrefused'));
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: tokenOf(ann), body: { name: 'Hall PC' } });
  await other.goto(`${world.dashboardUrl}/share/${login_code}`);
  await other.getByRole('button', { name: 'Connect this computer' }).click();
  const open = other.getByRole('link', { name: 'Open it and connect' });
  await expect(open).toBeVisible();
  await checkScreen(other);
  const opened = agent.opened.length;
  const main = join(root, 'agent', 'main.ts');
  await promisify(execFile)(process.execPath, [main, '--open', (await open.getAttribute('href')) ?? ''], {
    env: process.env,
  });
  await openWindow(opened + 1);
  // Codes are tried ten times a minute at most, so this one is not used up any more.
  await expect(window.getByRole('heading', { level: 1 })).toHaveText('Should this computer belong to Ann?');
  await expect(window.getByText('and name it Hall PC.')).toBeVisible();
});
