// Tier: fast. The journey of section 2, screens and routes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { brand } from '@porchlight/contract/brand.ts';
import type { Person } from '@porchlight/dev/people.ts';
import { root } from '@porchlight/dev/root.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf, unconfirmedPerson } from './lib/accounts.ts';
import { registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
let world: World;
let ann: Person;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world, 'Ann van Example');
});

const updateText = 'New version available, click to update!';
const update = (page: Page) => page.getByRole('button', { name: updateText, exact: true });
const asksVersion = (page: Page) => page.waitForRequest((request) => new URL(request.url()).pathname === '/dashboard/app_version.json');

for (const [title, path] of [
  ['the login', '/dashboard/login'],
  ['not found', '/dashboard/nowhere'],
  ['the share page', '/dashboard/share/ABCD-EFGH'],
  ["a guardian's page", '/dashboard/guardian/11111111-1111-4111-8111-111111111111/x'],
  ['the terms', '/terms-of-service'],
  ['the privacy policy', '/privacy-policy'],
  ['the dashboard', '/dashboard'],
] as const) {
  test(`[2.22] the footer of ${title} has help with a scam, support, legal pages, copyright and version`, async ({ browser }) => {
    const page = await pageOf(browser, world, path === '/dashboard' ? ann : null);
    await page.goto(`${world.url}${path}`);
    const footer = page.getByRole('contentinfo');
    const leads = (name: string) => expect(footer.getByRole('link', { name, exact: true }));
    await leads('I think I am being scammed').toHaveAttribute('href', '/dashboard/help-now');
    await leads(brand.support.email).toHaveAttribute('href', `mailto:${brand.support.email}`);
    await leads(brand.support.phone).toHaveAttribute('href', 'tel:18005550100');
    await leads('Terms').toHaveAttribute('href', '/terms-of-service');
    await leads('Privacy').toHaveAttribute('href', '/privacy-policy');
    await expect(footer).toContainText(new RegExp(`© 20\\d\\d ${brand.name}`));
    await expect(footer).toContainText(`Version ${version}`);
  });
}

for (const [link, path, heading] of [
  ['Terms', '/terms-of-service', 'Terms of service'],
  ['Privacy', '/privacy-policy', 'Privacy policy'],
] as const) {
  test(`[2.22] the legal page ${heading} is one press from the footer, is marked as a template, and has a link back`, async ({ page }) => {
    await page.goto(`${world.dashboardUrl}/login`);
    await page.getByRole('contentinfo').getByRole('link', { name: link, exact: true }).click();
    await expect(page).toHaveURL(`${world.url}${path}`);
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
    await expect(page.locator('.note')).toHaveText(
      /^Template for the operator\. Replace this text with your own before you offer the service/,
    );
    expect(await page.getByRole('heading', { level: 2 }).count()).toBeGreaterThan(3);
    expect(await page.content()).not.toContain('{{');
    await page.getByRole('link', { name: brand.name, exact: true }).click();
    await expect(page).toHaveURL(`${world.dashboardUrl}/login`);
  });
}

test('[2.28] [7.38] each navigation requests the version with the time in the address, so that no cache answers', async ({ page }) => {
  await page.clock.install();
  const times: number[] = [];
  const go = async (action: () => Promise<unknown>) => {
    const requestPromise = asksVersion(page);
    await action();
    const url = new URL((await requestPromise).url());
    times.push(Number(url.searchParams.get('t')));
    expect(Math.abs((times.at(-1) ?? 0) - (await page.evaluate(() => Date.now())))).toBeLessThan(5000);
    expect((await (await requestPromise).response())?.headers()['cache-control']).toBe('no-store');
  };
  await go(() => page.goto(`${world.dashboardUrl}/login`));
  await page.clock.fastForward(60_000);
  await go(() => page.getByRole('link', { name: 'Forgot your password?' }).click());
  await page.clock.fastForward(60_000);
  await go(() => page.goBack());
  expect(new Set(times).size).toBe(3);
  await expect(update(page)).toHaveCount(0);
});

