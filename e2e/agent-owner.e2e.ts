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
import { hasEnded, type Threats, threats } from './lib/fake-threats.ts';
import { registeredPerson } from './lib/people.ts';
import { mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';
import { type WindowAgent, windowAgent } from './lib/window-agent.ts';

/** The account of a stranger wants a computer on the free plan (A2). The tests build on each other. */
test.describe.configure({ mode: 'serial' });

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let agent: WindowAgent;
let mallory: Person;
let window: Page;
let programs: Threats;
let device: { uuid: string; login_code: string; link_uri: string; link_uri_signature: string };

test.beforeAll(async ({ browser }) => {
  mallory = await registeredPerson(world, 'Mallory Example');
  programs = await threats(['AnyDesk']);
  window = await (await browser.newContext()).newPage();
  const actions = { RemoteControl: 'ignore', DeceptiveUtility: 'ignore', ScamWebsite: 'ignore' } as const;
  const { uuid: policy } = await call(world.url, 'POST /web/policies', { token: mallory.token, body: { name: 'Ignore all', actions } });
  device = await call(world.url, 'POST /web/create-device', { token: mallory.token, body: { name: 'Den PC', policy } });
  agent = await windowAgent(world, { free: true, port: limits.loopback_port });
  await expect.poll(() => agent.output.join()).toContain('with the free plan');
});
test.afterAll(async () => {
  await programs?.close();
  await agent?.close();
});

const status = (page: Page) =>
  page.evaluate(async () => (await fetch('http://127.0.0.1:23407/.well-known/')).json() as Promise<Record<string, unknown>>);
const expectStopped = async () => {
  const program = programs.run('AnyDesk');
  await expect.poll(() => hasEnded(program), { timeout: 8000 }).toBe(true);
  await expect(window.getByText('We stopped what looks like AnyDesk').first()).toBeVisible();
};
const checkAndCapture = async (name: string, page = window) => {
  await checkScreen(page);
  await checkScreenZoomed(page);
  if (!process.env.PICTURES) return;
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [420, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${process.env.PICTURES}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
};
const open = async () => {
  const link = `${device.link_uri}&signature=${encodeURIComponent(device.link_uri_signature)}`;
  await promisify(execFile)(process.execPath, [join(root, 'agent', 'main.ts'), '--open', link], { env: process.env });
};
const ask = async () => {
  const openedBefore = agent.opened.length;
  await open();
  await expect.poll(() => agent.opened.length).toBeGreaterThan(openedBefore);
  await window.goto(agent.opened.at(-1) ?? '');
  await expect(window.getByRole('heading', { level: 1 })).toHaveText('Should this computer belong to Mallory?');
};
const installed = async () => (await call(world.url, 'GET /web/devices', { token: mallory.token })).devices[0]?.login_code === undefined;

test('A2: a link that the system opens changes nothing by itself: the window asks, and the free plan stays in force', async ({ page }) => {
  await ask();
  await expect(window.getByText('Did a stranger on the phone send you here? Then say no.')).toBeVisible();
  await expect(window.getByText(/Mallory’s account \(.•••@/)).toBeVisible();
  await expect(window.getByRole('button', { name: 'No, change nothing' })).toBeFocused();
  await page.goto(`${world.dashboardUrl}/free-download`);
  expect(await status(page)).toEqual({ g: true, l: false, v: '1.0.0' });
  expect(await installed()).toBe(false);
  await expectStopped();
  await checkAndCapture('question');
});

test('[P10.8] a yes to the change of owner within the first ten seconds changes nothing, and the window shows the remaining time', async () => {
  await window.reload();
  await window.getByRole('button', { name: 'No, change nothing' }).focus();
  await window.keyboard.press('Escape');
  await expect(window.getByRole('status')).toHaveText('You said no. Nothing was changed.');
  expect(await installed()).toBe(false);
  const field = window.getByLabel('Your code');
  await field.fill(device.login_code);
  await window.getByRole('button', { name: 'Connect' }).click();
  await window.getByRole('button', { name: 'Yes, it should belong to Mallory' }).click();
  await expect(window.getByRole('alert')).toContainText(/You can say yes in (\d+ seconds|1 second)\./);
  await checkAndCapture('too-soon');
  expect(await installed()).toBe(false);
});

test('[P10.8] Enter declines the change of owner', async () => {
  await window.reload();
  await expect(window.getByRole('button', { name: 'No, change nothing' })).toBeFocused();
  await window.keyboard.press('Enter');
  await expect(window.getByRole('status')).toHaveText('You said no. Nothing was changed.');
  await expect(window.getByRole('heading', { name: /^Should this computer/ })).toHaveCount(0);
  expect(await installed()).toBe(false);
});

test('A2: after a yes to the change of owner the stranger’s profile, which ignores everything, counts as Strict for the first day, and window and dashboard show that', async ({
  browser,
}) => {
  await window.getByLabel('Your code').fill(device.login_code);
  await window.getByRole('button', { name: 'Connect' }).click();
  await expect(window.getByRole('heading', { level: 1 })).toHaveText('Should this computer belong to Mallory?');
  await agent.passes(10_000);
  await window.getByRole('button', { name: 'Yes, it should belong to Mallory' }).click();
  await expect(window.getByRole('status')).toHaveText('Connected.');
  await expect(window.getByText(/This computer belongs to Mallory \(.•••@/)).toBeVisible();
  await expect(window.getByText('For the first day, this computer is on Strict')).toBeVisible();
  await expect(window.getByRole('link', { name: 'Pause protection' })).toHaveCount(0);
  await checkAndCapture('first-day');
  await expectStopped();
  const page = await pageOf(browser, world, mallory);
  await page.goto(`${world.dashboardUrl}/devices/${device.uuid}`);
  await expect(page.getByText('For the first day, this computer is on Strict')).toBeVisible();
  await checkAndCapture('device-first-day', page);
});

test('[P10.8] an administrator announces the leave by a command, everyone is notified, and any user of the window can cancel it', async ({
  browser,
}) => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'agent', 'main.ts'), '--leave'], {
    env: { ...process.env, AGENT_DATA_DIR: agent.data },
  });
  expect(stdout).toContain('are being notified');
  await mailTo(world, mallory.email, /^An administrator of Den PC wants it to leave this account$/);
  await window.reload();
  await expect(window.getByRole('heading', { name: 'This computer is about to leave its account' })).toBeVisible();
  await checkAndCapture('leaving');
  const page = await pageOf(browser, world, mallory);
  await expect(async () => {
    await page.goto(`${world.dashboardUrl}/devices/${device.uuid}`);
    await expect(page.getByText('An administrator of this computer wants it to leave your account')).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 30_000 });
  await window.getByRole('button', { name: 'Keep it' }).click();
  await expect(window.getByRole('status')).toHaveText('It stays.');
});

test('[P10.8] undoing the change of owner without a PIN restores the free plan, and notifies the stranger', async ({ browser }) => {
  await window.getByRole('button', { name: 'Not right? Undo' }).click();
  await expect(window.getByRole('status')).toHaveText('Undone.');
  await expect(window.getByText('This computer doesn’t belong to any account.')).toBeVisible();
  await expectStopped();
  await mailTo(world, mallory.email, /^Somebody on Den PC undid that it belongs to this account$/);
  const page = await pageOf(browser, world, mallory);
  await page.goto(world.dashboardUrl);
  await expect(page.getByText('Not in this account', { exact: true })).toBeVisible();
});
