import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { inviteGuardian } from './lib/guardians.ts';
import { endIncidents } from './lib/incidents.ts';
import { userAgents } from './lib/installers.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { answerPermission, pushTitles, subscribedBrowsers } from './lib/push.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
withWorld((startedWorld) => {
  world = startedWorld;
});
let before: number;
test.beforeEach(async () => {
  ann = await registeredPerson(world);
  before = await subscribedBrowsers(world);
});
const newlySubscribed = async () => (await subscribedBrowsers(world)) - before;

async function acceptedGuardian(page: Page, name = 'Bob', email = `${randomUUID()}@example.org`): Promise<string> {
  await inviteGuardian(page, world, ann, name, email);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

const offer = (page: Page) => page.getByRole('region', { name: /^Get alerts on this (computer|phone|tablet)$/ });
const turnOn = (page: Page) => page.getByRole('button', { name: 'Turn alerts on' });
const turnOff = (page: Page) => page.getByRole('button', { name: 'Turn alerts off' });
const scopes = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => new URL(scope).pathname));
const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('porchlight_push:')));

test('[P11.6] a guardian is offered alerts right after accepting, gets the next alert as a notification, and none after turning them off', async ({
  page,
}) => {
  const device = await linkedDevice(world, ann);
  await answerPermission(page, 'granted');
  const id = await acceptedGuardian(page);
  await expect(offer(page)).toContainText('A notification makes a sound even when you do not read mail.');
  await checkScreen(page);
  await offer(page).getByRole('button', { name: 'Turn alerts on' }).click();
  await expect(page.getByText(/^Alerts are on\./)).toBeVisible();
  await checkScreen(page);
  expect(await scopes(page)).toEqual([`/dashboard/guardian/${id}`]);
  await expect(turnOff(page)).toBeVisible();
  await reportAlert(world, device);
  await expect.poll(async () => (await pushTitles(world)).length, { timeout: 15_000 }).toBe(1);
  expect((await pushTitles(world))[0]).toContain('AnyDesk');
  await endIncidents(world);

  await page.reload();
  await expect(offer(page)).toHaveCount(0);
  // Below the alert the settings are collapsed.
  await page.getByRole('heading', { name: 'Your settings' }).click();
  await turnOff(page).click();
  await expect(page.getByText(/^Alerts are off on this/)).toBeVisible();
  await expect(turnOn(page)).toBeVisible();
  await expect.poll(() => scopes(page)).toEqual([]);
  expect(await newlySubscribed()).toBe(0);
});

test('the offer stays through reloads until it is declined, and then only the settings have it', async ({ page }) => {
  await answerPermission(page, 'granted');
  await acceptedGuardian(page);
  await page.reload();
  await expect(offer(page)).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(offer(page)).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
  await page.reload();
  await expect(turnOn(page)).toHaveCount(1);
  await expect(offer(page)).toHaveCount(0);
});

test('a question of the browser that is closed leaves alerts off and says what to press; a refused one says where to allow them', async ({
  page,
}) => {
  await answerPermission(page, 'default');
  await acceptedGuardian(page);
  await offer(page).getByRole('button', { name: 'Turn alerts on' }).click();
  await expect(page.getByRole('alert')).toHaveText('Alerts are still off. Press the button again, then press Allow.');
  await answerPermission(page, 'denied');
  await page.reload();
  await offer(page).getByRole('button', { name: 'Turn alerts on' }).click();
  await expect(offer(page)).toContainText('Your browser blocks alerts from');
  await expect(offer(page).getByRole('button')).toHaveText(['Close']);
  await checkScreen(page);
  expect(await newlySubscribed()).toBe(0);
});

