import { expect, type Page, type Route } from '@playwright/test';
import { limits } from '@porchlight/contract/limits.ts';
import { parseLinkUri } from '@porchlight/contract/loopback.ts';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { countPresses } from './lib/count-presses.ts';
import { userAgents } from './lib/installers.ts';
import { guest, linked, routeLoopback } from './lib/loopback-routes.ts';
import { withAnn } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The link goes by itself to the program on this computer, or does not, and then the code beside it is the way. */

let world: World;
let ann: Person;
let page: Page;
withAnn(
  (its) => {
    ({ world, ann, page } = its);
  },
  { browser: { userAgent: userAgents.Windows } },
);

const button = (name: string | RegExp) => page.getByRole('button', { name });
const looking = () => page.getByText('We are looking for Porchlight on this computer…', { exact: true });
const useTheCode = () => page.getByText('This page could not reach Porchlight on this computer. Use the code instead.', { exact: true });
const both = () => page.getByText('Your device has been upgraded successfully! Device connected', { exact: true });
/** The ways to connect that need neither permission nor a running agent. */
const besides = async () => {
  await expect(page.locator('.code')).toHaveText(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  await expect(page.getByRole('img', { name: 'QR code of the share link' })).toBeVisible();
  await expect(button('Copy Share Link')).toBeEnabled();
  await expect(page.getByRole('link', { name: 'Continue to dashboard' })).toBeVisible();
};
/** Goes to the download step, and resolves once the device is made. */
const toDownload = async () => {
  const made = page.waitForResponse((answer) => answer.url().endsWith('/api/web/create-device'));
  await page.goto(`${world.dashboardUrl}/add-device`);
  await button('This device').click();
  await page.getByLabel('Device name').fill('Den PC');
  await button('Continue').click();
  return (await (await made).json()) as { login_code: string; link_uri: string; link_uri_signature: string };
};
/** The page's clock stands still; from here on a turn of the poll is taken each time that it is told to. */
const standStill = () => page.clock.pauseAt(new Date(Date.now() + 60_000));
/** The times at which the page polled the agent, by its own clock. */
const askedAt = () => page.evaluate(() => (window as unknown as { askedAt: number[] }).askedAt);
const noteWhen = () =>
  page.addInitScript(() => {
    const times: number[] = [];
    const real = window.fetch;
    window.fetch = (what, how) => {
      if (String(what).includes(':23407/.well-known/')) times.push(Date.now());
      return real(what, how);
    };
    Object.assign(window, { askedAt: times });
  });
/** Advances the clock until the agent was polled so often. */
const turnsUntil = async (count: number) => {
  while ((await askedAt()).length < count) await page.clock.runFor(limits.local_app_poll / 2);
};
const enrol = (code: string) =>
  call(world.url, 'POST /agent/enrol', {
    body: {
      code,
      info: { name: 'den-pc', platform: 'linux', os_version: 'Debian 12', arch: 'x64', agent_version: '1.0.0', time_zone: 'UTC' },
    },
  });

test('[4.7] [4.8] [4.9] [4.10] the device is made, its signed link handed over once, and asked about until it is connected and no guest', async () => {
  const agent = await routeLoopback(page, guest);
  const made = await toDownload();
  await expect.poll(() => agent.links).toEqual([{ uri: made.link_uri, signature: made.link_uri_signature }]);
  await besides();
  agent.status = { g: true, l: true, v: '1.0.0' };
  const asked = agent.asked;
  await expect.poll(() => agent.asked).toBeGreaterThan(asked + 1);
  await expect(looking()).toBeVisible();
  agent.status = linked;
  await expect(both()).toBeVisible();
  expect(agent.links).toHaveLength(1);
  await checkScreen(page);

  // Whatever it says, the device is connected once its code is used up.
  await enrol(made.login_code);
  await expect(page.getByRole('status').filter({ hasText: 'Device connected' })).toContainText(
    'Your device has been upgraded successfully!',
  );
  await expect(page.locator('.code')).toHaveCount(0);
  const done = agent.asked;
  await page.getByRole('link', { name: 'Continue to dashboard' }).click();
  await expect(page.getByText('Protected', { exact: true })).toBeVisible();
  expect(agent.asked).toBe(done);
});

// The first step of the flow has asked once, before the search begins.
const search = 1 + limits.local_app_tries;

test('[4.9] [9.5] it is asked every half second, 120 times, and the last answer still counts', async () => {
  await page.clock.install();
  await noteWhen();
  const agent = await routeLoopback(page, null);
  await toDownload();
  await expect(looking()).toBeVisible();
  await standStill();
  await turnsUntil(6);
  const from = (await askedAt()).length - 1;
  await turnsUntil(search - 2);
  agent.status = guest;
  await turnsUntil(search - 1);
  await expect.poll(() => agent.links).toHaveLength(1);
  agent.status = linked;
  await turnsUntil(search);
  expect(search).toBe(121);
  await expect(async () => {
    await page.clock.runFor(100);
    await expect(both()).toBeVisible({ timeout: 50 });
  }).toPass();
  expect(await askedAt()).toHaveLength(121);
  const times = (await askedAt()).slice(from);
  const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  expect(gaps.length).toBeGreaterThan(100);
  expect(Math.min(...gaps)).toBe(500);
  // The odd one begins after the step of the clock in which it was due.
  expect(gaps.filter((gap) => gap === 500).length).toBeGreaterThan(gaps.length / 2);
});

test('[4.9] [9.5] [P3.3] somebody has the port and says nothing, and then nobody is there: after 120 tries it says to use the code, which was there from the first second', async () => {
  await page.clock.install();
  await noteWhen();
  const agent = await routeLoopback(page, 'hangs');
  await toDownload();
  await expect(looking()).toBeVisible();
  await besides();
  await standStill();
  // The next poll does not wait for this one.
  await turnsUntil(8);
  agent.status = null;
  await turnsUntil(search);
  await expect(looking()).toBeVisible();
  await expect(async () => {
    await page.clock.runFor(100);
    await expect(useTheCode()).toBeVisible({ timeout: 50 });
  }).toPass();
  await page.clock.runFor(5_000);
  expect(await askedAt()).toHaveLength(search);
  await besides();
  await page.clock.resume();
  await checkScreen(page);
});

const answerIt = () => page.getByText('Answer the question in the Porchlight window', { exact: false });

test('[P10.8] [4.9] where to answer is said from the start; while the window asks it is looked whether it was, for 120 looks, and then again by a button', async () => {
  await page.clock.install();
  await noteWhen();
  const agent = await routeLoopback(page, guest);
  agent.take = () => ({ status: 409, code: 'asked' });
  await toDownload();
  await expect(answerIt()).toBeVisible();
  await besides();
  await expect.poll(() => agent.links).toHaveLength(1);
  await expect(page.getByText('nothing changes until you do')).toBeVisible();
  await standStill();
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
  await expect(both()).toHaveCount(0);
  agent.status = linked;
  await expect(both()).toBeVisible();
});

test('[P10.8] that somebody at the computer said no is said, and the code is the way', async () => {
  const agent = await routeLoopback(page, guest);
  agent.take = () => ({ status: 409, code: 'declined' });
  await toDownload();
  await expect(page.getByText('Someone at this computer said no.')).toBeVisible();
  await expect(both()).toHaveCount(0);
  await besides();
});

test('[P3.3] a program that refuses the link is not asked again with it, and the code is the way', async () => {
  const agent = await routeLoopback(page, guest);
  agent.take = () => 409;
  const made = await toDownload();
  await expect(useTheCode()).toBeVisible();
  expect(agent.links).toHaveLength(1);
  await besides();
  await enrol(made.login_code);
  await expect(page.getByText('Device connected', { exact: true })).toBeVisible();
});

test('[P3.3] an answer that was under way when the link was refused does not hand it over again', async () => {
  const agent = await routeLoopback(page, guest);
  agent.take = () => 409;
  // The first one only asks whether this computer is protected already, and is given up before the search begins.
  const held: Route[] = [];
  await page.route(`http://127.0.0.1:${limits.loopback_port}/.well-known/`, async (route) => void held.push(route));
  await toDownload();
  await expect.poll(() => held.length, { intervals: [50] }).toBeGreaterThanOrEqual(3);
  const answer = (route: Route | undefined) => route?.fulfill({ json: guest, headers: { 'access-control-allow-origin': '*' } });
  const refused = page.waitForResponse((given) => given.url().endsWith('/api/uri'));
  await answer(held[1]);
  await refused;
  for (const route of held.slice(2)) await answer(route);
  await expect(useTheCode()).toBeVisible();
  expect(agent.links).toHaveLength(1);
});

test('[4.11] [9.5] the search can be started again after five seconds, which are counted down, and then is locked anew', async () => {
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
  await standStill();

  await restart.click();
  await page.clock.runFor(1);
  for (const left of [5, 4, 3, 2, 1]) {
    await expect(restart).toHaveText(`Restart the search in ${left} s`);
    await expect(restart).toBeDisabled();
    await page.clock.runFor(left === 1 ? 998 : 1_000);
  }
  await expect(restart).toBeDisabled();
  await page.clock.runFor(2);
  await expect(restart).toHaveText('Restart the search');
  await expect(restart).toBeEnabled();
  expect(agent.links).toHaveLength(2);
  await expect(page.locator('[aria-live]', { has: restart })).toHaveCount(0);
});

test('adding this device takes four presses at most, connecting included', async () => {
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

test('adding another one takes five presses at most, the link to send included; and the keyboard alone is enough', async ({ browser }) => {
  page = await pageOf(browser, world, ann, { permissions: ['clipboard-read', 'clipboard-write'] });
  const presses = await countPresses(page);
  await page.goto(world.dashboardUrl);
  const go = async (target: ReturnType<typeof button>) => {
    await expect(async () => {
      await page.keyboard.press('Tab');
      await expect(target).toBeFocused({ timeout: 50 });
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
