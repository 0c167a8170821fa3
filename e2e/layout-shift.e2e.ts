import { randomUUID } from 'node:crypto';
import { type Browser, expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf, reportAlert, unconfirmedPerson } from './lib/accounts.ts';
import { userAgents } from './lib/installers.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
});

/** The highest allowed cumulative layout shift. */
const maxShift = 0.02;
const phone = { viewport: { width: 412, height: 823 } };
const slowNetwork = { offline: false, downloadThroughput: 200_000, uploadThroughput: 90_000, latency: 150 };

interface Shift {
  value: number;
  what: string[];
}

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
  await network.send('Network.emulateNetworkConditions', slowNetwork);
  return page;
}

/** Resolves once everything is loaded and drawn, the fonts too. */
async function moved(page: Page): Promise<Shift[]> {
  await expect(page.locator('.skeleton')).toHaveCount(0, { timeout: 30_000 });
  await page.waitForLoadState('load');
  return page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    return (window as unknown as { shifts: Shift[] }).shifts;
  });
}

async function expectStill(page: Page): Promise<void> {
  const shifts = await moved(page);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThan(maxShift);
}

async function inviteGuardian(): Promise<string> {
  const email = `${randomUUID()}@example.org`;
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email } });
  return linkIn(await mailTo(world, email, /guardian/));
}

test('the measurement detects content that is pushed down after it was drawn', async ({ browser }) => {
  const page = await slowPage(browser, null);
  await page.goto(`${world.dashboardUrl}/login`);
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  await expectStill(page);
  await page.evaluate(() => document.querySelector('main')?.insertAdjacentHTML('beforebegin', '<div style="height:200px"></div>'));
  await expect.poll(async () => (await moved(page)).length).toBeGreaterThan(0);
});

test('the dashboard with a protected computer, one with an alert and a pending one does not shift', async ({ browser }) => {
  const person = await registeredPerson(world);
  await linkedDevice(world, person, 'Den PC');
  await reportAlert(world, await linkedDevice(world, person, 'Attic PC'));
  await call(world.url, 'POST /web/create-device', { token: person.token, body: { name: 'Mum’s laptop', policy: null } });
  const page = await slowPage(browser, person);
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: /^We stopped AnyDesk on Attic PC/ })).toBeVisible({ timeout: 30_000 });
  await expectStill(page);
});

test('the dashboard below a banner does not shift', async ({ browser }) => {
  const page = await slowPage(browser, await unconfirmedPerson(world));
  await page.goto(`${world.dashboardUrl}/profile`);
  await expect(page.getByText('Your email address is not verified.')).toBeVisible({ timeout: 30_000 });
  await expectStill(page);
});

test('the dashboard without a computer does not shift', async ({ browser }) => {
  const page = await slowPage(browser, await registeredPerson(world));
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: 'Nobody is protected yet' })).toBeVisible({ timeout: 30_000 });
  await expectStill(page);
});

test('a guardian’s invitation, and the guardian page with and without an alert, do not shift', async ({ browser }) => {
  const link = await inviteGuardian();
  const invitation = await slowPage(browser, null);
  await invitation.goto(link);
  await expect(invitation.getByRole('button', { name: 'I will look out' })).toBeVisible({ timeout: 30_000 });
  await expectStill(invitation);
  await invitation.getByRole('button', { name: 'I will look out' }).click();
  await expect(invitation.getByText('You look out for Ann', { exact: true })).toBeVisible();
  const device = await linkedDevice(world, ann, 'Den PC');
  const calmPage = await slowPage(browser, null);
  await calmPage.goto(link);
  await expect(calmPage.getByRole('heading', { name: 'Everyone is protected' })).toBeVisible({ timeout: 30_000 });
  await expectStill(calmPage);
  await reportAlert(world, device);
  const alarmed = await slowPage(browser, null);
  await alarmed.goto(link);
  await expect(alarmed.getByRole('heading', { name: /^We stopped AnyDesk/ })).toBeVisible({ timeout: 30_000 });
  await expectStill(alarmed);
});

for (const [system, items] of [
  ['Windows', []],
  ['Windows', [{ platform: 'windows' }]],
  ['Linux', []],
] as const) {
  test(`the free-download page on ${system}, ${items.length ? 'with' : 'without'} an installer, does not shift`, async ({ browser }) => {
    const page = await slowPage(browser, null);
    await page.addInitScript((userAgent) => {
      Object.defineProperty(navigator, 'userAgent', { value: userAgent });
      Object.defineProperty(navigator, 'userAgentData', { value: undefined });
    }, userAgents[system]);
    await page.route('**/api/downloads', (route) => route.fulfill({ json: { items, build: { state: 'idle' }, needs_makensis: false } }));
    await page.goto(`${world.dashboardUrl}/free-download`);
    await expect(page.getByText('Do you need help?')).toBeVisible({ timeout: 30_000 });
    await expectStill(page);
    // The warning appears only without an agent for the system.
    await expect(page.getByText('not compatible')).toHaveCount(system === 'Linux' ? 1 : 0);
  });
}

test('the share page does not shift', async ({ browser }) => {
  const { login_code } = await call(world.url, 'POST /web/create-device', {
    token: ann.token,
    body: { name: 'Mum’s laptop', policy: null },
  });
  const page = await slowPage(browser, null);
  await page.goto(`${world.dashboardUrl}/share/${login_code}`);
  await expect(page.getByText(login_code, { exact: true })).toBeVisible({ timeout: 30_000 });
  await expectStill(page);
});