test('[2.22] [3.19] a button offers a newer version, reloads the page, and is then gone', async ({ page }) => {
  const file = '**/dashboard/app_version.json?*';
  await page.route(file, (route) => route.fulfill({ json: { v: version } }));
  await page.goto(`${world.dashboardUrl}/login`);
  await expect(page.getByRole('contentinfo')).toContainText(`Version ${version}`);
  await expect(update(page)).toHaveCount(0);
  await page.unroute(file);
  await page.route(file, (route) => route.fulfill({ json: { v: '1000.0.0' } }));
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(update(page)).toBeVisible();
  await expect(page.getByRole('status').filter({ has: update(page) })).toHaveCount(1);
  await page.unroute(file);
  await page.evaluate(() => Object.assign(window, { before: true }));
  await Promise.all([page.waitForEvent('load'), update(page).click()]);
  expect(await page.evaluate(() => 'before' in window)).toBe(false);
  await expect(page).toHaveURL(`${world.dashboardUrl}/forgot-password`);
  await expect(page.getByRole('button', { name: 'Send the email' })).toBeVisible();
  await expect(update(page)).toHaveCount(0);
});

for (const [pageName, path] of [
  ['share page', '/dashboard/share/ABCD-EFGH'],
  ['guardian’s page', '/dashboard/guardian/11111111-1111-4111-8111-111111111111/key'],
  ['terms', '/terms-of-service'],
  ['privacy policy', '/privacy-policy'],
] as const) {
  test(`[2.22] [2.28] the ${pageName} offers a newer version too, also after being open for long`, async ({ page }) => {
    const file = '**/dashboard/app_version.json?*';
    let v: string = version;
    await page.route(file, (route) => route.fulfill({ json: { v } }));
    await page.clock.install();
    const firstRequest = asksVersion(page);
    await page.goto(`${world.url}${path}`);
    await (await firstRequest).response();
    await expect(page.getByRole('contentinfo')).toContainText(`Version ${version}`);
    await expect(update(page)).toHaveCount(0);
    v = '1000.0.0';
    await page.clock.fastForward('01:00:01');
    await expect(update(page)).toBeVisible();
    await expect(
      page
        .getByRole('contentinfo')
        .getByRole('status')
        .filter({ has: update(page) }),
    ).toHaveCount(1);
    await page.evaluate(() => Object.assign(window, { before: true }));
    await Promise.all([page.waitForEvent('load'), update(page).click()]);
    expect(await page.evaluate(() => 'before' in window)).toBe(false);
  });
}

for (const [failure, answer] of [
  ['no answer', (page: Page, url: string) => page.route(url, (route) => route.abort())],
  ['an error', (page: Page, url: string) => page.route(url, (route) => route.fulfill({ status: 500, json: { error: 'No.' } }))],
  ['a page instead of the file', (page: Page, url: string) => page.route(url, (route) => route.fulfill({ body: '<html></html>' }))],
] as const) {
  test(`[8.17] a failed version check, ${failure}, is logged and not shown`, async ({ page }) => {
    await answer(page, '**/dashboard/app_version.json?*');
    const logMessage = page.waitForEvent('console', (message) => message.text().startsWith('The version could not be looked up.'));
    await page.goto(`${world.dashboardUrl}/login`);
    await logMessage;
    await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
    await expect(update(page)).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByRole('status').filter({ hasText: /./ })).toHaveCount(0);
  });
}

test('[2.140] the page for an unknown address has a fixed text and leads to the login, or to the dashboard', async ({ page, browser }) => {
  await page.goto(`${world.dashboardUrl}/nowhere`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page Not Found. The requested page could not be found.');
  await expect(page).toHaveTitle(`Page Not Found · ${brand.name}`);
  await page.getByRole('main').getByRole('link').click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/login`);
  await expect(page.getByLabel('Email')).toBeVisible();
  const holder = await pageOf(browser, world, ann);
  await holder.goto(`${world.dashboardUrl}/nowhere`);
  await holder.getByRole('main').getByRole('link').click();
  await expect(holder.getByRole('heading', { level: 1, name: /^Good / })).toBeVisible();
});

test('[2.47] the dashboard greets by name and shows the email address of the login', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await page.clock.setFixedTime(new Date('2026-11-21T09:00:00'));
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Good morning, Ann');
  await expect(page.getByText(`Signed in as ${ann.email}`, { exact: true })).toBeVisible();
});

test('[2.43] [2.44] an unconfirmed account sees a banner above the page, with a link to the confirmation email', async ({ browser }) => {
  const page = await pageOf(browser, world, await unconfirmedPerson(world));
  await page.goto(`${world.dashboardUrl}/profile`);
  const banner = page.getByText('Your email address is not verified. Check your inbox to verify your email.', { exact: true });
  await expect(banner).toBeVisible();
  await page.getByRole('link', { name: 'Verify my email' }).click();
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
  const confirmed = await pageOf(browser, world, ann);
  await confirmed.goto(`${world.dashboardUrl}/profile`);
  await expect(confirmed.getByLabel('Email')).toHaveValue(ann.email);
  await expect(confirmed.locator('.banner')).toHaveCount(0);
});
