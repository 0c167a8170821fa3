import { expect, type Page } from '@playwright/test';
import { brand } from '@porchlight/contract/brand.ts';
import { call } from '@porchlight/dev/call.ts';
import { givePlan, type Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { confirmedPerson } from './lib/people.ts';
import { addDevice, registerWithoutPlan } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { goBack, holdEvents, interval, openSubscribe, order, pay, plan, start } from './lib/subscribe.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const greeting = (page: Page) => page.getByRole('heading', { level: 1, name: /^Good / });
const machine = (page: Page) => page.getByRole('heading', { level: 1, name: 'Which computer do you want to protect?' });
const ownPlan = (page: Page) => page.getByRole('region', { name: 'Your plan' });
const planOf = ({ token }: Person) => call(world.url, 'GET /web/profile/sub', { token });
const pressTwice = (page: Page) =>
  page.evaluate(() => {
    const button = document.querySelector<HTMLButtonElement>('button[type="submit"]');
    button?.click();
    button?.click();
  });
/** Evaluated in the page, because Playwright's own checks wait for the navigation. */
const canStart = (page: Page) => page.evaluate(() => !document.querySelector<HTMLButtonElement>('button[type="submit"]')?.disabled);
function orders(page: Page): unknown[] {
  const sentBodies: unknown[] = [];
  page.on('request', (request) => request.url().endsWith('/api/web/profile/sub/order') && sentBodies.push(request.postDataJSON()));
  return sentBodies;
}

test('[1.1] [1.6] [2.17] [4.21] a user registers, begins the trial at the payment service, and adds a device', async ({ page }) => {
  await registerWithoutPlan(page, world, 'Ann Example', 'ann@example.org');
  await expect(page).toHaveURL(`${world.dashboardUrl}/subscribe`);
  await interval(page, 'Monthly').check();
  await order(page, 'Individual');
  await expect(page.getByText('Nothing is charged', { exact: false }).first()).toBeVisible();
  await pay(page).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/add-device?step=machine`);
  await expect(machine(page)).toBeVisible();
  await page.goto(world.dashboardUrl);
  await expect(ownPlan(page)).toContainText('Individual, monthly');
  await expect(ownPlan(page)).toContainText('Protects 1 device');
  await expect(ownPlan(page)).toContainText(/Your free trial ends on \d\d\/\d\d\/\d{4}\./);
  await addDevice(page, 'Another device', 'Mum’s laptop');
  await page.getByRole('link', { name: 'Continue to dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'Your devices (1 of 1)' })).toBeVisible();
});

test('[2.18] going back from the checkout without paying leads to the dashboard, and so to Subscribe, and buys nothing', async ({
  browser,
}) => {
  const ann = await confirmedPerson(world);
  const page = await pageOf(browser, world, ann);
  await openSubscribe(page, world);
  await order(page, 'Friends & Family');
  await goBack(page).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/subscribe`);
  await expect(start(page)).toBeDisabled();
  expect((await planOf(ann)).subscribed).toBe(false);
  await givePlan(world, ann.token);
  await page.goto(`${world.dashboardUrl}/stripe/cancel`);
  await expect(greeting(page)).toBeVisible();
  await expect(page).toHaveURL(world.dashboardUrl);
});

test('a double press makes one order, the button stays disabled while the payment page loads, and is enabled again if that page never loads', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, await confirmedPerson(world));
  const sentBodies = orders(page);
  // A 204 keeps the browser on the page.
  await page.route('**/dev/payments/checkout/**', (route) => route.fulfill({ status: 204 }));
  await openSubscribe(page, world);
  await plan(page, 'Friends & Family').check();
  const leaving = page.waitForRequest(/\/dev\/payments\/checkout\//);
  await pressTwice(page);
  await leaving;
  expect(await canStart(page)).toBe(false);
  await pressTwice(page);
  await page.evaluate(() => fetch('/readyz').then(() => undefined));
  expect(sentBodies).toHaveLength(1);
  await expect.poll(() => canStart(page), { timeout: 15_000 }).toBe(true);
});

test('the browser’s Back leads to an enabled button, also when the page is restored from the cache', async ({ browser }) => {
  const page = await pageOf(browser, world, await confirmedPerson(world));
  await openSubscribe(page, world);
  await order(page, 'Friends & Family');
  await page.goBack();
  await plan(page, 'Friends & Family').check();
  await expect(start(page)).toBeEnabled();

  await page.route('**/dev/payments/checkout/**', (route) => route.fulfill({ status: 204 }));
  const requestPromise = page.waitForRequest(/\/dev\/payments\/checkout\//);
  await pressTwice(page);
  await requestPromise;
  expect(await canStart(page)).toBe(false);
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect.poll(() => canStart(page)).toBe(true);
});

test('a refused order shows the reason in the focused alert area, and the choice stays', async ({ browser }) => {
  const ann = await confirmedPerson(world);
  const page = await pageOf(browser, world, ann);
  await openSubscribe(page, world);
  await plan(page, 'Individual').check();
  await page.route('**/api/web/profile/sub/order', (route) => route.abort(), { times: 1 });
  await start(page).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to connect to API.');
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(plan(page, 'Individual')).toBeChecked();
  await expect(start(page)).toBeEnabled();
  // The user buys in another tab meanwhile: nobody pays twice.
  await givePlan(world, ann.token);
  await start(page).click();
  await expect(page.getByRole('alert')).toHaveText('You already have a subscription, so nothing was ordered. Change it with Manage Plan.');
  await page.reload();
  await expect(greeting(page)).toBeVisible();
});

test('the page that waits for the payment has its own title, and survives a reload', async ({ browser }) => {
  const ann = await confirmedPerson(world);
  const page = await pageOf(browser, world, ann);
  await givePlan(world, ann.token);
  // The page leaves after the first answer, so the answer waits until the title was read.
  let release = () => {};
  const releasePromise = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/web/profile/sub', async (route) => {
    await releasePromise;
    await route.fallback();
  });
  await page.goto(`${world.dashboardUrl}/stripe/success`);
  await expect(page).toHaveTitle(`Please wait · ${brand.name}`);
  release();
  await expect(machine(page)).toBeVisible();
  await page.goto(`${world.dashboardUrl}/profile`);
  await page.goBack();
  await expect(machine(page)).toBeVisible();
});

test('[4.21] a user who has paid reaches add-device even if every event of the payment service is lost', async ({ browser }) => {
  const ann = await confirmedPerson(world);
  const page = await pageOf(browser, world, ann);
  await holdEvents(world, true);
  try {
    await openSubscribe(page, world);
    await order(page, 'Friends & Family');
    await pay(page).click();
    await expect(page).toHaveURL(`${world.dashboardUrl}/add-device?step=machine`);
    await expect(machine(page)).toBeVisible();
  } finally {
    await holdEvents(world, false);
  }
});
