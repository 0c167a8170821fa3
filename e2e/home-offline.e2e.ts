import { expect, type Page, type Route } from '@playwright/test';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
  await linkedDevice(world, ann, 'Den PC');
});

const state = (page: Page) => page.getByRole('region', { name: 'Is everyone safe?' });
const staleNote = (page: Page) =>
  state(page).getByText(/^We cannot reach Porchlight\. This is how it was (?:\w+day )?at \d{1,2}:\d\d [AP]M\.$/);
const lamp = (page: Page) => state(page).locator('[fill="var(--lamp)"]');
const detections = '**/api/web/detections?*';

async function openHome(page: Page): Promise<void> {
  await page.clock.install({ time: new Date() });
  await page.goto(world.dashboardUrl);
  await expect(state(page).getByRole('heading')).toHaveText('Everyone is protected');
  await expect(state(page)).toContainText('Den PC is on and protected.');
}

test('[7.42] when the server becomes unreachable, the sentence of the last answer stays, with its age', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await openHome(page);
  await page.route('**/api/web/**', (route) => route.abort());
  await page.clock.runFor(5000);
  await expect(staleNote(page)).toHaveCount(0);
  await expect(lamp(page)).toHaveCount(1);
  await page.clock.runFor(15_000);
  await expect(staleNote(page)).toBeVisible();
  await expect(lamp(page)).toHaveCount(0);
  await expect(state(page).getByRole('heading')).toHaveText('Everyone was protected');
  await expect(state(page)).not.toContainText('is on');
  await checkScreen(page);
  // A day without a connection of the viewer says nothing about the computer.
  await page.clock.fastForward('25:00:00');
  await expect(staleNote(page)).toBeVisible();
  await expect(state(page)).toContainText(/This is how it was \w+day/);
  await expect(page.getByText('Protected', { exact: true })).toBeVisible();
  await expect(state(page).getByRole('heading')).toHaveText('Everyone was protected');
  await page.unroute('**/api/web/**');
  await page.clock.runFor(70_000);
  await expect(staleNote(page)).toHaveCount(0);
});

test('[7.42] a page that was hidden for a day does not call its data old while it reloads', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await openHome(page);
  const show = (visibility: 'hidden' | 'visible') =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    }, visibility);
  await show('hidden');
  await page.clock.fastForward('25:00:00');
  let release = () => {};
  const releasePromise = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/web/**', async (route) => {
    await releasePromise;
    await route.fallback();
  });
  const requestPromise = page.waitForRequest(detections);
  await show('visible');
  await requestPromise;
  await expect(staleNote(page)).toHaveCount(0);
  await expect(state(page).getByRole('heading')).toHaveText('Everyone is protected');
  await expect(state(page)).toContainText('Den PC is on and protected.');
  release();
});

test('[8.7] [4.22] alerts that cannot be loaded replace the sentence with an error, and Try again restores it', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  const refuse = (route: Route) => route.fulfill({ status: 403, json: { error: 'Not for you.', code: 'not_yours' } });
  await page.route(detections, refuse);
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText('Not for you.');
  await expect(page.getByRole('link', { name: 'Manage Den PC' })).toBeVisible();
  await checkScreen(page);
  let release = () => {};
  const releasePromise = new Promise<void>((resolve) => {
    release = resolve;
  });
  // No poll in between may be answered: the next request waits here, and only then the refusal ends.
  let onRequest = () => {};
  const requestPromise = new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  await page.route(detections, async (route) => {
    onRequest();
    await releasePromise;
    await route.fallback();
  });
  await requestPromise;
  await page.unroute(detections, refuse);
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
  await expect(page.getByRole('alert')).toHaveCount(1);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  release();
  await expect(state(page).getByRole('heading')).toHaveText('Everyone is protected');
});

test('[8.3] if nothing was ever loaded, the panel says so, calls nobody protected and offers to try again', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await page.route('**/api/web/{devices,detections}*', (route) => route.abort());
  await page.goto(world.dashboardUrl);
  await expect(state(page).getByRole('heading')).toHaveText('We can’t reach Porchlight right now', { timeout: 20_000 });
  await expect(state(page)).toContainText("Check that you're online. Computers that are protected stay protected.");
  await expect(state(page)).not.toContainText('Everyone');
  await expect(lamp(page)).toHaveCount(0);
  await expect(page).toHaveTitle(/^We can’t reach Porchlight · /);
  await page.unroute('**/api/web/{devices,detections}*');
  await state(page).getByRole('button', { name: 'Try again' }).click();
  await expect(state(page).getByRole('heading')).toHaveText('Everyone is protected');
});

test('[8.3] without a network the screens show a failed connection, and continue when it is back', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await page.goto(`${world.dashboardUrl}/profile`);
  await expect(page.getByLabel('Email')).toHaveValue(ann.email);
  await page.context().setOffline(true);
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await page.getByRole('navigation', { name: 'Profile pages' }).getByRole('link', { name: 'Admin PIN' }).click();
  await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText('Failed to connect to API.', { timeout: 15_000 });
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('main').locator('.code')).toHaveText(/^\d{6}$/);
});

test('[8.3] a dashboard that cannot reach the server has a heading, the error and advice, and recovers with the server', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, ann);
  await page.route('**/api/**', (route) => route.abort());
  await page.goto(world.dashboardUrl);
  const alert = page.getByRole('alert');
  await expect(alert.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await expect(alert.getByRole('paragraph')).toHaveText([
    'Failed to connect to API.',
    "Check that you're online. Computers that are protected stay protected.",
  ]);
  await checkScreen(page);
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(state(page).getByRole('heading')).toHaveText('Everyone is protected');
  await page.route('**/api/web/profile', (route) => route.fulfill({ status: 500, json: { error: 'Not now.', code: 'internal' } }));
  await page.reload();
  await expect(alert.getByRole('paragraph')).toHaveText('Not now.');
  await expect(alert.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
});

test('a server error appears only once on the dashboard', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await page.route('**/api/web/devices', (route) => route.fulfill({ status: 500, json: { error: 'Not now.', code: 'internal' } }));
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('alert')).toHaveCount(1);
  await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText('Not now.');
  await expect(page.getByRole('heading', { name: 'Your devices' })).toBeVisible();
  await page.unroute('**/api/web/devices');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('link', { name: 'Manage Den PC' })).toBeVisible();
});
