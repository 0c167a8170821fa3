import { randomUUID } from 'node:crypto';
import { expect, type Page, type Route } from '@playwright/test';
import { limits } from '@porchlight/contract/limits.ts';
import { parseLinkUri } from '@porchlight/contract/loopback.ts';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { countPresses } from './lib/count-presses.ts';
import { anyDevice } from './lib/device-info.ts';
import { userAgents } from './lib/installers.ts';
import { guest, linked, routeLoopback } from './lib/loopback-routes.ts';
import { withAnn } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
let page: Page;
withAnn(
  (signedIn) => {
    ({ world, ann, page } = signedIn);
  },
  { browser: { userAgent: userAgents.Windows } },
);

const button = (name: string | RegExp) => page.getByRole('button', { name });
const searching = () => page.getByText('We are looking for Porchlight on this computer…', { exact: true });
const useTheCode = () => page.getByText('This page could not reach Porchlight on this computer. Use the code instead.', { exact: true });
const connectedMessages = () => page.getByText('Your device has been upgraded successfully! Device connected', { exact: true });
/** The ways to connect that need neither permission nor a running agent. */
const expectOtherWays = async () => {
  await expect(page.locator('.code')).toHaveText(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  await expect(page.getByRole('img', { name: 'QR code of the share link' })).toBeVisible();
  await expect(button('Copy Share Link')).toBeEnabled();
  await expect(page.getByRole('link', { name: 'Continue to dashboard' })).toBeVisible();
};
const toDownload = async () => {
  const responsePromise = page.waitForResponse((answer) => answer.url().endsWith('/api/web/create-device'));
  await page.goto(`${world.dashboardUrl}/add-device`);
  await button('This device').click();
  await page.getByLabel('Device name').fill('Den PC');
  await button('Continue').click();
  return (await (await responsePromise).json()) as { login_code: string; link_uri: string; link_uri_signature: string };
};
/** Pauses the page's clock; tests then advance it poll by poll. */
const pauseClock = () => page.clock.pauseAt(new Date(Date.now() + 60_000));
/** The times of the status requests, by the page's clock. */
const askedAt = () => page.evaluate(() => (window as unknown as { askedAt: number[] }).askedAt);
const noteWhen = () =>
  page.addInitScript(() => {
    const times: number[] = [];
    const realFetch = window.fetch;
    window.fetch = (input, init) => {
      if (String(input).includes(':23407/.well-known/')) times.push(Date.now());
      return realFetch(input, init);
    };
    Object.assign(window, { askedAt: times });
  });
const turnsUntil = async (count: number) => {
  while ((await askedAt()).length < count) await page.clock.runFor(limits.local_app_poll / 2);
};
const enrol = (code: string) =>
  call(world.url, 'POST /agent/enrol', {
    body: {
      ...{ code, enrol_id: randomUUID() },
      info: anyDevice,
    },
  });

test('[4.7] [4.8] [4.9] [4.10] the page creates the device, hands its signed link over once, and polls until the agent is connected and not in guest mode', async () => {
  const agent = await routeLoopback(page, guest);
  const createdDevice = await toDownload();
  await expect.poll(() => agent.links).toEqual([{ uri: createdDevice.link_uri, signature: createdDevice.link_uri_signature }]);
  await expectOtherWays();
  agent.status = { g: true, l: true, v: '1.0.0' };
  const requestsBefore = agent.asked;
  await expect.poll(() => agent.asked).toBeGreaterThan(requestsBefore + 1);
  await expect(searching()).toBeVisible();
  agent.status = linked;
  await expect(connectedMessages()).toBeVisible();
  expect(agent.links).toHaveLength(1);
  await checkScreen(page);

  await enrol(createdDevice.login_code);
  await expect(page.getByRole('status').filter({ hasText: 'Device connected' })).toContainText(
    'Your device has been upgraded successfully!',
  );
  await expect(page.locator('.code')).toHaveCount(0);
  const requestsAtEnd = agent.asked;
  await page.getByRole('link', { name: 'Continue to dashboard' }).click();
  await expect(page.getByText('Protected', { exact: true })).toBeVisible();
  expect(agent.asked).toBe(requestsAtEnd);
});

// The choice of the machine has already asked the agent once.
const search = 1 + limits.local_app_tries;

test('[4.9] [9.5] the agent is polled every half second, 120 times, and the last answer still counts', async () => {
  await page.clock.install();
  await noteWhen();
  const agent = await routeLoopback(page, null);
  await toDownload();
  await expect(searching()).toBeVisible();
  await pauseClock();
  await turnsUntil(6);
  const firstIndex = (await askedAt()).length - 1;
  await turnsUntil(search - 2);
  agent.status = guest;
  await turnsUntil(search - 1);
  await expect.poll(() => agent.links).toHaveLength(1);
  agent.status = linked;
  await turnsUntil(search);
  expect(search).toBe(121);
  await expect(async () => {
    await page.clock.runFor(100);
    await expect(connectedMessages()).toBeVisible({ timeout: 50 });
  }).toPass();
  expect(await askedAt()).toHaveLength(121);
  const times = (await askedAt()).slice(firstIndex);
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  expect(gaps.length).toBeGreaterThan(100);
  expect(Math.min(...gaps)).toBe(500);
  // Some polls start after the clock step in which they were due.
  expect(gaps.filter((gap) => gap === 500).length).toBeGreaterThan(gaps.length / 2);
});

test('[4.9] [9.5] [P3.3] if the agent’s port hangs and then refuses, after 120 tries the page points to the code, which it has shown from the start', async () => {
  await page.clock.install();
  await noteWhen();
  const agent = await routeLoopback(page, 'hangs');
  await toDownload();
  await expect(searching()).toBeVisible();
  await expectOtherWays();
  await pauseClock();
  await turnsUntil(8);
  agent.status = null;
  await turnsUntil(search);
  await expect(searching()).toBeVisible();
  await expect(async () => {
    await page.clock.runFor(100);
    await expect(useTheCode()).toBeVisible({ timeout: 50 });
  }).toPass();
  await page.clock.runFor(5_000);
  expect(await askedAt()).toHaveLength(search);
  await expectOtherWays();
  await page.clock.resume();
  await checkScreen(page);
});

const answerIt = () => page.getByText('Answer the question in the Porchlight window', { exact: false });

test('[P10.8] [4.9] the page says at once where to answer; while the window asks, it polls for the answer 120 times, and again after a press', async () => {
  await page.clock.install();
  await noteWhen();
  const agent = await routeLoopback(page, guest);
  agent.take = () => ({ status: 409, code: 'asked' });
  await toDownload();
  await expect(answerIt()).toBeVisible();
  await expectOtherWays();
  await expect.poll(() => agent.links).toHaveLength(1);
  await expect(page.getByText('nothing changes until you do')).toBeVisible();
  await pauseClock();
  await turnsUntil(search);
  await expect(async () => {
    await page.clock.runFor(100);
    await expect(page.getByText('was not answered yet')).toBeVisible({ timeout: 50 });
  }).toPass();
  expect(agent.links).toHaveLength(1);
  await page.clock.resume();
  await checkScreen(page);
  await button('Look again').click();
  await expect.poll(() => agent.links).toHaveLength(2);
  await expect(page.getByText('nothing changes until you do')).toBeVisible();
  await expect(connectedMessages()).toHaveCount(0);
  agent.status = linked;
  await expect(connectedMessages()).toBeVisible();
});

test('[P10.8] after the computer’s user declined, the page says so and points to the code', async () => {
  const agent = await routeLoopback(page, guest);
  agent.take = () => ({ status: 409, code: 'declined' });
  await toDownload();
  await expect(page.getByText('Someone at this computer said no.')).toBeVisible();
  await expect(connectedMessages()).toHaveCount(0);
  await expectOtherWays();
});

test('[P3.3] an agent that refused the link does not get it again, and the page points to the code', async () => {
  const agent = await routeLoopback(page, guest);
  agent.take = () => 409;
  const createdDevice = await toDownload();
  await expect(useTheCode()).toBeVisible();
  expect(agent.links).toHaveLength(1);
  await expectOtherWays();
  await enrol(createdDevice.login_code);
  await expect(page.getByText('Device connected', { exact: true })).toBeVisible();
});

test('[P3.3] a status answer that was pending when the link was refused does not hand the link over again', async () => {
  const agent = await routeLoopback(page, guest);
  agent.take = () => 409;
  // The first call only checks whether this computer is protected, and is aborted before the search.
  const pendingRoutes: Route[] = [];
  await page.route(`http://127.0.0.1:${limits.loopback_port}/.well-known/`, async (route) => void pendingRoutes.push(route));
  await toDownload();
  await expect.poll(() => pendingRoutes.length, { intervals: [50] }).toBeGreaterThanOrEqual(3);
  const answer = (route: Route | undefined) => route?.fulfill({ json: guest, headers: { 'access-control-allow-origin': '*' } });
  const refusedResponse = page.waitForResponse((response) => response.url().endsWith('/api/uri'));
  await answer(pendingRoutes[1]);
  await refusedResponse;
  for (const route of pendingRoutes.slice(2)) await answer(route);
  await expect(useTheCode()).toBeVisible();
  expect(agent.links).toHaveLength(1);
});

test('[4.11] [9.5] the search can be restarted after a countdown of five seconds, and is then locked again', async () => {
  await page.clock.install();
  const agent = await routeLoopback(page, guest);
  agent.take = () => 409;
  await toDownload();
  await expect(button(/^Restart the search/)).toBeDisabled();
  await expect(useTheCode()).toBeVisible();
  await page.clock.runFor(5_000);
  const restart = button('Restart the search');
  await expect(restart).toHaveText('Restart the search');
  await expect(restart).toBeEnabled();
  await pauseClock();

  await restart.click();
  await page.clock.runFor(1);
  for (const secondsLeft of [5, 4, 3, 2, 1]) {
    await expect(restart).toHaveText(`Restart the search in ${secondsLeft} s`);
    await expect(restart).toBeDisabled();
    await page.clock.runFor(secondsLeft === 1 ? 998 : 1_000);
  }
  await expect(restart).toBeDisabled();
  await page.clock.runFor(2);
  await expect(restart).toHaveText('Restart the search');
  await expect(restart).toBeEnabled();
  expect(agent.links).toHaveLength(2);
  await expect(page.locator('[aria-live]', { has: restart })).toHaveCount(0);
});

test('adding this device takes at most four presses, connecting included', async () => {
  const presses = await countPresses(page);
  const agent = await routeLoopback(page, guest);
  agent.take = async ({ uri }) => {
    await enrol(parseLinkUri(uri)?.code ?? '');
    agent.status = linked;
    return 200;
  };
  await page.goto(world.dashboardUrl);
  await page.getByRole('link', { name: 'Add Device' }).click();
  await button('This device').click();
  await expect(page.getByLabel('Device name')).toBeFocused();
  await page.keyboard.type('Den PC');
  await button('Continue').click();
  await expect(page.getByText('Device connected').first()).toBeVisible();
  await page.getByRole('link', { name: 'Continue to dashboard' }).click();
  await expect(page.getByText('Protected', { exact: true })).toBeVisible();
  expect(presses()).toBeGreaterThan(2);
  expect(presses()).toBeLessThanOrEqual(4);
});

test('adding another device takes at most five presses, copying the link included, and works by keyboard alone', async ({ browser }) => {
  page = await pageOf(browser, world, ann, { permissions: ['clipboard-read', 'clipboard-write'] });
  const presses = await countPresses(page);
  await page.goto(world.dashboardUrl);
  const go = async (target: ReturnType<typeof button>) => {
    await expect(async () => {
      await page.keyboard.press('Tab');
      // Without a timeout: a slow check would skip the target.
      expect(await target.evaluate((element) => element === document.activeElement)).toBe(true);
    }).toPass({ intervals: [0] });
    await page.keyboard.press('Enter');
  };
  await go(page.getByRole('link', { name: 'Add Device' }));
  await go(button('Another device'));
  await expect(page.getByLabel('Device name')).toBeFocused();
  await page.keyboard.type('Mum’s laptop');
  await page.keyboard.press('Enter');
  await expect(page.locator('.code')).toBeVisible();
  await go(button('Copy Share Link'));
  await expect(button('Copied!')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${world.dashboardUrl}/share/${await page.locator('.code').textContent()}`,
  );
  await go(page.getByRole('link', { name: 'Continue to dashboard' }));
  await expect(page.getByText('Pending install', { exact: true })).toBeVisible();
  expect(presses()).toBeGreaterThan(2);
  expect(presses()).toBeLessThanOrEqual(5);
});
