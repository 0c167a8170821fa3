import { expect, type Page, type Route } from '@playwright/test';
import { givePlan, type Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { confirmedPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { grant, start } from './lib/subscribe.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const urlOf = (path: string) => `${world.dashboardUrl}${path}`;
const waitHeading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Please wait...', exact: true });
const lateMessage = (page: Page) => page.getByText('Your payment is being looked at', { exact: true });
const internal = "Failed to update the user's subscription. There might be an error processing Stripe webhooks.";

/** Computed independently of the page (4.20). */
const waits: number[] = [];
for (let wait = 300; wait <= 30_000; wait *= 1.5) waits.push(wait);

/** `answer`: null for the server's own answer. */
interface Asked {
  count: number;
  answer: ((route: Route) => Promise<void>) | null;
}

/** Returns from the payment with a paused clock. */
async function backFromPayment(page: Page, answer: Asked['answer']): Promise<Asked> {
  const planRequests: Asked = { count: 0, answer };
  await page.route('**/api/web/profile/sub', async (route) => {
    planRequests.count += 1;
    await (planRequests.answer?.(route) ?? route.fallback());
  });
  await page.clock.install();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await page.goto(urlOf('/stripe/success'));
  // Lazy loading needs some real time, but only this much of the page's time.
  for (let tries = 0; !(await waitHeading(page).isVisible()); tries++) {
    expect(tries, 'the page that waits').toBeLessThan(200);
    await page.clock.runFor(step);
    await waitForRequests(page);
  }
  return planRequests;
}

const waitForRequests = (page: Page) => page.evaluate(() => fetch('/readyz').then(() => undefined));
const answerWithoutPlan = (route: Route) =>
  route.fulfill({
    json: { subscribed: false, device_limit: 0, expires: null, external: false, lifetime: false, register_promo_code: null },
  });

/** Milliseconds. The start of the page's wait is known to within two steps. */
const step = 20;

/** Advances the clock over a wait: no request until its last moment, then exactly one. */
async function passWait(page: Page, planRequests: Asked, wait: number): Promise<void> {
  const countBefore = planRequests.count;
  await page.clock.runFor(Math.floor(wait) - 2 * step);
  await waitForRequests(page);
  expect(planRequests.count, `just before ${wait} ms`).toBe(countBefore);
  await page.clock.runFor(2 * step + 1);
  await expect.poll(() => planRequests.count, { message: `just after ${wait} ms` }).toBe(countBefore + 1);
  await waitForRequests(page);
}

test('[2.17] [2.133] [4.19] [4.20] [9.7] the plan is requested after 300 ms, then after waits that grow by half, twelve times in all', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, await confirmedPerson(world));
  const planRequests = await backFromPayment(page, answerWithoutPlan);
  expect(planRequests.count).toBe(0);
  expect(waits).toHaveLength(12);
  for (const wait of waits.slice(0, -1)) await passWait(page, planRequests, wait);
  await expect(waitHeading(page)).toBeVisible();
  const [lastWait = 0] = waits.slice(-1);
  expect([lastWait < 30_000, lastWait * 1.5 > 30_000]).toEqual([true, true]);
  await page.clock.runFor(Math.floor(lastWait) - 2 * step);
  await waitForRequests(page);
  await expect(waitHeading(page)).toBeVisible();
  expect(planRequests.count).toBe(11);
});

test('[4.21] a plan in the last answer leads to add-device, which opens at once', async ({ browser }) => {
  const ann = await confirmedPerson(world);
  const page = await pageOf(browser, world, ann);
  const planRequests = await backFromPayment(page, answerWithoutPlan);
  for (const wait of waits.slice(0, -1)) await passWait(page, planRequests, wait);
  await givePlan(world, ann.token);
  planRequests.answer = null;
  await passWait(page, planRequests, waits.at(-1) ?? 0);
  await expect(page).toHaveURL(urlOf('/add-device?step=machine'));
  await page.clock.resume();
  await expect(page.getByRole('heading', { level: 1, name: 'Which computer do you want to protect?' })).toBeVisible();
});

