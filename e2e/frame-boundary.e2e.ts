import { type Browser, expect, type Page, type Route } from '@playwright/test';
import { type Person, registeredPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** What stands where something has to be loaded: nothing asked yet, asked, there, or failed. Looked at where the Admin PIN will stand. */

let world: World;
let ann: Person;
withWorld((its) => {
  world = its;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
});

const call = '**/api/web/bypasspassword';
const openPin = (page: Page) => page.goto(`${world.dashboardUrl}/profile/admin-pin`);
const main = (page: Page) => page.getByRole('main');
const waiting = (page: Page) => main(page).getByRole('status').filter({ hasText: 'Loading' });

/** The script of the profile's screen: the one that came with it and with no other, and has its words in it. Scripts have no names. */
async function screenScript(browser: Browser): Promise<string> {
  const page = await pageOf(browser, world, ann);
  const scripts: Promise<[url: string, text: string]>[] = [];
  page.on('response', (answer) => {
    if (answer.url().endsWith('.js')) scripts.push(answer.text().then((text) => [answer.url(), text]));
  });
  await openPin(page);
  await expect(main(page).locator('.code')).toHaveText(/^\d{6}$/);
  const found = (await Promise.all(scripts)).filter(([, text]) => text.includes('Your Admin PIN')).map(([url]) => url);
  expect(found).toHaveLength(1);
  await page.context().close();
  return found[0] ?? '';
}

/** Holds a request's answer back until `release`. */
async function hold(page: Page, url: string | RegExp): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await held;
    await route.fallback();
  });
  return release;
}

test('[4.22] nothing asked yet and asked keep the place, and what was loaded takes it', async ({ browser }) => {
  const script = await screenScript(browser);
  const page = await pageOf(browser, world, ann);
  const screen = await hold(page, script);
  const pin = await hold(page, call);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  const wanted = page.waitForRequest(script);
  await openPin(page);
  await wanted;
  await expect(waiting(page)).toHaveCount(1);
  expect(calls).not.toContain('/api/web/bypasspassword');
  const asked = page.waitForRequest(call);
  screen();
  await asked;
  await expect(page.getByRole('heading', { name: 'Your Admin PIN' })).toBeVisible();
  await expect(waiting(page)).toHaveCount(1);
  const place = await main(page).locator('.skeleton').boundingBox();
  expect(place?.height).toBeGreaterThan(80);
  await expect(main(page).locator('.code')).toHaveCount(0);
  pin();
  await expect(main(page).locator('.code')).toHaveText(/^\d{6}$/);
  await expect(waiting(page)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

const unknown = 'An unknown error occurred';
const failures: [what: string, answer: (route: Route) => Promise<void>, words: string][] = [
  ['the words of an error', (route) => route.fulfill({ status: 403, json: { error: 'Not for you.', code: 'not_yours' } }), 'Not for you.'],
  ['an error without words', (route) => route.fulfill({ status: 403, json: { error: '', code: 'not_yours' } }), unknown],
];
for (const [what, answer, words] of failures) {
  test(`[4.22] [8.7] ${what}: the boundary says "${words}", and trying again loads it`, async ({ browser }) => {
    const page = await pageOf(browser, world, ann);
    await page.route(call, answer);
    await openPin(page);
    await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText(words);
    await expect(main(page).locator('.code')).toHaveCount(0);
    await expect(waiting(page)).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Your Admin PIN' })).toBeVisible();
    await page.unroute(call);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(main(page).locator('.code')).toHaveText(/^\d{6}$/);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
}

test('[8.7] a screen that cannot be loaded says so inside the frame, and trying again loads the page anew', async ({ browser }) => {
  const file = await screenScript(browser);
  const page = await pageOf(browser, world, ann);
  await page.route(file, (route) => route.abort());
  await openPin(page);
  await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText(unknown);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await page.unroute(file);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(main(page).locator('.code')).toHaveText(/^\d{6}$/);
});

test('[4.22] when the profile cannot be loaded the guard says so, and goes on when it can', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await page.route('**/api/web/profile', (route) => route.fulfill({ status: 429, json: { error: 'Too many tries. Wait a minute.' } }));
  await page.goto(`${world.dashboardUrl}/add-device`);
  await expect(main(page).getByRole('alert').getByRole('paragraph')).toHaveText('Too many tries. Wait a minute.');
  await page.unroute('**/api/web/profile');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Which computer do you want to protect?' })).toBeVisible();
});
