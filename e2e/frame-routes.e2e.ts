import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf, reportAlert, unconfirmedPerson } from './lib/accounts.ts';
import { endIncidents } from './lib/incidents.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let ann: Person;
let people: { guest: Page; unconfirmed: Page; confirmed: Page };
const ids = { device: '', code: '', alert: '', guardian: '' };

test.beforeAll(async ({ browser }) => {
  ann = await registeredPerson(world);
  const device = await linkedDevice(world, ann);
  const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Mum’s laptop' } });
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email: 'bob@example.org' } });
  ids.device = device.uuid;
  ids.code = login_code;
  ids.alert = await reportAlert(world, device);
  await endIncidents(world);
  ids.guardian = linkIn(await mailTo(world, 'bob@example.org', /guardian/)).split('/guardian/')[1] ?? '';
  people = {
    guest: await pageOf(browser, world, null),
    unconfirmed: await pageOf(browser, world, await unconfirmedPerson(world)),
    confirmed: await pageOf(browser, world, ann),
  };
});

/** A path below /dashboard, with the heading of its page. */
type Place = [path: () => string, heading: string | RegExp];
const login: Place = [() => '/login', 'Log in'];
const verify: Place = [() => '/verify-email', 'Check your inbox'];
// The router writes its root without a slash.
const homePage: Place = [() => '', /^Good (morning|afternoon|evening), Ann$/];

type Row = [title: string, path: () => string, guest: Place, unconfirmed: Place, confirmed: Place];
const guestsOnly = (title: string, path: string, heading: string): Row => [title, () => path, [() => path, heading], verify, homePage];
const needsLogin = (title: string, path: () => string, heading: string | RegExp, finalPath = path): Row => [
  title,
  path,
  login,
  verify,
  [finalPath, heading],
];
const evenUnconfirmed = (title: string, path: string, heading: string): Row => {
  const ownPlace: Place = [() => path, heading];
  return [title, () => path, login, ownPlace, ownPlace];
};
const open = (title: string, path: () => string, heading: string, finalPath = path): Row => {
  const ownPlace: Place = [finalPath, heading];
  return [title, path, ownPlace, ownPlace, ownPlace];
};

const rows: Row[] = [
  needsLogin('[2.2] the dashboard', () => '', homePage[1]),
  guestsOnly('[2.3] the login', '/login', 'Log in'),
  guestsOnly('registering', '/register', 'Leave a light on for someone'),
  guestsOnly('registering with a promo', '/register/SPRING', 'Leave a light on for someone'),
  guestsOnly('registering with a code', '/register/c/ABC', 'We do not know this sign-up code'),
  guestsOnly('[2.6] a forgotten password', '/forgot-password', 'Forgot your password?'),
  guestsOnly('[2.7] a new password', '/reset-password/x', 'Choose a new password'),
  open('[2.8] the share link', () => `/share/${ids.code}`, 'Ann wants to protect this computer'),
  ['[2.10] waiting for the mail', () => '/verify-email', login, verify, homePage],
  evenUnconfirmed('the profile', '/profile', 'Profile'),
  evenUnconfirmed('the password', '/profile/password', 'Profile'),
  evenUnconfirmed('the ways to log in', '/profile/log-in', 'Profile'),
  evenUnconfirmed('the Admin PIN', '/profile/admin-pin', 'Profile'),
  evenUnconfirmed('the guardians', '/profile/guardians', 'Profile'),
  evenUnconfirmed('the account’s data', '/profile/account', 'Profile'),
  ['choosing a plan, with one', () => '/subscribe', login, verify, homePage],
  ['back from the payment without one', () => '/stripe/cancel', login, verify, homePage],
  needsLogin('[2.12] adding a device', () => '/add-device', 'Which computer do you want to protect?'),
  needsLogin('the protection profiles', () => '/policies', 'Protection profiles'),
  needsLogin('a new protection profile', () => '/policies/new', 'Make your own profile'),
  needsLogin('[2.13] a device', () => `/devices/${ids.device}`, 'Den PC'),
  needsLogin('[2.13] the alerts of a device', () => `/devices/${ids.device}/detections`, 'Den PC'),
  needsLogin('[2.13] what a device allows', () => `/devices/${ids.device}/allowlist`, 'Den PC'),
  needsLogin('[2.13] removing a device', () => `/devices/${ids.device}/remove-device`, 'Den PC'),
  needsLogin(
    '[2.14] an alert',
    () => `/detection/${ids.alert}`,
    'Den PC',
    () => `/devices/${ids.device}/detections?detectionId=${ids.alert}`,
  ),
  open('[2.15] confirming an address', () => '/confirm-email/x', 'Confirm your email address'),
  open('[2.15] confirming another address', () => '/confirm-email-change/x', 'Confirm your new email address'),
  open('the link that keeps an account', () => '/keep-account/x', 'Keep the account'),
  open('the link that removes a way to log in', () => '/remove-sign-in/x', 'This link no longer works'),
  open(
    '[2.16] the page of a guardian',
    () => `/guardian/${ids.guardian}`,
    'Ann asks you to be a guardian',
    () => `/guardian/${id(ids.guardian)}`,
  ),
  ['[2.19] the dashboard by its name', () => '/dashboard', login, verify, homePage],
  open('[2.21] any other address', () => '/no/such/page', 'Page Not Found. The requested page could not be found.'),
];

