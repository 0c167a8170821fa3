import { expect } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { registeredPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** What a page asks by itself, and what it had better not. */

let world: World;
withWorld((its) => {
  world = its;
});

test('[2.15] the way to take a change of address back stays open for whoever was logged out elsewhere meanwhile', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await pageOf(browser, world, ann);
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  // What the dashboard still asks for would be refused there, and forget the login before the page of this test is open.
  await page.goto('about:blank');
  await call(world.url, 'POST /web/logout', { token: ann.token });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${world.dashboardUrl}/confirm-email-change/some-token?undo=1`);
  const back = page.getByRole('button', { name: 'Take the change back' });
  await expect(back).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(back).toBeVisible();
  expect(new URL(page.url()).pathname).toMatch(/\/confirm-email-change\/some-token$/);
  // Who supports them is asked for quietly, and leads nobody away.
  expect(asked.filter((path) => path.startsWith('/api/web/') && path !== '/api/web/profile')).toEqual([]);
});

test('[4.32] the PIN is asked for when its page opens, and not again by coming back to it: everybody is told each time', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, await registeredPerson(world));
  await page.clock.install();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const times = (path: string) => asked.filter((one) => one === path).length;
  await page.goto(`${world.dashboardUrl}/profile/admin-pin`);
  await expect(page.getByRole('main').locator('.code')).toHaveText(/^\d{6}$/);
  const before = times('/api/web/profile');
  await page.clock.runFor(5000);
  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));
  });
  // What else stands on the page is asked for again.
  await expect.poll(() => times('/api/web/profile')).toBeGreaterThan(before);
  await page.clock.runFor(5000);
  expect(times('/api/web/bypasspassword')).toBe(1);
});