test('an iPhone outside of its home screen gets three steps, and a browser without Web Push nothing', async ({ browser }) => {
  const withoutPush = () => {
    for (const name of ['PushManager', 'Notification']) Reflect.deleteProperty(window, name);
  };
  const iPhone = await browser.newContext({ userAgent: userAgents.iOS, viewport: { width: 390, height: 844 } });
  await iPhone.addInitScript(withoutPush);
  const page = await iPhone.newPage();
  await acceptedGuardian(page);
  await expect(offer(page).getByRole('listitem')).toHaveCount(3);
  await expect(offer(page)).toContainText('Add to Home Screen');
  await checkScreen(page);
  const other = await browser.newContext();
  await other.addInitScript(withoutPush);
  const otherPage = await other.newPage();
  await acceptedGuardian(otherPage, 'Carol');
  await expect(otherPage.getByRole('button', { name: 'Stop being a guardian' })).toBeVisible();
  await expect(otherPage.getByText(/alerts on this/i)).toHaveCount(0);
});

test('[P11.6] a guardian of two people leaves one of them: only the alerts about that one end in this browser', async ({ page }) => {
  await answerPermission(page, 'granted');
  const first = await acceptedGuardian(page);
  await offer(page).getByRole('button', { name: 'Turn alerts on' }).click();
  await expect(page.getByText(/^Alerts are on\./)).toBeVisible();
  ann = await registeredPerson(world);
  const second = await acceptedGuardian(page);
  await offer(page).getByRole('button', { name: 'Turn alerts on' }).click();
  await expect(page.getByText(/^Alerts are on\./)).toBeVisible();
  expect((await scopes(page)).sort()).toEqual([first, second].map((id) => `/dashboard/guardian/${id}`).sort());
  await page.getByRole('button', { name: 'Stop being a guardian' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop being a guardian' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are no longer a guardian');
  await expect.poll(() => scopes(page)).toEqual([`/dashboard/guardian/${first}`]);
  expect(await storedKeys(page)).toEqual([`porchlight_push:/dashboard/guardian/${first}`]);
  await expect.poll(newlySubscribed).toBe(1);
});

test('[P11.6] the holder turns alerts on in their settings, and a log-out ends them in this browser and no other', async ({ browser }) => {
  const { web_token } = await call(world.url, 'POST /login/web', { body: { email: ann.email, password: ann.password } });
  const pages = await Promise.all([ann, { ...ann, token: web_token }].map((person) => pageOf(browser, world, person)));
  for (const page of pages) {
    await answerPermission(page, 'granted');
    await page.goto(`${world.dashboardUrl}/profile/alerts`);
    await turnOn(page).click();
    await expect(page.getByText(/^Alerts are on\./)).toBeVisible();
  }
  const [page, otherPage] = pages as [Page, Page];
  await checkScreen(page);
  expect(await newlySubscribed()).toBe(2);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/login`);
  await expect.poll(newlySubscribed).toBe(1);
  await expect.poll(() => scopes(page)).toEqual([]);
  expect(await storedKeys(page)).toEqual([]);
  expect(await scopes(otherPage)).toEqual(['/dashboard/']);
});

test('the subscription is sent again a day later, once, and not at each visit', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await answerPermission(page, 'granted');
  await page.goto(`${world.dashboardUrl}/profile/alerts`);
  await turnOn(page).click();
  await expect(page.getByText(/^Alerts are on\./)).toBeVisible();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/web/push')) sent.push(request.url());
  });
  const visit = async () => {
    await page.goto(world.dashboardUrl);
    await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
    await page.waitForLoadState('networkidle');
  };
  await visit();
  expect(sent).toEqual([]);
  await page.evaluate(() => {
    const key = 'porchlight_push:/dashboard/';
    const record = JSON.parse(localStorage.getItem(key) ?? '{}');
    localStorage.setItem(key, JSON.stringify({ ...record, sent: record.sent - 25 * 3_600_000 }));
  });
  await visit();
  await expect.poll(() => sent.length).toBe(1);
  await visit();
  expect(sent).toHaveLength(1);
  expect(await newlySubscribed()).toBe(1);
});
