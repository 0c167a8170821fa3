// Its own server: it is stopped while the agent goes on.
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { hasEnded, type Threats, threats } from './lib/fake-threats.ts';
import { inviteGuardian } from './lib/guardians.ts';
import { registeredPerson } from './lib/people.ts';
import { test } from './lib/test.ts';
import { type WindowAgent, windowAgent } from './lib/window-agent.ts';
import { startTestWorld } from './lib/worlds.ts';

/** The tests build on each other: a real agent, a real server, and Bob's page on his phone. */
test.describe.configure({ mode: 'serial' });

let world: World;
let ann: Person;
let pin: string;
let agent: WindowAgent;
let programs: Threats;
let window: Page;
let bobPage: Page;
let code: string;

test.beforeAll(async ({ browser }) => {
  world = await startTestWorld();
  ann = await registeredPerson(world, 'Ann Example');
  pin = (await call(world.url, 'GET /web/bypasspassword', { token: ann.token })).bypass_password;
  programs = await threats(['AnyDesk']);
  agent = await windowAgent(world);
  window = await (await browser.newContext()).newPage();
  bobPage = await pageOf(browser, world, null, { viewport: { width: 390, height: 844 } });
  await inviteGuardian(bobPage, world, ann, 'Bob', 'bob@example.org');
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Den PC' } });
  await agent.open(window);
  await window.getByLabel('Your code').fill(login_code ?? '');
  await window.getByRole('button', { name: 'Connect' }).click();
  await expect(window.getByRole('heading', { level: 1, name: 'Scam sites are not blocked on this computer' })).toBeVisible();
});
test.afterAll(async () => {
  await agent?.close();
  await programs?.close();
  await world?.close();
});

const pauseWith = async (typed: string) => {
  await window.goto(new URL('pause', window.url()).href);
  await window.locator('#pin').fill(typed);
  await window.getByLabel(/^I understand/).check();
  await window.getByRole('button', { name: 'Pause', exact: true }).click();
};

test('[P10.5] after AnyDesk was stopped the PIN alone does not pause, and the window says whom to call for a code', async () => {
  const program = programs.run('AnyDesk');
  await expect.poll(() => hasEnded(program)).toBe(true);
  await agent.open(window);
  await expect(window.getByRole('heading', { level: 1, name: 'We stopped what looks like AnyDesk' })).toBeVisible();
  await pauseWith(pin);
  await expect(window.getByRole('alert')).toContainText('Call Bob: they can end this, or read you a code.');
});

test('[P10.7] a code from Bob’s page pauses once, with the server away', async () => {
  await bobPage.reload();
  await bobPage.getByRole('button', { name: 'Open a code' }).click();
  await bobPage.getByRole('radio', { name: /pause/i }).check();
  await bobPage.getByRole('button', { name: 'Show the code' }).click();
  const shown = bobPage.getByRole('status').filter({ hasText: /\d{4} \d{4}/ });
  code = /\d{4} \d{4}/.exec(await shown.innerText())?.[0] ?? '';
  await expect.poll(() => agent.output.join()).toContain('Stopped AnyDesk.');
  await world.stopServer();
  await pauseWith(code);
  await expect(window.getByRole('heading', { level: 1, name: 'Protection is paused' })).toBeVisible();
  await window.getByRole('button', { name: 'Resume now' }).click();
  await pauseWith(code);
  await expect(window.getByRole('alert')).toContainText('That code doesn’t work.');
  await pauseWith(pin);
  await expect(window.getByRole('alert')).toContainText('The Admin PIN alone isn’t enough right now');
  await world.startServer();
});

test('[P10.6] Bob’s Stop this ends a pause, and the window says who did it', async () => {
  await bobPage.reload();
  await bobPage.getByRole('button', { name: 'Open a code' }).click();
  await bobPage.getByRole('radio', { name: /pause/i }).check();
  await bobPage.getByRole('button', { name: 'Show the code' }).click();
  const shown = bobPage.getByRole('status').filter({ hasText: /\d{4} \d{4}/ });
  await expect(shown).not.toContainText(code);
  await pauseWith(/\d{4} \d{4}/.exec(await shown.innerText())?.[0] ?? '');
  await expect(window.getByRole('heading', { level: 1, name: 'Protection is paused' })).toBeVisible();
  const program = programs.run('AnyDesk');
  await bobPage.reload();
  await bobPage.getByRole('button', { name: 'Stop this' }).click();
  const pressed = Date.now();
  await bobPage.getByRole('dialog').getByRole('button', { name: 'Stop this' }).click();
  await expect.poll(() => hasEnded(program), { intervals: [20], timeout: 30_000 }).toBe(true);
  test.info().annotations.push({ type: 'in force after', description: `${Date.now() - pressed} ms` });
  await agent.open(window);
  await expect(window.getByText(/^Bob stopped everything on our list here until \d/)).toBeVisible();
});

test('[P9.5] *I need help now* at the computer is on the incident’s time line, and everyone hears', async () => {
  await window.getByRole('button', { name: 'I need help now' }).click();
  await expect(window.getByRole('heading', { level: 1, name: 'Do these four things now' })).toBeVisible();
  await expect(window.getByText('We are trying to reach Bob.')).toBeVisible();
  const words = async () => {
    const { items } = await call(world.url, 'GET /web/incidents', { token: ann.token, query: {} });
    const incident = await call(world.url, 'GET /web/incidents/:uuid', { token: ann.token, params: { uuid: items[0]?.uuid ?? '' } });
    return incident.events.map((event) => event.words).join('\n');
  };
  await expect.poll(words).toContain('pressed “I need help now”');
});
