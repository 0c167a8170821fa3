import { randomUUID } from 'node:crypto';
import { type Browser, expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { linkedDevice, type Person, registeredPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf, reportAlert, unconfirmedPerson } from './lib/accounts.ts';
import { userAgents } from './lib/installers.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** Nothing that someone has begun to read or to press moves away from under their eyes, on a phone with a slow network. */

let world: World;
let ann: Person;
withWorld((its) => {
  world = its;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
});

/** The worst that a page may have moved in all, as browsers count it. */
const most = 0.02;
const phone = { viewport: { width: 412, height: 823 } };
const slow = { offline: false, downloadThroughput: 200_000, uploadThroughput: 90_000, latency: 150 };

interface Shift {
  value: number;
  what: string[];
}

/** A page on a phone with a slow network, which keeps what moved. */
async function slowPage(browser: Browser, person: Person | null): Promise<Page> {
  const page = await pageOf(browser, world, person, phone);
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    type Entry = PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Element | null; previousRect: DOMRect; currentRect: DOMRect }[];
    };
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        const what = sources.map(
          ({ node, previousRect: from, currentRect: to }) =>
            `${node?.nodeName}.${node?.className ?? ''} from ${from.y} (${from.height} high) to ${to.y} (${to.height} high)`,
        );
        if (!hadRecentInput) shifts.push({ value, what });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  await network.send('Network.emulateNetworkConditions', slow);
  return page;
}

/** Resolves once everything is loaded and drawn, the fonts too. */
async function moved(page: Page): Promise<Shift[]> {
  await expect(page.locator('.skeleton')).toHaveCount(0, { timeout: 30_000 });
  await page.waitForLoadState('load');
  return page.evaluate(async () => {
    await document.fonts.ready;
    // Layout shifts are counted after the next frame.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    return (window as unknown as { shifts: Shift[] }).shifts;
  });
}

async function still(page: Page): Promise<void> {
  const shifts = await moved(page);
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThan(most);
}

async function invited(): Promise<string> {
  const email = `${randomUUID()}@example.org`;
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email } });
  return linkIn(await mailTo(world, email, /guardian/));
}

test('it is measured: what is pushed down after it was drawn counts', async ({ browser }) => {
  const page = await slowPage(browser, null);
  await page.goto(`${world.dashboardUrl}/login`);
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  await still(page);
  await page.evaluate(() => document.querySelector('main')?.insertAdjacentHTML('beforebegin', '<div style="height:200px"></div>'));
  await expect.poll(async () => (await moved(page)).length).toBeGreaterThan(0);
});

test('the dashboard, with a computer that is protected, one with an alert and one that waits', async ({ browser }) => {
  const person = await registeredPerson(world);
  await linkedDevice(world, person, 'Den PC');
  await reportAlert(world, await linkedDevice(world, person, 'Attic PC'));
  await call(world.url, 'POST /web/create-device', { token: person.token, body: { name: 'Mum’s laptop', policy: null } });
  const page = await slowPage(browser, person);
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: /^We stopped AnyDesk on Attic PC/ })).toBeVisible({ timeout: 30_000 });
  await still(page);
});

test('the dashboard below a banner', async ({ browser }) => {
  const page = await slowPage(browser, await unconfirmedPerson(world));
  await page.goto(`${world.dashboardUrl}/profile`);
  await expect(page.getByText('Your email address is not verified.')).toBeVisible({ timeout: 30_000 });
  await still(page);
});

test('the dashboard without a computer', async ({ browser }) => {
  const page = await slowPage(browser, await registeredPerson(world));
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: 'Nobody is protected yet' })).toBeVisible({ timeout: 30_000 });
  await still(page);
});

test('the invitation of a guardian; their page while all is well; and their page with an alert', async ({ browser }) => {
  const link = await invited();
  const invitation = await slowPage(browser, null);
  await invitation.goto(link);
  await expect(invitation.getByRole('button', { name: 'I will look out' })).toBeVisible({ timeout: 30_000 });
  await still(invitation);
  await invitation.getByRole('button', { name: 'I will look out' }).click();
  await expect(invitation.getByText('You look out for Ann', { exact: true })).toBeVisible();
  const device = await linkedDevice(world, ann, 'Den PC');
  const calm = await slowPage(browser, null);
  await calm.goto(link);
  await expect(calm.getByRole('heading', { name: 'Everyone is protected' })).toBeVisible({ timeout: 30_000 });
  await still(calm);
  await reportAlert(world, device);
  const alarmed = await slowPage(browser, null);
  await alarmed.goto(link);
  await expect(alarmed.getByRole('heading', { name: /^We stopped AnyDesk/ })).toBeVisible({ timeout: 30_000 });
  await still(alarmed);
});

for (const [system, items] of [
  ['Windows', []],
  ['Windows', [{ platform: 'windows' }]],
  ['Linux', []],
] as const) {
  test(`the page of the free plan on ${system}, ${items.length ? 'with' : 'without'} an installer`, async ({ browser }) => {
    const page = await slowPage(browser, null);
    await page.addInitScript((userAgent) => {
      Object.defineProperty(navigator, 'userAgent', { value: userAgent });
      Object.defineProperty(navigator, 'userAgentData', { value: undefined });
    }, userAgents[system]);
    await page.route('**/api/downloads', (route) => route.fulfill({ json: { items } }));
    await page.goto(`${world.dashboardUrl}/free-download`);
    await expect(page.getByText('Do you need help?')).toBeVisible({ timeout: 30_000 });
    await still(page);
    // Only where nothing runs our program there is a warning.
    await expect(page.getByText('not compatible')).toHaveCount(system === 'Linux' ? 1 : 0);
  });
}

test('the page that is shared with who sits at the other computer', async ({ browser }) => {
  const { login_code } = await call(world.url, 'POST /web/create-device', {
    token: ann.token,
    body: { name: 'Mum’s laptop', policy: null },
  });
  const page = await slowPage(browser, null);
  await page.goto(`${world.dashboardUrl}/share/${login_code}`);
  await expect(page.getByText(login_code, { exact: true })).toBeVisible({ timeout: 30_000 });
  await still(page);
});
