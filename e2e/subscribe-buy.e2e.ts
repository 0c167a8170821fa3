import { expect, type Page } from '@playwright/test';
import { brand } from '@porchlight/contract/brand.ts';
import { call } from '@porchlight/dev/call.ts';
import { confirmedPerson, givePlan, type Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { addDevice, registerWithoutPlan } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { goBack, holdEvents, interval, openSubscribe, order, pay, plan, start } from './lib/subscribe.ts';
import { test } from './lib/test.ts';

/** From a plan to a device, by way of the payment, and the ways back. */

let world: World;
withWorld((its) => {
  world = its;
});

const greeting = (page: Page) => page.getByRole('heading', { level: 1, name: /^Good / });
const machine = (page: Page) => page.getByRole('heading', { level: 1, name: 'Which computer do you want to protect?' });
const mine = (page: Page) => page.getByRole('region', { name: 'Your plan' });
const planOf = ({ token }: Person) => call(world.url, 'GET /web/profile/sub', { token });
/** Pressed twice in one go: the second press comes before anything on the page can change. */
const pressTwice = (page: Page) =>
  page.evaluate(() => {
    const button = document.querySelector<HTMLButtonElement>('button[type="submit"]');
    button?.click();
    button?.click();
  });
/** Asked of the page itself: who looks from outside waits for the page that is on its way. */
const canStart = (page: Page) => page.evaluate(() => !document.querySelector<HTMLButtonElement>('button[type="submit"]')?.disabled);
/** The orders that were sent. */
function orders(page: Page): unknown[] {
  const sent: unknown[] = [];
  page.on('request', (request) => request.url().endsWith('/api/web/profile/sub/order') && sent.push(request.postDataJSON()));
  return sent;
}

test('[1.1] [1.6] [2.17] [4.21] someone registers, begins the trial at the payment service, and adds a device', async ({ page }) => {
  await registerWithoutPlan(page, world, 'Ann Example', 'ann@example.org');
  await expect(page).toHaveURL(`${world.dashboardUrl}/subscribe`);
  await interval(page, 'Monthly').check();
  await order(page, 'Individual');
  // A page of the payment service, which says what it is.
  await expect(page.getByText('Nothing is charged', { exact: false }).first()).toBeVisible();
  await pay(page).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/add-device?step=machine`);
  await expect(machine(page)).toBeVisible();
  await page.goto(world.dashboardUrl);
  await expect(mine(page)).toContainText('Individual, monthly');
  await expect(mine(page)).toContainText('Protects 1 device');
  await expect(mine(page)).toContainText(/Your free trial ends on \d\d\/\d\d\/\d{4}\./);
  await addDevice(page, 'Another device', 'Mum’s laptop');
  await page.getByRole('link', { name: 'Continue to dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'Your devices (1 of 1)' })).toBeVisible();
});

test('[2.18] whoever goes back without paying comes to the dashboard, and so to Subscribe; nothing was bought', async ({ browser }) => {
  const ann = await confirmedPerson(world);
  const page = await pageOf(browser, world, ann);
  await openSubscribe(page, world);
  await order(page, 'Friends & Family');
  await goBack(page).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/subscribe`);
  await expect(start(page)).toBeDisabled();
  expect((await planOf(ann)).subscribed).toBe(false);
  // With a plan it is the dashboard itself.
  await givePlan(world, ann.token);
  await page.goto(`${world.dashboardUrl}/stripe/cancel`);
  await expect(greeting(page)).toBeVisible();
  await expect(page).toHaveURL(world.dashboardUrl);
});

test('two presses are one order, there is no third while the payment page is on its way, and one that never comes is no dead end', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, await confirmedPerson(world));
  const sent = orders(page);
  // It answers with nothing, so the browser stays where it is.
  await page.route('**/dev/payments/checkout/**', (route) => route.fulfill({ status: 204 }));
  await openSubscribe(page, world);
  await plan(page, 'Friends & Family').check();
  const leaving = page.waitForRequest(/\/dev\/payments\/checkout\//);
  await pressTwice(page);
  await leaving;
  expect(await canStart(page)).toBe(false);
  await pressTwice(page);
  await page.evaluate(() => fetch('/readyz').then(() => undefined));
  expect(sent).toHaveLength(1);
  await expect.poll(() => canStart(page), { timeout: 15_000 }).toBe(true);
});

test('the back button of the browser leads to a button that works, also where the page is shown as it was left', async ({ browser }) => {
  const page = await pageOf(browser, world, await confirmedPerson(world));
  await openSubscribe(page, world);
  await order(page, 'Friends & Family');
  await page.goBack();
  await plan(page, 'Friends & Family').check();
  await expect(start(page)).toBeEnabled();

  // The address answers with nothing, so the page stays; then it is as if it had come back.
  await page.route('**/dev/payments/checkout/**', (route) => route.fulfill({ status: 204 }));
  const asked = page.waitForRequest(/\/dev\/payments\/checkout\//);
  await pressTwice(page);
  await asked;
  expect(await canStart(page)).toBe(false);
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect.poll(() => canStart(page)).toBe(true);
});

test('an order that is refused says why in the alert area, which has the focus; what was chosen stays', async ({ browser }) => {
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
  // Bought in another tab meanwhile: nobody pays twice.
  await givePlan(world, ann.token);
  await start(page).click();
  await expect(page.getByRole('alert')).toHaveText('You already have a subscription, so nothing was ordered. Change it with Manage Plan.');
  await page.reload();
  await expect(greeting(page)).toBeVisible();
});

test('the payment is waited for under its own title, on a page that a reload does not harm', async ({ browser }) => {
  const ann = await confirmedPerson(world);
  const page = await pageOf(browser, world, ann);
  await givePlan(world, ann.token);
  await page.goto(`${world.dashboardUrl}/stripe/success`);
  await expect(page).toHaveTitle(`Please wait · ${brand.name}`);
  await expect(machine(page)).toBeVisible();
  // Back does not lead to where it is waited again.
  await page.goto(`${world.dashboardUrl}/profile`);
  await page.goBack();
  await expect(machine(page)).toBeVisible();
});

test('[4.21] with every event of the payment service lost, whoever has paid comes to add-device all the same', async ({ browser }) => {
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
