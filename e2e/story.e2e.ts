// Its own server: its agent sees a desktop of the test, and it is stopped and started.
import { randomBytes } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { admin, withDatabase } from '@porchlight/server/testing/global-setup.ts';
import { fakeDesktop } from './lib/fake-desktop.ts';
import { hasEnded, type Threats, threats } from './lib/fake-threats.ts';
import { sayYes } from './lib/incidents.ts';
import { addDevice, addGuardian, linkIn, mailTo, registerWithoutPlan } from './lib/screens.ts';
import { order, pay } from './lib/subscribe.ts';
import { test } from './lib/test.ts';
import { startTestWorld } from './lib/worlds.ts';

/** The main scenario in a real browser with real processes. The tests build on each other. */
test.describe.configure({ mode: 'serial' });

const databaseName = `story_${randomBytes(6).toString('hex')}`;
let world: World;
let page: Page;
let bobsPage: Page;
let programs: Threats;
let screen: Awaited<ReturnType<typeof fakeDesktop>>;
const [annEmail, bobEmail] = ['ann@example.org', 'bob@example.org'];
const alertsTo = async (address: string) =>
  (await world.mailbox()).filter((mail) => mail.to.includes(address) && /blocked/i.test(mail.subject));

async function openIncident(): Promise<void> {
  const link = page.getByRole('link', { name: 'See what happened' });
  // Until the page has the incidents, the link leads to the alert.
  await expect(link).toHaveAttribute('href', /\/incident\//);
  await link.click();
  await expect(page.getByRole('region', { name: 'What happened' })).toBeVisible();
}

test.beforeAll(async ({ browser }) => {
  screen = await fakeDesktop();
  const url = process.env.E2E_POSTGRES_URL;
  // A second try begins with an empty one.
  if (url) await admin(url, `create database ${databaseName}`);
  world = await startTestWorld({ agent: true, env: screen.env, ...(url ? { databaseUrl: withDatabase(url, databaseName) } : {}) });
  programs = await threats(['AnyDesk', 'TeamViewer', 'knitting-patterns', 'rustdesk']);
  page = await (await browser.newContext()).newPage();
  bobsPage = await (await browser.newContext()).newPage();
});
test.afterAll(async () => {
  await programs?.close();
  await world?.close();
  if (process.env.E2E_POSTGRES_URL) await admin(process.env.E2E_POSTGRES_URL, `drop database if exists ${databaseName} with (force)`);
});

test('an agent that is not linked blocks nothing', async () => {
  const anydesk = programs.run('AnyDesk');
  await expect.poll(() => world.agentOutput()).toContain('not linked yet');
  expect(hasEnded(anydesk)).toBe(false);
  anydesk.kill();
});

test('[4.5] Ann registers, confirms by the button in the email, begins her trial, and reaches the dashboard', async () => {
  await registerWithoutPlan(page, world, 'Ann Example', annEmail);
  await order(page, 'Friends & Family');
  await pay(page).click();
  await expect(page.getByRole('heading', { name: 'Which computer do you want to protect?' })).toBeVisible();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByText(`Signed in as ${annEmail}`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Nobody is protected yet' })).toBeVisible();
});

test('[4.9] [4.10] "This device" hands the link to the agent over loopback, and it is connected in seconds', async () => {
  const code = await addDevice(page, 'This device', 'Den PC');
  await expect(page.getByText('Device connected')).toBeVisible({ timeout: 10_000 });
  await expect(page.getByText('Your device has been upgraded successfully!')).toBeVisible();
  await page.getByRole('link', { name: 'Continue to dashboard' }).click();
  await expect(page.getByText('Den PC', { exact: true })).toBeVisible();
  await expect(page.getByText(/^Last seen (?:today|yesterday)/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Den PC is on, but scam sites are not blocked there' })).toBeVisible();
  const codeResponse = await page.request.post(`${world.url}/api/code`, { data: { code } });
  expect(codeResponse.status()).toBe(410);
});

test('[2.116] Ann invites Bob as her guardian, and Bob accepts with one button', async () => {
  await addGuardian(page, world, 'Bob', bobEmail);
  await expect(page.getByText(`An invitation to be your guardian has been sent to ${bobEmail}.`)).toBeVisible();
  await expect(page.getByText('Pending', { exact: true })).toBeVisible();
  await bobsPage.goto(linkIn(await mailTo(world, bobEmail, /guardian/)));
  await expect(bobsPage).toHaveURL(/\/dashboard\/guardian\/[0-9a-f-]{36}$/);
  await bobsPage.getByRole('button', { name: 'I will look out' }).click();
  await expect(bobsPage.getByRole('heading', { name: 'Den PC is on, but scam sites are not blocked there' })).toBeVisible();
  await page.reload();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
});

test('when AnyDesk starts, it is ended, a harmless program is not, and the calm screen opens', async () => {
  const [anydesk, harmless] = [programs.run('AnyDesk'), programs.run('knitting-patterns')];
  await expect.poll(() => hasEnded(anydesk), { timeout: 5000 }).toBe(true);
  expect(anydesk.signalCode).toBe('SIGKILL');
  expect(hasEnded(harmless)).toBe(false);
  await expect.poll(screen.opened).toHaveLength(1);
  const [address = ''] = await screen.opened();
  const window = await page.context().newPage();
  await window.goto(address);
  await expect(window.getByRole('heading', { name: 'We stopped what looks like AnyDesk' })).toBeVisible();
  await expect(window.getByText('Call Bob', { exact: true })).toBeVisible();
  await window.getByText('See what happened').click();
  for (const part of ['What happened', 'What we did', 'Is it over?', 'What to do now'])
    await expect(window.getByText(part, { exact: true })).toBeVisible();
  await window.close();
  // The window's address works once: nobody can use it later.
  expect((await fetch(address)).status).toBe(403);
});

test('[2.55] [2.81] within seconds the dashboard warns, the incident leads to its alert, and the alert opens into its four parts', async () => {
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: /We stopped what looks like AnyDesk on Den PC, (?:today|yesterday)/ })).toBeVisible();
  await expect(page.getByText('Alert', { exact: true })).toBeVisible();
  await openIncident();
  await page.getByRole('link', { name: 'See the alert' }).click();
  for (const part of ['What happened', 'What we did', 'Is it over?', 'What to do now'])
    await expect(page.getByText(part, { exact: true })).toBeVisible();
  await expect(page.getByText(/looks like AnyDesk was started on Den PC/)).toBeVisible();
});

test('[1.3] Ann and Bob get an email each with what, where, when, that it was blocked, and what to say', async () => {
  for (const address of [annEmail, bobEmail]) {
    const mail = await mailTo(world, address, /AnyDesk was blocked on Den PC/);
    expect(mail.text).toMatch(/AnyDesk was started on Den PC at \d+:\d\d [AP]M/);
    expect(mail.text).toContain('We closed it right away');
    expect(mail.text).toContain('You did nothing wrong');
    expect(await alertsTo(address)).toHaveLength(1);
  }
  await bobsPage.reload();
  await expect(bobsPage.getByRole('heading', { name: /^We stopped what looks like AnyDesk on Den PC, (?:today|yesterday)/ })).toBeVisible();
});

test('[2.97] the link in the email leads to its alert', async () => {
  await page.goto(linkIn(await mailTo(world, annEmail, /AnyDesk/)));
  await expect(page).toHaveURL(/\/devices\/[0-9a-f-]+\/detections\?detectionId=[0-9a-f-]+$/);
  await expect(page.getByText('What to do now', { exact: true })).toBeVisible();
});

test('[P10.1] a change on the dashboard waits in the incident for Bob’s yes, and then reaches the agent within seconds: permissive reports a program, and does not stop it', async () => {
  await page.getByRole('link', { name: 'Device Settings' }).click();
  await page.getByText('Permissive', { exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog', { name: 'We asked Bob' })).toBeVisible();
  await sayYes(bobsPage, /Permissive/);
  await expect(page.getByText('Device updated successfully')).toBeVisible();
  const rustdesk = programs.run('rustdesk');
  await mailTo(world, annEmail, /^Not blocked: .*RustDesk/);
  expect(hasEnded(rustdesk)).toBe(false);
  await page.getByText('Strict', { exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => hasEnded(rustdesk), { timeout: 5000 }).toBe(true);
});

test('a detection while the server is stopped arrives once, although the agent is killed meanwhile, and Ann and Bob get one email each', async () => {
  await world.stopServer();
  const teamviewer = programs.run('TeamViewer');
  await expect.poll(() => hasEnded(teamviewer), { timeout: 5000 }).toBe(true);
  await expect.poll(() => world.agentOutput()).toContain('Stopped TeamViewer.');
  await world.killAgent('SIGKILL');
  await world.startServer();
  world.startAgent();
  for (const address of [annEmail, bobEmail]) await mailTo(world, address, /TeamViewer was blocked on Den PC/);
  for (const address of [annEmail, bobEmail]) {
    const ids = (await alertsTo(address)).filter((mail) => /TeamViewer/.test(mail.subject)).map((mail) => mail.message_id);
    expect(ids).toHaveLength(1);
  }
  await page.goto(`${world.dashboardUrl}/`);
  await openIncident();
  await page.getByRole('listitem').filter({ hasText: 'TeamViewer' }).getByRole('link', { name: 'See the alert' }).click();
  await expect(page.getByText('What looks like TeamViewer was blocked')).toHaveCount(1);
});
