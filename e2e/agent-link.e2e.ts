import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { limits } from '@porchlight/contract/limits.ts';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import { root } from '@porchlight/dev/root.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { userAgents } from './lib/installers.ts';
import { linked, routeLoopback } from './lib/loopback-routes.ts';
import { registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';
import { type WindowAgent, windowAgent } from './lib/window-agent.ts';

/** The tests build on each other. */
test.describe.configure({ mode: 'serial' });

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let agent: WindowAgent;
let [ann, ben]: [Person | null, Person | null] = [null, null];
let page: Page;
let window: Page;

test.beforeAll(async ({ browser }) => {
  [ann, ben] = [await registeredPerson(world, 'Ann Example'), await registeredPerson(world, 'Ben Example')];
  page = await pageOf(browser, world, ben, { userAgent: userAgents.Windows });
  window = await (await browser.newContext()).newPage();
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Den PC' } });
  agent = await windowAgent(world, { port: limits.loopback_port });
  await agent.open(window);
  await window.getByLabel('Your code').fill(login_code);
  await window.getByRole('button', { name: 'Connect' }).click();
  await expect.poll(() => agent.output).toContain('Porchlight protects this computer as Den PC.');
  agent.opened.length = 0;
});
test.afterAll(async () => {
  await agent?.close();
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
const pinNeededText = /^This computer belongs to an account already\. Answer the question in the Porchlight window that has opened on it/;
/** Yes is accepted from ten seconds after the question appears. */
const sayYes = async (pin: string) => {
  await window.getByLabel('The Admin PIN').fill(pin);
  await agent.passes(10_000);
  await window.getByRole('button', { name: /^Yes, it should belong to/ }).click();
};

test('[P4.6] the share page hands the link over and says where to type the PIN, and a wrong PIN moves nothing', async () => {
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: tokenOf(ben), body: { name: 'Kitchen PC' } });
  await page.goto(`${world.dashboardUrl}/share/${login_code}`);
  const refusingAgent = await routeLoopback(page, linked);
  refusingAgent.take = () => 409;
  await page.getByRole('button', { name: 'Connect this computer' }).click();
  await expect(page.getByText('Porchlight did not answer on this computer. Type the code into it instead.')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Connect this computer' }).click();
  await expect(page.getByText(pinNeededText)).toBeVisible();
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

test('[P4.6] the right PIN connects the computer to the new account', async () => {
  await sayYes(await pinOf(ann));
  await expect(window.getByRole('status')).toHaveText('Connected.');
  await expect(window.getByText('Its name on the dashboard is Kitchen PC.')).toBeVisible();
  expect(await devicesOf(ben)).toEqual([['Kitchen PC', true]]);
});

test('[P4.6] the window moves the computer by a typed code and the PIN, and keeps the input after a wrong PIN', async () => {
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

test('[P4.6] adding this device ends the search with a request for the PIN and a link to the agent’s window, and the PIN connects the device', async () => {
  // With a permission prompt, the first step cannot know that this computer is protected.
  const hiddenAgent = await routeLoopback(page, null);
  await page.goto(`${world.dashboardUrl}/add-device`);
  await page.getByRole('button', { name: 'This device' }).click();
  await expect(page.getByLabel('Device name')).toBeVisible();
  expect(hiddenAgent.asked).toBe(1);
  await page.unrouteAll();
  await page.getByLabel('Device name').fill('Study PC');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(pinNeededText)).toBeVisible();
  await expect(page.locator('.code')).toBeVisible();
  await checkScreen(page);
  await checkScreenZoomed(page);
  const openedBefore = agent.opened.length;
  const reopenButton = page.getByRole('button', { name: 'Open the window again' });
  await expect(reopenButton).toBeEnabled();
  await reopenButton.click();
  await openWindow(openedBefore + 1);
  await sayYes(await pinOf(ann));
  await expect(window.getByText('Its name on the dashboard is Study PC.')).toBeVisible();
  await expect(page.getByText('Device connected').first()).toBeVisible();
});

test('[P3.2] if the page cannot reach the agent, a link opens the agent’s window, which asks who owns the computer', async ({
  browser,
}) => {
  const otherPage = await pageOf(browser, world, ben, { userAgent: userAgents.Windows });
  await otherPage.route(`http://127.0.0.1:${limits.loopback_port}/**`, (route) => route.abort('connectionrefused'));
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: tokenOf(ann), body: { name: 'Hall PC' } });
  await otherPage.goto(`${world.dashboardUrl}/share/${login_code}`);
  await otherPage.getByRole('button', { name: 'Connect this computer' }).click();
  const open = otherPage.getByRole('link', { name: 'Open it and connect' });
  await expect(open).toBeVisible();
  await checkScreen(otherPage);
  const openedBefore = agent.opened.length;
  const main = join(root, 'agent', 'main.ts');
  await promisify(execFile)(process.execPath, [main, '--open', (await open.getAttribute('href')) ?? ''], {
    env: process.env,
  });
  await openWindow(openedBefore + 1);
  await expect(window.getByRole('heading', { level: 1 })).toHaveText('Should this computer belong to Ann?');
  await expect(window.getByText('and name it Hall PC.')).toBeVisible();
});