const id = (idAndKey: string) => idAndKey.split('/')[0] ?? '';

for (const [title, path, guest, unconfirmed, confirmed] of rows) {
  test(`${title}: where the address leads a guest, an unconfirmed and a confirmed account`, async () => {
    for (const [page, [finalPath, heading]] of [
      [people.guest, guest],
      [people.unconfirmed, unconfirmed],
      [people.confirmed, confirmed],
    ] as const) {
      await page.goto(`${world.dashboardUrl}${path()}`);
      await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
      await expect(page).toHaveURL(`${world.dashboardUrl}${finalPath()}`);
    }
  });
}

test('[4.1] a stored token means a login, and without one the visitor is a guest', async ({ browser }) => {
  const page = await pageOf(browser, world, null);
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await page.evaluate((token) => localStorage.setItem('porchlight_token', token), ann.token);
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { level: 1, name: homePage[1] })).toBeVisible();
  await page.evaluate(() => localStorage.removeItem('porchlight_token'));
  await page.goto(world.dashboardUrl);
  await expect(page).toHaveURL(`${world.dashboardUrl}/login`);
});

test('[2.8] the copied link of the dashboard is the address of the share page', async ({ browser }) => {
  const page = await pageOf(browser, world, ann, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(world.dashboardUrl);
  await page.getByRole('button', { name: 'Copy Share Link' }).click();
  await expect(page.getByText('Copied!')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${world.dashboardUrl}/share/${ids.code}`);
});

test('[2.1] [9.13] every page is under /dashboard, every call under /api, and the local agent is called at port 23407', async ({
  browser,
  request,
}) => {
  expect((await request.get(world.url, { maxRedirects: 0 })).headers().location).toBe('/dashboard');
  for (const path of ['/login', '/register', '/profile', `/share/${ids.code}`]) {
    expect([path, (await request.get(`${world.url}${path}`)).status()]).toEqual([path, 404]);
    expect([path, (await request.get(`${world.dashboardUrl}${path}`)).status()]).toEqual([path, 200]);
  }
  const page = await pageOf(browser, world, ann);
  const requestedUrls: URL[] = [];
  page.on('request', (it) => requestedUrls.push(new URL(it.url())));
  await page.route('http://127.0.0.1:23407/**', (route) => route.abort());
  await page.goto(world.dashboardUrl);
  await page.getByRole('link', { name: 'Profile', exact: true }).first().click();
  await expect(page.getByLabel('Phone number')).toBeVisible();
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  const agentRequest = page.waitForRequest('http://127.0.0.1:23407/.well-known/');
  await page.getByRole('link', { name: 'Add Device' }).click();
  await page.getByRole('button', { name: 'This device' }).click();
  await page.getByLabel('Device name').fill('Third PC');
  await page.getByRole('button', { name: 'Continue' }).click();
  await agentRequest;
  const ownPaths = requestedUrls.filter(({ origin }) => origin === world.url).map(({ pathname }) => pathname);
  expect(ownPaths.filter((path) => path.startsWith('/api/')).length).toBeGreaterThan(5);
  expect(ownPaths.filter((path) => !/^\/(dashboard|api)(\/|$)/.test(path))).toEqual([]);
  expect(requestedUrls.filter(({ origin }) => ![world.url, 'http://127.0.0.1:23407', 'null'].includes(origin)).map(String)).toEqual([]);
  const features = await page.evaluate(() => JSON.parse(document.getElementById('config')?.textContent ?? '').features);
  expect(features.phone_verification).toBe(true);
});

test('[6.5] another account cannot see any data of an account', async ({ browser }) => {
  const eve = await registeredPerson(world, 'Eve Example');
  const page = await pageOf(browser, world, eve);
  for (const path of [`/devices/${ids.device}`, `/devices/${ids.device}/remove-device`, `/detection/${ids.alert}`]) {
    await page.goto(`${world.dashboardUrl}${path}`);
    await expect(page.getByRole('heading', { name: 'Your devices (0 of 5)' })).toBeVisible();
    await expect(page).toHaveURL(world.dashboardUrl);
  }
  await page.goto(`${world.dashboardUrl}/profile`);
  await expect(page.getByLabel('Email')).toHaveValue(eve.email);
  await page.goto(`${world.dashboardUrl}/profile/guardians`);
  await expect(page.getByText("You don't currently have any guardians.")).toBeVisible();
  const pin = async (targetPage: Page) => {
    await targetPage.goto(`${world.dashboardUrl}/profile/admin-pin`);
    const box = targetPage.locator('.code');
    await expect(box).toHaveText(/^\d{6}$/);
    return box.textContent();
  };
  expect(await pin(page)).not.toBe(await pin(people.confirmed));
  await people.confirmed.goto(`${world.dashboardUrl}/profile/guardians`);
  await expect(people.confirmed.getByText('bob@example.org')).toBeVisible();
});
