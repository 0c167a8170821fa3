import { expect, type Page } from '@playwright/test';
import { linkedDevice, type Person, registeredPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The first sentence when the server is not reached: what is old is told as old, and what never came is told as missing. */

let world: World;
let ann: Person;
withWorld((its) => {
  world = its;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
  await linkedDevice(world, ann, 'Den PC');
});

const state = (page: Page) => page.getByRole('region', { name: 'Is everyone safe?' });
const told = (page: Page) => state(page).getByText(/^We cannot reach Porchlight\. This is how it was (at|\w+day) \d{1,2}:\d\d [AP]M\.$/);
const lit = (page: Page) => state(page).locator('[fill="var(--lamp)"]');
const detections = '**/api/web/detections?*';

async function home(page: Page): Promise<void> {
  await page.clock.install({ time: new Date() });
  await page.goto(world.dashboardUrl);
  await expect(state(page).getByRole('heading')).toHaveText('Everyone is protected');
  await expect(state(page)).toContainText('Den PC is on and protected.');
}

test('[7.42] when the server is not reached any more, the sentence is that of the last answer and says of when it is', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, ann);
  await home(page);
  await page.route('**/api/web/**', (route) => route.abort());
  await page.clock.runFor(5000);
  await expect(told(page)).toHaveCount(0);
  await expect(lit(page)).toHaveCount(1);
  await page.clock.runFor(15_000);
  await expect(told(page)).toBeVisible();
  await expect(lit(page)).toHaveCount(0);
  await expect(state(page).getByRole('heading')).toHaveText('Everyone was protected');
  await expect(state(page)).not.toContainText('is on');
  await checkScreen(page);
  // The viewer's own connection fails for a day, which says nothing about the computer.
  await page.clock.fastForward('25:00:00');
  await expect(told(page)).toBeVisible();
  await expect(state(page)).toContainText(/This is how it was \w+day/);
  await expect(page.getByText('Protected', { exact: true })).toBeVisible();
  await expect(state(page).getByRole('heading')).toHaveText('Everyone was protected');
  await page.unroute('**/api/web/**');
  await page.clock.runFor(70_000);
  await expect(told(page)).toHaveCount(0);
});

test('[7.42] a page that was not looked at for a day says nothing of the kind while it asks again', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await home(page);
  const show = (visibility: 'hidden' | 'visible') =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    }, visibility);
  await show('hidden');
  await page.clock.fastForward('25:00:00');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/web/**', async (route) => {
    await held;
    await route.fallback();
  });
  const asked = page.waitForRequest(detections);
  await show('visible');
  await asked;
  await expect(told(page)).toHaveCount(0);
  await expect(state(page).getByRole('heading')).toHaveText('Everyone is protected');
  await expect(state(page)).toContainText('Den PC is on and protected.');
  release();
});

test('[8.7] [4.22] alerts that cannot be loaded are told in place of the sentence, and trying again brings it', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await page.route(detections, (route) => route.fulfill({ status: 403, json: { error: 'Not for you.', code: 'not_yours' } }));
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText('Not for you.');
  await expect(page.getByRole('link', { name: 'Manage Den PC' })).toBeVisible();
  await checkScreen(page);
  await page.unroute(detections);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(detections, async (route) => {
    await held;
    await route.fallback();
  });
  // The page asks again by itself, and takes nothing away from under the finger meanwhile.
  await page.waitForRequest(detections);
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
  await expect(page.getByRole('alert')).toHaveCount(1);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  release();
  await expect(state(page).getByRole('heading')).toHaveText('Everyone is protected');
});

test('[8.3] when nothing ever came, the panel says so, calms nobody and offers to try again', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await page.route('**/api/web/{devices,detections}*', (route) => route.abort());
  await page.goto(world.dashboardUrl);
  await expect(state(page).getByRole('heading')).toHaveText('We can’t reach Porchlight right now', { timeout: 20_000 });
  await expect(state(page)).toContainText("Check that you're online. Computers that are protected stay protected.");
  await expect(state(page)).not.toContainText('Everyone');
  await expect(lit(page)).toHaveCount(0);
  await expect(page).toHaveTitle(/^We can’t reach Porchlight · /);
  await page.unroute('**/api/web/{devices,detections}*');
  await state(page).getByRole('button', { name: 'Try again' }).click();
  await expect(state(page).getByRole('heading')).toHaveText('Everyone is protected');
});

test('[8.3] without a network the screens say that the connection failed, and go on when it is back', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await page.goto(`${world.dashboardUrl}/profile`);
  await expect(page.getByLabel('Email')).toHaveValue(ann.email);
  // The browser knows that it has no network.
  await page.context().setOffline(true);
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await page.getByRole('navigation', { name: 'Profile pages' }).getByRole('link', { name: 'Admin PIN' }).click();
  await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText('Failed to connect to API.', { timeout: 15_000 });
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('main').locator('.code')).toHaveText(/^\d{6}$/);
});

test('[8.3] a dashboard that reaches no server has a heading, the error and what helps, and comes back with it', async ({ browser }) => {
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
  // A refusal by the server does not mean being offline.
  await page.route('**/api/web/profile', (route) => route.fulfill({ status: 500, json: { error: 'Not now.', code: 'internal' } }));
  await page.reload();
  await expect(alert.getByRole('paragraph')).toHaveText('Not now.');
  await expect(alert.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
});

test('an error of the server stands on the dashboard once', async ({ browser }) => {
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
