import { type Browser, expect, type Page, type Route } from '@playwright/test';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The loading boundary is tested with the Admin PIN. */

let world: World;
let ann: Person;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
});

const call = '**/api/web/bypasspassword';
const openPin = (page: Page) => page.goto(`${world.dashboardUrl}/profile/admin-pin`);
const main = (page: Page) => page.getByRole('main');
const loadingStatus = (page: Page) => main(page).getByRole('status').filter({ hasText: 'Loading' });

/** The script with the profile's texts, which no other page loads; file names are hashes. */
async function screenScript(browser: Browser): Promise<string> {
  const page = await pageOf(browser, world, ann);
  const scripts: Promise<[url: string, text: string]>[] = [];
  page.on('response', (answer) => {
    if (answer.url().endsWith('.js')) scripts.push(answer.text().then((text) => [answer.url(), text]));
  });
  await openPin(page);
  await expect(main(page).locator('.code')).toHaveText(/^\d{6}$/);
  const scriptUrls = (await Promise.all(scripts)).filter(([, text]) => text.includes('Your Admin PIN')).map(([url]) => url);
  expect(scriptUrls).toHaveLength(1);
  await page.context().close();
  return scriptUrls[0] ?? '';
}

async function holdRequest(page: Page, url: string | RegExp): Promise<() => void> {
  let release = () => {};
  const releasePromise = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await releasePromise;
    await route.fallback();
  });
  return release;
}

test('[4.22] the loading boundary shows a placeholder while idle and loading, which the loaded content replaces', async ({ browser }) => {
  const script = await screenScript(browser);
  const page = await pageOf(browser, world, ann);
  const screen = await holdRequest(page, script);
  const pin = await holdRequest(page, call);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  const scriptRequest = page.waitForRequest(script);
  await openPin(page);
  await scriptRequest;
  await expect(loadingStatus(page)).toHaveCount(1);
  expect(calls).not.toContain('/api/web/bypasspassword');
  const callRequest = page.waitForRequest(call);
  screen();
  await callRequest;
  await expect(page.getByRole('heading', { name: 'Your Admin PIN' })).toBeVisible();
  await expect(loadingStatus(page)).toHaveCount(1);
  const skeletonBox = await main(page).locator('.skeleton').boundingBox();
  await expect(main(page).locator('.code')).toHaveCount(0);
  pin();
  await expect(main(page).locator('.code')).toHaveText(/^\d{6}$/);
  // So that nothing below it moves.
  expect(skeletonBox?.height).toBe((await main(page).locator('.code').boundingBox())?.height);
  await expect(loadingStatus(page)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

const unknown = 'An unknown error occurred';
const failures: [what: string, answer: (route: Route) => Promise<void>, words: string][] = [
  ['the words of an error', (route) => route.fulfill({ status: 403, json: { error: 'Not for you.', code: 'not_yours' } }), 'Not for you.'],
  ['an error without words', (route) => route.fulfill({ status: 403, json: { error: '', code: 'not_yours' } }), unknown],
];
for (const [failure, answer, message] of failures) {
  test(`[4.22] [8.7] ${failure}: the boundary shows "${message}", and Try again loads the content`, async ({ browser }) => {
    const page = await pageOf(browser, world, ann);
    await page.route(call, answer);
    await openPin(page);
    await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText(message);
    await expect(main(page).locator('.code')).toHaveCount(0);
    await expect(loadingStatus(page)).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Your Admin PIN' })).toBeVisible();
    await page.unroute(call);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(main(page).locator('.code')).toHaveText(/^\d{6}$/);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
}

test('[8.7] a screen that cannot be loaded shows an error inside the frame, and Try again reloads the page', async ({ browser }) => {
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

test('[4.22] the guard shows an error when the profile cannot be loaded, and continues once it can', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await page.route('**/api/web/profile', (route) => route.fulfill({ status: 429, json: { error: 'Too many tries. Wait a minute.' } }));
  await page.goto(`${world.dashboardUrl}/add-device`);
  await expect(main(page).getByRole('alert').getByRole('paragraph')).toHaveText('Too many tries. Wait a minute.');
  await page.unroute('**/api/web/profile');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Which computer do you want to protect?' })).toBeVisible();
});
