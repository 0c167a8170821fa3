import { expect, type Page, type Route } from '@playwright/test';
import { confirmedPerson, givePlan, type Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { withWorld } from './lib/setup.ts';
import { grant, start } from './lib/subscribe.ts';
import { test } from './lib/test.ts';

/** Back from the payment: how it is waited for, and what comes after. */

let world: World;
withWorld((its) => {
  world = its;
});

const at = (path: string) => `${world.dashboardUrl}${path}`;
const waiting = (page: Page) => page.getByRole('heading', { level: 1, name: 'Please wait...', exact: true });
const late = (page: Page) => page.getByText('Your payment is being looked at', { exact: true });
const internal = "Failed to update the user's subscription. There might be an error processing Stripe webhooks.";

/** The waits of 4.20, worked out anew. */
const waits: number[] = [];
for (let wait = 300; wait <= 30_000; wait *= 1.5) waits.push(wait);

/** What the page asks the plan for, from now on; without an answer of its own it gets the server's. */
interface Asked {
  count: number;
  answer: ((route: Route) => Promise<void>) | null;
}

/** On the success page with a clock that stands still; the page has asked for nothing. */
async function backFromPayment(page: Page, answer: Asked['answer']): Promise<Asked> {
  const asked: Asked = { count: 0, answer };
  await page.route('**/api/web/profile/sub', async (route) => {
    asked.count += 1;
    await (asked.answer?.(route) ?? route.fallback());
  });
  await page.clock.install();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await page.goto(at('/stripe/success'));
  // A page that is loaded in pieces needs some time too; it gets no more than that.
  for (let tries = 0; !(await waiting(page).isVisible()); tries++) {
    expect(tries, 'the page that waits').toBeLessThan(200);
    await page.clock.runFor(step);
    await settled(page);
  }
  return asked;
}

/** What was on its way to or from the page has come there. */
const settled = (page: Page) => page.evaluate(() => fetch('/readyz').then(() => undefined));
const none = (route: Route) =>
  route.fulfill({
    json: { subscribed: false, device_limit: 0, expires: null, external: false, lifetime: false, register_promo_code: null },
  });

/** Milliseconds. It is known to within two of them when the page began to wait. */
const step = 20;

/** Lets one wait pass: up to its last moment nothing is asked, and then the plan is, once. */
async function pass(page: Page, asked: Asked, wait: number): Promise<void> {
  const before = asked.count;
  await page.clock.runFor(Math.floor(wait) - 2 * step);
  await settled(page);
  expect(asked.count, `just before ${wait} ms`).toBe(before);
  await page.clock.runFor(2 * step + 1);
  await expect.poll(() => asked.count, { message: `just after ${wait} ms` }).toBe(before + 1);
  await settled(page);
}

test('[2.17] [2.133] [4.19] [4.20] [9.7] the plan is asked for after 300 ms, and then each time half as long again later, twelve times', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, await confirmedPerson(world));
  const asked = await backFromPayment(page, none);
  expect(asked.count).toBe(0);
  expect(waits).toHaveLength(12);
  for (const wait of waits.slice(0, -1)) await pass(page, asked, wait);
  await expect(waiting(page)).toBeVisible();
  // The longest wait under 30 s is still waited.
  const [last = 0] = waits.slice(-1);
  expect([last < 30_000, last * 1.5 > 30_000]).toEqual([true, true]);
  await page.clock.runFor(Math.floor(last) - 2 * step);
  await settled(page);
  await expect(waiting(page)).toBeVisible();
  expect(asked.count).toBe(11);
});

test('[4.21] the plan that comes with the last answer in time leads to add-device, which opens at once', async ({ browser }) => {
  const ann = await confirmedPerson(world);
  const page = await pageOf(browser, world, ann);
  const asked = await backFromPayment(page, none);
  for (const wait of waits.slice(0, -1)) await pass(page, asked, wait);
  await givePlan(world, ann.token);
  asked.answer = null;
  await pass(page, asked, waits.at(-1) ?? 0);
  await expect(page).toHaveURL(at('/add-device?step=machine'));
  await page.clock.resume();
  await expect(page.getByRole('heading', { level: 1, name: 'Which computer do you want to protect?' })).toBeVisible();
});

