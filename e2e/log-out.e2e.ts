import { expect, type Page, type Route } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { type Person, registeredPerson } from '@porchlight/dev/people.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';
import { logIn } from './lib/screens.ts';
import { test } from './lib/test.ts';

/** Going out: a log-out ends the login everywhere, and nothing that is still under way says otherwise. */

let world: World;
let ann: Person;
test.beforeAll(async () => {
  world = await startWorld();
  ann = await registeredPerson(world);
});
test.afterAll(() => world?.close());

const at = (path: string) => `${world.dashboardUrl}${path}`;
const button = (page: Page) => page.getByRole('button', { name: 'Log in', exact: true });
const token = (page: Page) => page.evaluate(() => localStorage.getItem('porchlight_token'));
const greeting = (page: Page) => page.getByRole('heading', { name: /^Good / });

test('[2.46] [4.4] log out goes to the login without a word about expiry, in every tab, and ends the token', async ({ page }) => {
  await page.goto(at('/login'));
  await logIn(page, ann);
  await expect(greeting(page)).toBeVisible();
  const nav = page.getByRole('navigation', { name: 'Main' });
  for (const [name, path] of [
    ['Dashboard', ''],
    ['Profile', '/profile'],
  ] as const)
    expect(new URL(String(await nav.getByRole('link', { name, exact: true }).getAttribute('href')), page.url()).href).toBe(at(path));
  const other = await page.context().newPage();
  await other.goto(at('/profile'));
  await expect(other.getByRole('heading', { name: 'Profile' })).toBeVisible();
  const old = (await token(page)) ?? '';
  await page.getByRole('button', { name: 'Log out' }).click();
  for (const tab of [page, other]) {
    await expect(tab).toHaveURL(at('/login'));
    await expect(button(tab)).toBeVisible();
    await expect(tab.getByText(/expired/)).toHaveCount(0);
  }
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await expect
    .poll(() =>
      call(world.url, 'GET /web/profile', { token: old }).then(
        () => 200,
        (err: { status: number }) => err.status,
      ),
    )
    .toBe(401);
});

test('[4.4] log out works when the server cannot be reached', async ({ page }) => {
  await page.goto(at('/login'));
  await logIn(page, ann);
  await expect(greeting(page)).toBeVisible();
  await page.route('**/api/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(at('/login'));
  expect(await token(page)).toBeNull();
});

test('[4.4] whoever logs out before the screen has asked anything is not told that a login expired', async ({ page }) => {
  // Between the moment a screen stands there and the moment it asks for what it shows.
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      const leave = [...document.querySelectorAll('button')].find((button) => button.textContent === 'Log out');
      if (!leave || !document.querySelector('.skeleton')) return;
      observer.disconnect();
      leave.click();
    }).observe(document, { subtree: true, childList: true });
  });
  await page.goto(at('/login'));
  const unasked = page.waitForResponse((answer) => answer.status() === 401);
  await logIn(page, ann);
  await (await unasked).finished();
  // Another question is answered before one looks.
  await page.evaluate(() => fetch('/api/web/profile').then((answer) => answer.text()));
  await expect(page).toHaveURL(at('/login'));
  await expect(page.getByText(/expired/)).toHaveCount(0);
});

test('[4.4] an answer that comes after the log-out says nothing about a login that expired', async ({ page }) => {
  await page.goto(at('/login'));
  await logIn(page, ann);
  await expect(greeting(page)).toBeVisible();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const late = async (route: Route) => {
    await held;
    await route.fulfill({ status: 401, json: {} });
  };
  await page.route('**/api/web/detections?*', late, { times: 1 });
  const asked = page.waitForRequest('**/api/web/detections?*');
  await asked;
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(button(page)).toBeVisible();
  release();
  await logIn(page, ann);
  await expect(greeting(page)).toBeVisible();
  expect(await token(page)).not.toBeNull();
});