test('[8.14] [4.21] [2.133] without a plan after the last answer an internal error is reported, and the dashboard or Subscribe says not to pay again', async ({
  browser,
}) => {
  const ann = await confirmedPerson(world);
  const page = await pageOf(browser, world, ann);
  // Records what error reporting would receive; its own test covers the sending.
  const reported: string[] = [];
  await page.exposeFunction('keepReport', (message: string) => reported.push(message));
  await page.addInitScript(() => {
    const { keepReport } = window as unknown as { keepReport(message: string): void };
    window.addEventListener('porchlight:trouble', (event) => keepReport((event as CustomEvent<Error>).detail.message));
  });
  const planRequests = await backFromPayment(page, answerWithoutPlan);
  for (const wait of waits.slice(0, -1)) await passWait(page, planRequests, wait);
  await expect(waitHeading(page)).toBeVisible();
  expect(reported).toEqual([]);
  await page.clock.runFor(waits.at(-1) ?? 0);
  await page.clock.resume();
  await expect(lateMessage(page)).toBeVisible();
  await expect(page).toHaveURL(urlOf('/subscribe'));
  await expect(page.getByText(/Please do not pay again\./)).toBeVisible();
  await expect.poll(() => reported).toEqual([internal]);
  await expect(start(page)).toHaveCount(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await checkScreen(page);
  await checkScreenZoomed(page);

  // A user who has not paid can return to the plans; a user who has paid gets in without a press.
  await page.getByRole('button', { name: 'I have not paid yet. Show me the plans' }).click();
  await expect(start(page)).toBeVisible();
  await page.reload();
  await expect(lateMessage(page)).toBeVisible();
  await givePlan(world, ann.token);
  planRequests.answer = null;
  await expect(page).toHaveURL(world.dashboardUrl, { timeout: 15_000 });
  await expect(lateMessage(page)).toHaveCount(0);
});

test('[4.21] an account with access without the plan sees the same note on its dashboard, until the plan arrives', async ({ browser }) => {
  const ann = await confirmedPerson(world);
  await grant(world, ann, '--devices', '2');
  const page = await pageOf(browser, world, ann);
  const planRequests = await backFromPayment(page, answerWithoutPlan);
  for (const wait of waits.slice(0, -1)) await passWait(page, planRequests, wait);
  planRequests.answer = null;
  await page.clock.runFor(waits.at(-1) ?? 0);
  await page.clock.resume();
  await expect(page.getByRole('heading', { level: 1, name: /^Good / })).toBeVisible();
  await expect(page).toHaveURL(world.dashboardUrl);
  await expect(lateMessage(page)).toBeVisible();
  await checkScreen(page);
  await givePlan(world, ann.token);
  await expect(lateMessage(page)).toHaveCount(0, { timeout: 20_000 });
});

test('[4.20] one failed answer does not end the polling, which continues at the usual pace', async ({ browser }) => {
  const ann = await confirmedPerson(world);
  const page = await pageOf(browser, world, ann);
  const planRequests = await backFromPayment(page, (route) => route.abort());
  const [firstWait = 0, secondWait = 0, thirdWait = 0] = waits;
  await passWait(page, planRequests, firstWait);
  planRequests.answer = (route) => route.fulfill({ status: 500, json: { error: 'x', code: 'internal' } });
  await passWait(page, planRequests, secondWait);
  await expect(waitHeading(page)).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await givePlan(world, ann.token);
  planRequests.answer = null;
  await passWait(page, planRequests, thirdWait);
  await expect(page).toHaveURL(urlOf('/add-device?step=machine'));
});

test('a login that expired during the payment is requested again, and then the polling resumes', async ({ browser }) => {
  const ann: Person = { ...(await confirmedPerson(world)), token: 'expired' };
  const page = await pageOf(browser, world, ann);
  await page.goto(urlOf('/stripe/success'));
  await expect(page).toHaveURL(urlOf('/login?expired=1'));
});

test('[2.133] the page that waits for the payment has its title, passes axe in light and dark, and loses nothing at 320 px and 400 %', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, await confirmedPerson(world));
  await page.route('**/api/web/profile/sub', answerWithoutPlan);
  await page.goto(urlOf('/stripe/success'));
  await expect(page).toHaveTitle(/^Please wait · /);
  await expect(page.getByRole('status').filter({ has: waitHeading(page) })).toBeVisible();
  await checkScreen(page);
  await checkScreenZoomed(page);
});
