import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { hasEnded, type Threats, threats } from './lib/fake-threats.ts';
import { registeredPerson } from './lib/people.ts';
import { mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';
import { type WindowAgent, windowAgent } from './lib/window-agent.ts';

/** The tests build on each other. */
test.describe.configure({ mode: 'serial' });

const [anydesk, teamviewer] = ['home/ann/Downloads/anydesk', 'home/ann/Downloads/teamviewer'];
let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let ann: Person;
let agent: WindowAgent;
let window: Page;
let programs: Threats;
test.beforeAll(async ({ browser }) => {
  ann = await registeredPerson(world, 'Ann Example');
  programs = await threats(['AnyDesk']);
  const diskFiles = { 'etc/passwd': 'ann:x:1000:1000::/home/ann:/bin/sh\n', [anydesk]: '\x7fELF', [teamviewer]: '\x7fELF' };
  agent = await windowAgent(world, { free: true, diskFiles });
  window = await (await browser.newContext()).newPage();
});
test.afterAll(async () => {
  await agent?.close();
  await programs?.close();
});

const isThere = (path: string) =>
  stat(join(agent.disk, path)).then(
    () => true,
    () => false,
  );
const checkAndCapture = async (name: string) => {
  await checkScreen(window);
  await checkScreenZoomed(window);
  if (process.env.PICTURES) await window.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
};
const section = (name: string) => window.locator('section', { has: window.getByRole('heading', { name }) });

test('on the free plan the window says so, and lists the quarantined items', async () => {
  await expect.poll(() => agent.opened.length, { message: 'the window to open by itself' }).toBeGreaterThan(0);
  await window.goto(agent.opened.at(-1) ?? '');
  await expect(window.getByRole('heading', { level: 1, name: 'This computer has the free plan' })).toBeVisible();
  await expect(window.getByText(/and found .*AnyDesk.*TeamViewer|and found .*TeamViewer.*AnyDesk/)).toBeVisible();
  expect([await isThere(anydesk), await isThere(teamviewer)]).toEqual([false, false]);
  await expect(window.getByRole('link', { name: 'Pause protection' })).toHaveCount(0);
  await checkAndCapture('free');
});

test('the window does not discard typed text when it refreshes', async () => {
  const field = window.getByLabel('Your code');
  await field.fill('ABCD');
  const program = programs.run('AnyDesk');
  await expect.poll(() => hasEnded(program), { timeout: 5000 }).toBe(true);
  await expect.poll(() => agent.output).toContain('Stopped AnyDesk.');
  const nextResponse = () => window.waitForResponse((answer) => answer.url().endsWith('/'));
  await nextResponse();
  await nextResponse();
  await expect(field).toHaveValue('ABCD');
  await field.fill('');
  await field.blur();
  await expect(window.getByRole('heading', { level: 1 })).toHaveText('We stopped what looks like AnyDesk');
});

test('a button restores a program from quarantine without a PIN, and the agent still ends that program when it starts', async () => {
  await window.getByRole('link', { name: 'See what we found' }).click();
  await expect(window.getByText('We still close what you put back when it starts.')).toBeVisible();
  await checkAndCapture('found');
  await section('AnyDesk').getByRole('button', { name: 'Put it back' }).click();
  await expect(window.getByRole('status')).toHaveText('AnyDesk is back where it was.');
  await expect(section('AnyDesk')).toHaveCount(0);
  expect([await isThere(anydesk), await isThere(teamviewer)]).toEqual([true, false]);
  await checkAndCapture('put-back');
  const program = programs.run('AnyDesk');
  await expect.poll(() => hasEnded(program), { timeout: 5000 }).toBe(true);
  expect(await world.mailbox()).not.toContainEqual(expect.objectContaining({ subject: expect.stringContaining('AnyDesk') }));
});

test('on a linked device restoring needs the PIN, and holder and guardian are notified', async () => {
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Den PC' } });
  const { bypass_password } = await call(world.url, 'GET /web/bypasspassword', { token: ann.token });
  await agent.open(window);
  await window.getByLabel('Your code').fill(login_code);
  await window.getByRole('button', { name: 'Connect' }).click();
  await expect(window.getByRole('heading', { level: 1 })).toHaveText('Should this computer belong to Ann?');
  await agent.passes(10_000);
  await window.getByRole('button', { name: 'Yes, it should belong to Ann' }).click();
  await expect(window.getByText('For the first day, this computer is on Strict')).toBeVisible();
  await expect(window.getByRole('link', { name: 'Pause protection' })).toHaveCount(0);
  await window.getByRole('link', { name: 'See what we found' }).click();
  await checkAndCapture('found-linked');
  const lastSection = section('TeamViewer');
  await lastSection.getByLabel('The Admin PIN').fill('000000');
  await lastSection.getByRole('button', { name: 'Put it back' }).click();
  await expect(window.getByRole('alert')).toContainText('That is not the PIN.');
  expect(await isThere(teamviewer)).toBe(false);
  await lastSection.getByLabel('The Admin PIN').fill(bypass_password);
  await lastSection.getByRole('button', { name: 'Put it back' }).click();
  await expect(window.getByRole('status')).toHaveText('TeamViewer is back where it was.');
  expect(await isThere(teamviewer)).toBe(true);
  await mailTo(world, ann.email, /^Somebody on Den PC asked to use TeamViewer$/);
});
