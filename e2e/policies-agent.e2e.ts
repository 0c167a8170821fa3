// Its own server: its agent sees a desktop of the test.
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { fakeDesktop } from './lib/fake-desktop.ts';
import { hasEnded, type Threats, threats } from './lib/fake-threats.ts';
import { agreeToChanges, endIncidents } from './lib/incidents.ts';
import { addDevice, mailTo, registerAndConfirm } from './lib/screens.ts';
import { test } from './lib/test.ts';
import { startTestWorld } from './lib/worlds.ts';

/** The tests build on each other. */
test.describe.configure({ mode: 'serial' });

let world: World;
let page: Page;
let programs: Threats;
const annEmail = 'ann@example.org';

test.beforeAll(async ({ browser }) => {
  const screen = await fakeDesktop();
  world = await startTestWorld({ agent: true, env: screen.env });
  programs = await threats(['AnyDesk', 'TeamViewer']);
  page = await (await browser.newContext()).newPage();
});
test.afterAll(async () => {
  await programs?.close();
  await world?.close();
});

const remote = (action: string) => page.getByRole('group', { name: 'Remote-control programs' }).getByRole('radio', { name: action });
const saveProfile = () => page.getByRole('button', { name: 'Save profile' }).click();
const mailsAbout = async (program: RegExp) => (await world.mailbox()).filter(({ subject }) => program.test(subject));

async function alerts(): Promise<[string, number][]> {
  const token = (await page.evaluate(() => localStorage.getItem('porchlight_token'))) ?? '';
  const { items } = await call(world.url, 'GET /web/detections', { token, query: {} });
  return items.map(({ info }) => [info.name, info.times]);
}

async function openSettings(): Promise<void> {
  await page.getByRole('link', { name: 'Back to dashboard' }).click();
  await page.getByRole('link', { name: 'Manage Den PC' }).click();
  await page.getByRole('link', { name: 'Device Settings' }).click();
}

async function editProfile(): Promise<void> {
  await page.goto(`${world.dashboardUrl}/policies`);
  await page.getByRole('link', { name: 'Edit Grandson helps' }).click();
  await expect(remote('Block')).toBeVisible();
}

test('a device with a profile that ignores remote-control programs runs AnyDesk, and nobody is notified', async () => {
  await registerAndConfirm(page, world, 'Ann Example', annEmail);
  await addDevice(page, 'This device', 'Den PC');
  await expect(page.getByText('Device connected')).toBeVisible({ timeout: 10_000 });
  const stoppedProcess = programs.run('AnyDesk');
  await expect.poll(() => hasEnded(stoppedProcess), { timeout: 5000 }).toBe(true);
  await mailTo(world, annEmail, /AnyDesk was blocked/);
  // In an incident a weaker profile waits.
  await endIncidents(world);

  await page.goto(`${world.dashboardUrl}/policies/new`);
  await page.getByLabel('Name of the profile').fill('Grandson helps');
  await remote('Ignore').check();
  await saveProfile();
  await expect(page.getByText('Leaves remote-control programs alone. Stops deceptive programs and scam websites.')).toBeVisible();
  await openSettings();
  await page.getByText('Grandson helps', { exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Device updated successfully')).toBeVisible();
  await agreeToChanges(world, /RemoteControl[\\"]+:[\\"]+ignore/);

  const anydesk = programs.run('AnyDesk');
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: /^Your devices/ })).toBeVisible();
  expect(hasEnded(anydesk)).toBe(false);
  expect(await alerts()).toEqual([['AnyDesk', 1]]);
  anydesk.kill();
});

test('[P4.8] an edited profile reaches the agent within seconds: an ignored program runs, a blocked one is ended', async () => {
  const teamviewer = programs.run('TeamViewer');
  await editProfile();
  await remote('Tell me').check();
  await saveProfile();
  // The alert proves that the agent saw the program and left it running.
  await mailTo(world, annEmail, /^Not blocked: .*TeamViewer/);
  expect(await mailsAbout(/TeamViewer was blocked/)).toEqual([]);
  expect(hasEnded(teamviewer)).toBe(false);

  await remote('Block').check();
  await saveProfile();
  await expect.poll(() => hasEnded(teamviewer), { timeout: 5000 }).toBe(true);
  expect(teamviewer.signalCode).toBe('SIGKILL');
});

test('[P4.8] when its profile is removed, the device is on Strict again within seconds', async () => {
  // The starts of the test before opened one, where a weaker profile waits.
  await endIncidents(world);
  await editProfile();
  await remote('Ignore').check();
  await saveProfile();
  await expect(page.getByText(/^Profile saved\./)).toBeVisible();
  const anydesk = programs.run('AnyDesk');
  await page.getByRole('link', { name: 'Back to your profiles' }).click();
  await page.getByRole('button', { name: 'Remove Grandson helps' }).click();
  await expect(page.getByText('Grandson helps is gone then. 1 device goes back to Strict.')).toBeVisible();
  expect(hasEnded(anydesk)).toBe(false);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.poll(() => hasEnded(anydesk), { timeout: 5000 }).toBe(true);
  await openSettings();
  await expect(page.getByRole('radio', { name: /^Strict/ })).toBeChecked();
});