test('[8.14] [4.21] [2.133] without a plan by then the internal error is reported, and the dashboard, or Subscribe in its place, says not to pay again', async ({
  browser,
}) => {
  const ann = await confirmedPerson(world);
  const page = await pageOf(browser, world, ann);
  // What whoever reports errors hears of; that it arrives there is the errors' own test.
  const reported: string[] = [];
  await page.exposeFunction('keepReport', (message: string) => reported.push(message));
  await page.addInitScript(() => {
    const { keepReport } = window as unknown as { keepReport(message: string): void };
    window.addEventListener('porchlight:trouble', (event) => keepReport((event as CustomEvent<Error>).detail.message));
  });
  const asked = await backFromPayment(page, none);
  for (const wait of waits.slice(0, -1)) await pass(page, asked, wait);
  await expect(waiting(page)).toBeVisible();
  expect(reported).toEqual([]);
  await page.clock.runFor(waits.at(-1) ?? 0);
  await page.clock.resume();
  await expect(late(page)).toBeVisible();
  await expect(page).toHaveURL(at('/subscribe'));
  await expect(page.getByText(/Please do not pay again\./)).toBeVisible();
  await expect.poll(() => reported).toEqual([internal]);
  await expect(start(page)).toHaveCount(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await checkScreen(page);
  await checkScreenZoomed(page);

  // Whoever came here without having paid is not kept from it; whoever has goes on without pressing anything.
  await page.getByRole('button', { name: 'I have not paid yet. Show me the plans' }).click();
  await expect(start(page)).toBeVisible();
  await page.reload();
  await expect(late(page)).toBeVisible();
  await givePlan(world, ann.token);
  asked.answer = null;
  await expect(page).toHaveURL(world.dashboardUrl, { timeout: 15_000 });
  await expect(late(page)).toHaveCount(0);
});

test('[4.21] whoever may use the dashboard without the plan is told the same there, until it has come', async ({ browser }) => {
  const ann = await confirmedPerson(world);
  await grant(world, ann, '--devices', '2');
  const page = await pageOf(browser, world, ann);
  const asked = await backFromPayment(page, none);
  for (const wait of waits.slice(0, -1)) await pass(page, asked, wait);
  asked.answer = null;
  await page.clock.runFor(waits.at(-1) ?? 0);
  await page.clock.resume();
  await expect(page.getByRole('heading', { level: 1, name: /^Good / })).toBeVisible();
  await expect(page).toHaveURL(world.dashboardUrl);
  await expect(late(page)).toBeVisible();
  await checkScreen(page);
  await givePlan(world, ann.token);
  await expect(late(page)).toHaveCount(0, { timeout: 20_000 });
});

test('[4.20] one answer that fails is no failure: it is asked again at the usual pace', async ({ browser }) => {
  const ann = await confirmedPerson(world);
  const page = await pageOf(browser, world, ann);
  const asked = await backFromPayment(page, (route) => route.abort());
  const [first = 0, second = 0, third = 0] = waits;
  await pass(page, asked, first);
  asked.answer = (route) => route.fulfill({ status: 500, json: { error: 'x', code: 'internal' } });
  await pass(page, asked, second);
  await expect(waiting(page)).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await givePlan(world, ann.token);
  asked.answer = null;
  await pass(page, asked, third);
  await expect(page).toHaveURL(at('/add-device?step=machine'));
});

test('a login that has expired on the way back is asked for, and then the payment is waited for again', async ({ browser }) => {
  const ann: Person = { ...(await confirmedPerson(world)), token: 'expired' };
  const page = await pageOf(browser, world, ann);
  await page.goto(at('/stripe/success'));
  await expect(page).toHaveURL(at('/login?expired=1'));
});

test('[2.133] the page that waits: its title, axe in light and dark, 320 px and 400 %', async ({ browser }) => {
  const page = await pageOf(browser, world, await confirmedPerson(world));
  await page.route('**/api/web/profile/sub', none);
  await page.goto(at('/stripe/success'));
  await expect(page).toHaveTitle(/^Please wait · /);
  await expect(page.getByRole('status').filter({ has: waiting(page) })).toBeVisible();
  await checkScreen(page);
  await checkScreenZoomed(page);
});
