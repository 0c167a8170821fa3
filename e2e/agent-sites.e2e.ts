// Its own server: the agent and the server see a desktop of the test.
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import { freePort } from '@porchlight/dev/ports.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { addButton, dialog, field, hits, rows } from './lib/allow-list.ts';
import { addressOf, type DnsServer, startDnsServer } from './lib/dns-server.ts';
import { fakeDesktop } from './lib/fake-desktop.ts';
import { registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { commandIn } from './lib/subscribe.ts';
import { test } from './lib/test.ts';
import { startTestWorld } from './lib/worlds.ts';

/** The tests build on each other. */
test.describe.configure({ mode: 'serial' });

const [scam, remote] = ['paypal-secure-login.com', 'www.net.anydesk.com'];
let world: World;
let ann: Person;
let page: Page;
let window: Page;
let network: DnsServer;
let dnsPort: number;
let screen: Awaited<ReturnType<typeof fakeDesktop>>;

test.beforeAll(async ({ browser }) => {
  [screen, network, dnsPort] = [await fakeDesktop(), await startDnsServer(), await freePort()];
  world = await startTestWorld({ env: screen.env });
  ann = await registeredPerson(world, 'Ann Example');
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email: 'bob@example.org' } });
  [page, window] = [await pageOf(browser, world, ann), await (await browser.newContext()).newPage()];
  await window.goto(linkIn(await mailTo(world, 'bob@example.org', /guardian/)));
  await window.getByRole('button', { name: 'I will look out' }).click();
  await expect(
    window.getByRole('heading', { name: 'You look out for Ann' }).or(window.getByText('You look out for Ann')).first(),
  ).toBeVisible();
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Den PC' } });
  world.startAgent(['--code', login_code, '--names', `127.0.0.1:${dnsPort}`, '--upstream', `127.0.0.1:${network.port}`]);
  await expect.poll(() => world.agentOutput()).toContain('Porchlight protects this computer as Den PC.');
});
test.afterAll(async () => {
  network?.close();
  await world?.close();
});

const resolve = (name: string) => addressOf(name, dnsPort).catch((err: Error) => err.message);
const alertsTo = async (address: string) =>
  (await world.mailbox()).filter((mail) => mail.to.includes(address) && /blocked/i.test(mail.subject));
const alerts = async () => (await call(world.url, 'GET /web/detections', { token: ann.token, query: {} })).items;

test('[P4.3] a blocked site resolves to no address over UDP in fifty tries, while other names resolve', async () => {
  await expect.poll(() => resolve(`login.${scam}`)).toBe('0.0.0.0');
  // Until then the list was not in force yet, and the network answered.
  const askedBefore = network.asked.length;
  for (let n = 0; n < 50; n++) expect(await resolve(`my-secret-${n}.${scam}`)).toBe('0.0.0.0');
  expect(await resolve('knitting.example')).toBe('192.0.2.1');
  expect(network.asked.slice(askedBefore).filter((name) => name.endsWith(scam))).toEqual([]);
});

test('[P4.3] about a blocked site holder and guardian get one email each, with the site and the device but not the visited page', async () => {
  for (const address of [ann.email, 'bob@example.org']) {
    const mail = await mailTo(world, address, new RegExp(`${scam} was blocked on Den PC`));
    expect(mail.text).toContain(`Something on Den PC tried to open a page of ${scam} at `);
    expect(mail.text).toContain('We kept it from opening.');
    expect(mail.text).not.toMatch(/my-secret|was started|closed it/);
    expect(await alertsTo(address)).toHaveLength(1);
  }
  expect(await alerts()).toMatchObject([{ info: { name: scam, category: 'ScamWebsite', site: true, blocked: true, details: scam } }]);
});

test('[P4.4] the window opens once, and mentions a blocked page but no program', async () => {
  await expect.poll(screen.opened).toHaveLength(1);
  await window.goto((await screen.opened())[0] ?? '');
  await expect(window.getByRole('heading', { level: 1 })).toHaveText(`We blocked a website: ${scam}`);
  await expect(window.getByText('You can close that page.', { exact: true })).toBeVisible();
  await window.getByText('See what happened').click();
  for (const text of [/^Something on this computer tried to open /, /^We kept it from opening/, /^Yes, if nobody is on the phone with you/])
    await expect(window.getByText(text)).toBeVisible();
  await expect(window.getByText('Call Bob')).toBeVisible();
  // Nobody can say yes to a scam page.
  await expect(window.getByText('It stays blocked until Ann allows it.')).toBeVisible();
  await expect(window.getByText(/We’ll ask/)).toHaveCount(0);
  await expect(window.getByText(/was started|closed it/)).toHaveCount(0);
  await checkScreen(window);
});

test('the dashboard reports the blocked page in plain words', async () => {
  await page.goto(world.dashboardUrl);
  // Nobody is on the line, so it is no heading (P15.9).
  await expect(page.getByText(new RegExp(`We stopped a page of ${scam} on Den PC, (?:today|yesterday)`))).toBeVisible();
  await page.goto(`${world.dashboardUrl}/detection/${(await alerts())[0]?.uuid}`);
  await expect(page.getByText(`Something on Den PC tried to open a page of ${scam}.`)).toBeVisible();
  await expect(page.getByText('Scam website', { exact: true })).toBeVisible();
});

test('a site of a remote-control program is reported as a page too', async () => {
  expect(await resolve(remote)).toBe('0.0.0.0');
  const mail = await mailTo(world, 'bob@example.org', /anydesk\.com was blocked on Den PC/);
  expect(mail.text).toContain('tried to open a page of anydesk.com at ');
  expect(await alerts()).toMatchObject([{ info: { name: 'anydesk.com', category: 'RemoteControl', site: true } }, {}]);
});

test('[P4.8] an allow-list entry opens the site within seconds, and removing it blocks the site again', async () => {
  await page.getByRole('link', { name: 'Allow List' }).click();
  await addButton(page).click();
  await field(page).fill(scam);
  await hits(page).first().click();
  await expect(dialog(page)).toHaveCount(0);
  await expect.poll(() => resolve(`login.${scam}`), { timeout: 5000, intervals: [50] }).toBe('192.0.2.1');
  expect(await resolve(remote)).toBe('0.0.0.0');
  await rows(page).getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => resolve(`login.${scam}`), { timeout: 5000, intervals: [50] }).toBe('0.0.0.0');
});

test('[P12.1] the holder opens a site that was blocked by mistake in two presses, the operator sees it, and other sites stay blocked', async () => {
  const blocked = (await alerts()).find(({ info }) => info.name === scam);
  await page.goto(`${world.dashboardUrl}/detection/${blocked?.uuid}`);
  const alert = page.locator('details[open]');
  const openSite = alert.getByRole('button', { name: `Open ${scam} on Den PC` });
  await expect(alert.getByRole('button', { name: 'This was wrong' })).toBeVisible();
  await expect(openSite).toHaveCount(0);
  await alert.getByRole('button', { name: 'This was wrong' }).click();
  await openSite.click();
  await expect(alert.getByText(`${scam} opens on Den PC now.`)).toBeVisible();
  await expect.poll(() => resolve(`login.${scam}`), { timeout: 5000, intervals: [50] }).toBe('192.0.2.1');
  expect(await resolve(remote)).toBe('0.0.0.0');
  const { out } = await commandIn(world, 'definitions', 'reports');
  expect(out).toContain(`once: the site ${scam}`);
  expect(out).not.toContain('anydesk.com');
});
