// Its own server: its agent sees a desktop of the test.
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { fakeDesktop } from './lib/fake-desktop.ts';
import { hasEnded, type Threats, threats } from './lib/fake-threats.ts';
import { registeredPerson } from './lib/people.ts';
import { addDevice } from './lib/screens.ts';
import { test } from './lib/test.ts';
import { startTestWorld } from './lib/worlds.ts';

/** The tests build on each other. */
test.describe.configure({ mode: 'serial' });

let world: World;
let programs: Threats;
let screen: Awaited<ReturnType<typeof fakeDesktop>>;
test.beforeAll(async () => {
  screen = await fakeDesktop();
  world = await startTestWorld({ env: screen.env });
  programs = await threats(['AnyDesk', 'TeamViewer', 'Reimage.exe']);
});
test.afterAll(async () => {
  await programs?.close();
  await world?.close();
});

const status = (page: Page) =>
  page.evaluate(async () => (await fetch('http://127.0.0.1:23407/.well-known/')).json() as Promise<Record<string, unknown>>);

test('[1.2] the free agent ends running and newly started remote-control programs, but no deceptive program, and notifies nobody', async ({
  page,
}) => {
  const [processBefore, deceptiveProcess] = [programs.run('AnyDesk'), programs.run('Reimage.exe')];
  world.startAgent(['--free']);
  await expect.poll(() => hasEnded(processBefore), { timeout: 10_000 }).toBe(true);
  const laterProcess = programs.run('AnyDesk');
  await expect.poll(() => hasEnded(laterProcess), { timeout: 5000 }).toBe(true);
  expect(hasEnded(deceptiveProcess)).toBe(false);
  // The agent ends programs before it says what it does.
  await expect.poll(() => world.agentOutput()).toContain('with the free plan');
  expect(await world.mailbox()).toEqual([]);

  await expect.poll(screen.opened).toHaveLength(1);
  await page.goto((await screen.opened())[0] ?? '');
  await expect(page.getByRole('heading', { name: 'We stopped what looks like AnyDesk' })).toBeVisible();
  await expect(page.getByText(/We(’ll write to .+ as soon| wrote)/)).toHaveCount(0);
});

test('[6.8] [3.18] the agent reports guest mode, also after a restart without arguments', async ({ page }) => {
  await page.goto(`${world.dashboardUrl}/free-download`);
  expect(await status(page)).toEqual({ g: true, l: false, v: '1.0.0' });
  await world.killAgent();
  world.startAgent();
  await expect.poll(() => world.agentOutput()).toContain('with the free plan');
  await expect.poll(() => status(page).catch(() => null)).toEqual({ g: true, l: false, v: '1.0.0' });
  const openedBefore = (await screen.opened()).length;
  const anydesk = programs.run('AnyDesk');
  await expect.poll(() => hasEnded(anydesk), { timeout: 5000 }).toBe(true);
  // To the restarted agent this is the first alert, so it opens its window; the next test counts the windows.
  await expect.poll(screen.opened).toHaveLength(openedBefore + 1);
});

test('[6.8] [3.18] an agent that gets a link from the dashboard becomes a device, and does not report its detections as a guest', async ({
  browser,
}) => {
  const ann = await registeredPerson(world);
  const page = await pageOf(browser, world, ann);
  await page.goto(world.dashboardUrl);
  const openedBefore = (await screen.opened()).length;
  await addDevice(page, 'This device', 'Den PC');
  await expect(page.getByText('Answer the question in the Porchlight window')).toBeVisible();
  await expect.poll(screen.opened).toHaveLength(openedBefore + 1);
  expect(await status(page)).toEqual({ g: true, l: false, v: '1.0.0' });
  const window = await (await browser.newContext()).newPage();
  await window.goto((await screen.opened()).at(-1) ?? '');
  await expect(window.getByRole('heading', { name: /^Should this computer belong to/ })).toBeVisible();
  await expect(async () => {
    await window.getByRole('button', { name: /^Yes, it should belong to/ }).click();
    await expect(window.getByRole('status')).toHaveText('Connected.', { timeout: 500 });
  }).toPass({ intervals: [1000], timeout: 30_000 });
  await expect(page.getByText('Device connected').first()).toBeVisible({ timeout: 10_000 });
  expect(await status(page)).toEqual({ g: false, l: true, v: '1.0.0' });
  const teamviewer = programs.run('TeamViewer');
  await expect.poll(() => hasEnded(teamviewer), { timeout: 5000 }).toBe(true);
  const alerts = async () => (await call(world.url, 'GET /web/detections', { token: ann.token, query: {} })).items;
  await expect.poll(alerts).toHaveLength(1);
  expect((await alerts())[0]?.info).toMatchObject({ name: 'TeamViewer', blocked: true, times: 1 });
});
