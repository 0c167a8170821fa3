import { expect, type Page, type Route } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { registeredPerson } from './lib/people.ts';
import { logIn } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let ann: Person;
test.beforeAll(async () => {
  ann = await registeredPerson(world);
});

const urlOf = (path: string) => `${world.dashboardUrl}${path}`;
const button = (page: Page) => page.getByRole('button', { name: 'Log in', exact: true });
const token = (page: Page) => page.evaluate(() => localStorage.getItem('porchlight_token'));
const greeting = (page: Page) => page.getByRole('heading', { name: /^Good / });

test('[2.46] [4.4] logging out leads to the login without an expiry notice, in every tab, and ends the token', async ({ page }) => {
  await page.goto(urlOf('/login'));
  await logIn(page, ann);
  await expect(greeting(page)).toBeVisible();
  const nav = page.getByRole('navigation', { name: 'Main' });
  for (const [name, path] of [
    ['Dashboard', ''],
    ['Profile', '/profile'],
  ] as const)
    expect(new URL(String(await nav.getByRole('link', { name, exact: true }).getAttribute('href')), page.url()).href).toBe(urlOf(path));
  const otherPage = await page.context().newPage();
  await otherPage.goto(urlOf('/profile'));
  await expect(otherPage.getByRole('heading', { name: 'Profile' })).toBeVisible();
  const oldToken = (await token(page)) ?? '';
  await page.getByRole('button', { name: 'Log out' }).click();
  for (const tab of [page, otherPage]) {
    await expect(tab).toHaveURL(urlOf('/login'));
    await expect(button(tab)).toBeVisible();
    await expect(tab.getByText(/expired/)).toHaveCount(0);
  }
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await expect
    .poll(() =>
      call(world.url, 'GET /web/profile', { token: oldToken }).then(
        () => 200,
        (err: { status: number }) => err.status,
      ),
    )
    .toBe(401);
});

test('[4.4] logging out works when the server is unreachable', async ({ page }) => {
  await page.goto(urlOf('/login'));
  await logIn(page, ann);
  await expect(greeting(page)).toBeVisible();
  await page.route('**/api/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(urlOf('/login'));
  expect(await token(page)).toBeNull();
});

test('[4.4] logging out before the screen has sent a request shows no expiry notice', async ({ page }) => {
  // The log-out happens between a screen's rendering and its first request.
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      const logOutButton = [...document.querySelectorAll('button')].find((button) => button.textContent === 'Log out');
      if (!logOutButton || !document.querySelector('.skeleton')) return;
      observer.disconnect();
      logOutButton.click();
    }).observe(document, { subtree: true, childList: true });
  });
  await page.goto(urlOf('/login'));
  const unasked = page.waitForResponse((answer) => answer.status() === 401);
  await logIn(page, ann);
  await (await unasked).finished();
  await page.evaluate(() => fetch('/api/web/profile').then((answer) => answer.text()));
  await expect(page).toHaveURL(urlOf('/login'));
  await expect(page.getByText(/expired/)).toHaveCount(0);
});

test('[4.4] an answer that arrives after the log-out shows no expiry notice', async ({ page }) => {
  await page.goto(urlOf('/login'));
  await logIn(page, ann);
  await expect(greeting(page)).toBeVisible();
  let release = () => {};
  const releasePromise = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answerLate = async (route: Route) => {
    await releasePromise;
    await route.fulfill({ status: 401, json: {} });
  };
  await page.route('**/api/web/detections?*', answerLate, { times: 1 });
  const requestPromise = page.waitForRequest('**/api/web/detections?*');
  await requestPromise;
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(button(page)).toBeVisible();
  release();
  await logIn(page, ann);
  await expect(greeting(page)).toBeVisible();
  expect(await token(page)).not.toBeNull();
});
