import { expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const rows = [
  ['/login', 'Log in'],
  ['/register', 'Leave a light on for someone'],
  ['/forgot-password', 'Forgot your password?'],
  ['/free-download', 'Start using our free plan'],
  ['/help-now', null],
] as const;

/** Opens a page whose scripts wait until the returned function is called. */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${world.dashboardUrl}${path}`, { waitUntil: 'commit' });
  return release;
}

/** What React reports if it cannot take over an element. A page that asks for an agent on this computer fails to load that. */
function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  const isOfTheNetwork = (text: string) => text.startsWith('Failed to load resource');
  page.on('console', (line) => line.type() === 'error' && !isOfTheNetwork(line.text()) && errors.push(line.text()));
  page.on('pageerror', ({ message }) => errors.push(message));
  return errors;
}

/** Waits until React handles the page's events: it marks its root's container. */
const taken = (page: Page) =>
  page.waitForFunction(() => Object.keys(document.getElementById('root') ?? {}).some((key) => key.startsWith('__reactContainer')));

for (const [path, heading] of rows) {
  test(`${path} can be read without scripts, with its style, heading and support`, async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${world.dashboardUrl}${path}`);
    await expect(heading ? page.getByRole('heading', { level: 1, name: heading }) : page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('contentinfo').getByRole('link', { name: /@/ })).toBeVisible();
    expect(await page.locator('header.top').evaluate((header) => getComputedStyle(header.querySelector('.wrap') ?? header).display)).toBe(
      'flex',
    );
    await context.close();
  });
}

for (const [path] of rows) {
  test(`the script takes over ${path} as it was rendered: no error, and the same elements`, async ({ page }) => {
    const errors = errorsOf(page);
    const release = await openWithoutScripts(page, path);
    const elements = page.locator('header.top, main, h1, footer, form, input');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await elements.evaluateAll((all) => all.forEach((element) => element.setAttribute('data-rendered', '')));
    const count = await elements.count();
    release();
    await taken(page);
    await expect(page.locator('[data-rendered]')).toHaveCount(count);
    expect(errors).toEqual([]);
  });
}

for (const path of ['/guardian/018f4f4e-0000-7000-8000-000000000001', '/share/ABC']) {
  test(`the script takes over the frame of ${path.split('/')[1]} pages as it was rendered, without an error of React`, async ({ page }) => {
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    const release = await openWithoutScripts(page, path);
    const frame = page.locator('header, main, footer');
    await page.getByRole('contentinfo').waitFor();
    await frame.evaluateAll((all) => all.forEach((element) => element.setAttribute('data-rendered', '')));
    const count = await frame.count();
    release();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[data-rendered]')).toHaveCount(count);
    expect(errors).toEqual([]);
  });
}

test('a form can be filled in before the script runs: the input stays, the elements too, and enter sends nothing', async ({ page }) => {
  const errors = errorsOf(page);
  const release = await openWithoutScripts(page, '/login');
  await page.getByLabel('Email').fill('ann@example.org');
  await page.getByLabel('Password', { exact: true }).fill('a long password');
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await page.getByRole('heading', { name: 'Log in' }).evaluate((heading) => heading.setAttribute('data-rendered', ''));
  release();
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeEnabled();
  await expect(page.getByLabel('Email')).toHaveValue('ann@example.org');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('a long password');
  await expect(page.locator('h1[data-rendered]')).toHaveText('Log in');
  expect(page.url()).toBe(`${world.dashboardUrl}/login`);
  expect(errors).toEqual([]);
});

test('a checkbox that was ticked before the script runs stays ticked', async ({ page }) => {
  const release = await openWithoutScripts(page, '/register');
  await page.getByLabel(/^I accept/).check();
  await page.getByLabel('Password', { exact: true }).fill('one long password');
  release();
  await page.getByLabel('Confirm Password', { exact: true }).fill('one long password');
  await expect(page.getByRole('button', { name: 'Register', exact: true })).toBeEnabled();
  await expect(page.getByLabel(/^I accept/)).toBeChecked();
});

test('a logged-in user who opens a page for guests gets their own', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await pageOf(browser, world, ann);
  await page.goto(`${world.dashboardUrl}/login`);
  await expect(page).toHaveURL(world.dashboardUrl);
  await page.goto(`${world.dashboardUrl}/free-download`);
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
});
