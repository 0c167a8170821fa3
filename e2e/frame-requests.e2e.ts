import { expect } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

test('[2.15] the page that undoes a change of address stays open after a log-out elsewhere', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await pageOf(browser, world, ann);
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  // Otherwise the dashboard's requests would be refused, and end the login before this page opens.
  await page.goto('about:blank');
  await call(world.url, 'POST /web/logout', { token: ann.token });
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  await page.goto(`${world.dashboardUrl}/confirm-email-change/some-token?undo=1`);
  const back = page.getByRole('button', { name: 'Take the change back' });
  await expect(back).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(back).toBeVisible();
  expect(new URL(page.url()).pathname).toMatch(/\/confirm-email-change\/some-token$/);
  expect(requestedPaths.filter((path) => path.startsWith('/api/web/') && path !== '/api/web/profile')).toEqual([]);
});

test('[4.32] the PIN is requested when its page opens, and not when its tab regains the focus, because each request notifies people', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, await registeredPerson(world));
  await page.clock.install();
  const requestedPaths: string[] = [];
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname));
  const countOf = (path: string) => requestedPaths.filter((one) => one === path).length;
  await page.goto(`${world.dashboardUrl}/profile/admin-pin`);
  await expect(page.getByRole('main').locator('.code')).toHaveText(/^\d{6}$/);
  const countBefore = countOf('/api/web/profile');
  await page.clock.runFor(5000);
  await page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));
  });
  await expect.poll(() => countOf('/api/web/profile')).toBeGreaterThan(countBefore);
  await page.clock.runFor(5000);
  expect(countOf('/api/web/bypasspassword')).toBe(1);
});
