// Its own server: its agent sees a desktop of the test.
import { expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from '../lib/accessibility.ts';
import { fakeDesktop } from '../lib/fake-desktop.ts';
import { threats } from '../lib/fake-threats.ts';
import { addDevice, addGuardian, linkIn, mailTo, registerAndConfirm } from '../lib/screens.ts';
import { test } from '../lib/test.ts';
import { startTestWorld } from '../lib/worlds.ts';

/** The screens that need an agent; `pages.e2e.ts` checks the others. */

let world: World;
let screen: Awaited<ReturnType<typeof fakeDesktop>>;
let holder: Page;
let guardian: Page;

test.beforeAll(async ({ browser }) => {
  screen = await fakeDesktop();
  world = await startTestWorld({ agent: true, env: screen.env });
  holder = await (await browser.newContext()).newPage();
  guardian = await (await browser.newContext()).newPage();
  await registerAndConfirm(holder, world, 'Ann Example', 'ann@example.org');
  await addDevice(holder, 'This device', 'Den PC');
  await expect(holder.getByText('Device connected')).toBeVisible();
  await addGuardian(holder, world, 'Bob', 'bob@example.org');
  await guardian.goto(linkIn(await mailTo(world, 'bob@example.org', /guardian/)));
  await guardian.getByRole('button', { name: 'I will look out' }).click();
  const programs = await threats(['AnyDesk']);
  programs.run('AnyDesk');
  await mailTo(world, 'ann@example.org', /AnyDesk/);
  await programs.close();
});
test.afterAll(async () => {
  await world?.close();
});

test('the page of an accepted guardian with an alert passes axe in light and dark, and loses nothing at 320 px', async () => {
  await guardian.reload();
  await expect(guardian.getByText('What to say').first()).toBeVisible();
  await checkScreen(guardian);
});

test('the add-device step that waits for a connection, and the agent’s calm screen, pass axe and lose nothing at 320 px', async () => {
  await holder.goto(world.dashboardUrl);
  await addDevice(holder, 'Another device', 'Third PC');
  await checkScreen(holder);
  const [address = ''] = await screen.opened();
  const window = await holder.context().newPage();
  await window.goto(address);
  await window.getByText('See what happened').click();
  await expect(window.getByText('What happened', { exact: true })).toBeVisible();
  await checkScreen(window);
  const programs = await threats(['AnyDesk']);
  programs.run('AnyDesk');
  await expect(window.getByText(/It has happened 2 times so far/)).toBeVisible({ timeout: 15_000 });
  await programs.close();
});
