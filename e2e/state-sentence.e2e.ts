import { expect, type Locator, type Page } from '@playwright/test';
import { brand } from '@porchlight/contract/brand.ts';
import type { AgentLimitation } from '@porchlight/contract/device-health.ts';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { agentInfo, checkInBody } from '@porchlight/server/testing/agent-info.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The worst problem is the first sentence of dashboard and guardian's page, and matches the title and the row's tag (P9.4). */

let world: World;
let ann: Person;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeEach(async () => {
  ann = await registeredPerson(world);
});

const state = (page: Page) => page.getByRole('region', { name: 'Is everyone safe?' });
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const lampOf = (element: Locator) => element.locator('[fill="var(--lamp)"]');
const color = (target: Locator) => target.evaluate((element) => getComputedStyle(element).borderTopColor);
const mum = { name: 'Mum', phone_number: '+12025550143', is_holder: false };

async function guardianPage(page: Page): Promise<Page> {
  const email = `bob-${ann.email}`;
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email } });
  await page.goto(linkIn(await mailTo(world, email, /guardian/)));
  await page.getByRole('button', { name: 'I will look out' }).click();
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  return page;
}

async function changeAnswer(page: Page, url: string, key: string, extraFields: object): Promise<void> {
  await page.route(url, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as Record<string, object[]>;
    await route.fulfill({ response: answer, json: { ...body, [key]: (body[key] ?? []).map((one) => ({ ...one, ...extraFields })) } });
  });
}

test('[P9.4] after an uninstallation and a stopped program, both pages first show the missing protection in red, then the stopped program', async ({
  browser,
  page: bob,
}) => {
  const device = await linkedDevice(world, ann, 'Den PC');
  await guardianPage(bob);
  await reportAlert(world, device);
  const page = await pageOf(browser, world, ann);
  await page.goto(world.dashboardUrl);
  const heading = state(page).getByRole('heading');
  await expect(heading).toHaveText(/^We stopped AnyDesk on Den PC, (?:today|yesterday) at \d{1,2}:\d\d [AP]M$/);
  await expect(lampOf(state(page))).toHaveCount(1);
  const amber = await color(state(page));
  await expect(page).toHaveTitle(`We stopped AnyDesk on Den PC · ${brand.name}`);
  await checkScreen(page);
  await call(world.url, 'POST /agent/goodbye', { token: device.token, body: { reason: 'uninstalled' } });
  await page.reload();
  await bob.reload();
  for (const [title, targetPage] of [
    [`Den PC is not protected · ${brand.name}`, page],
    [`Den PC is not protected · You look out for Ann · ${brand.name}`, bob],
  ] as const) {
    const firstHeading = targetPage.getByRole('heading', {
      name: /^Den PC is not protected: Porchlight was uninstalled (?:today|yesterday) at \d{1,2}:\d\d [AP]M$/,
    });
    await expect(firstHeading).toBeVisible();
    await expect(targetPage.getByRole('main')).toContainText(/We stopped AnyDesk on Den PC, (?:today|yesterday)/);
    await expect(targetPage).toHaveTitle(title);
    await checkScreen(targetPage);
  }
  for (const tag of ['Uninstalled', 'Alert']) await expect(row(page, 'Den PC').getByText(tag, { exact: true })).toBeVisible();
  await expect(lampOf(state(page))).toHaveCount(0);
  expect(await color(state(page))).not.toBe(amber);
});

test('[P9.4] the sentence says that everyone is protected only if no computer is pending', async ({ browser }) => {
  await linkedDevice(world, ann, 'Den PC');
  const { uuid } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Mum’s laptop', policy: null } });
  const page = await pageOf(browser, world, ann);
  await page.goto(world.dashboardUrl);
  await expect(state(page).getByRole('heading')).toHaveText('Mum’s laptop is waiting to be installed');
  await expect(state(page)).toContainText('Den PC is on and protected.');
  await expect(state(page)).not.toContainText('Everyone');
  await checkScreen(page);
  await call(world.url, 'DELETE /web/devices/:uuid', { token: ann.token, params: { uuid } });
  await page.reload();
  await expect(state(page).getByRole('heading')).toHaveText('Everyone is protected');
});

test('[P9.4] a computer whose agent cannot block scam sites is not called protected on any page, and a full agent is again', async ({
  browser,
  page: bob,
}) => {
  const device = await linkedDevice(world, ann, 'Den PC');
  await guardianPage(bob);
  const page = await pageOf(browser, world, ann);
  const checkIn = async (limitations: AgentLimitation[]) => {
    const body = { ...checkInBody, info: { ...agentInfo, limitations } };
    await call(world.url, 'POST /agent/check-in', { token: device.token, body });
    await page.goto(world.dashboardUrl);
    await bob.reload();
  };
  await checkIn(['sites_not_blocked', 'other_users_not_ended']);
  const sentence = 'Den PC is on, but scam sites are not blocked there';
  await expect(page).toHaveTitle(`${sentence} · ${brand.name}`);
  for (const targetPage of [page, bob]) {
    await expect(targetPage.getByRole('heading', { name: sentence })).toBeVisible();
    await expect(row(targetPage, 'Den PC').getByText('Partly protected', { exact: true })).toBeVisible();
    await expect(row(targetPage, 'Den PC')).toContainText('Scam sites are not blocked there. Programs that other people');
    await expect(targetPage.getByText('To change that, run the Porchlight installer there').first()).toBeVisible();
    await expect(targetPage.getByRole('main')).not.toContainText(/Everyone is protected|on and protected/);
    await checkScreen(targetPage);
  }
  await page.getByRole('link', { name: 'Manage Den PC' }).click();
  await expect(page.getByText('Scam sites are not blocked there. Programs that other people')).toBeVisible();
  await checkScreen(page);
  await checkIn([]);
  for (const targetPage of [page, bob]) await expect(targetPage.getByRole('heading', { name: 'Everyone is protected' })).toBeVisible();
});

test('[P8.2] if a computer’s user has a number, the first button calls them, for the holder and for the guardian', async ({
  browser,
  page: bob,
}) => {
  const device = await linkedDevice(world, ann, 'Mum’s laptop');
  await guardianPage(bob);
  await reportAlert(world, device);
  const page = await pageOf(browser, world, ann);
  await changeAnswer(page, '**/api/web/devices', 'devices', { person: mum });
  await changeAnswer(bob, '**/api/guardian/*', 'devices', { person: mum });
  await page.goto(world.dashboardUrl);
  await bob.reload();
  for (const targetPage of [page, bob]) {
    await expect(targetPage.getByText('Someone may be on the phone with Mum. Call Mum now and ask them to hang up.')).toBeVisible();
    await expect(targetPage.getByRole('link', { name: 'Call Mum', exact: true })).toHaveAttribute('href', 'tel:+12025550143');
    await checkScreen(targetPage);
  }
  await expect(state(page).getByRole('link').first()).toHaveText('Call Mum');
  await expect(bob.getByRole('main').locator('a, button').first()).toHaveText('Call Mum');
});

test('[P9.4] an answered alert is calm, and names who answered', async ({ browser }) => {
  await reportAlert(world, await linkedDevice(world, ann, 'Den PC'));
  const page = await pageOf(browser, world, ann);
  await changeAnswer(page, '**/api/web/detections?*', 'items', {
    answers: [{ answer: 'sorted', by: 'Bob', you: false, time: new Date().toISOString() }],
  });
  await page.goto(world.dashboardUrl);
  await expect(state(page).getByRole('heading')).toHaveText('Everyone is protected');
  await expect(state(page)).toContainText(
    /We stopped AnyDesk on Den PC, (?:today|yesterday) at \d{1,2}:\d\d [AP]M\. Bob said this is sorted\./,
  );
  await expect(row(page, 'Den PC').getByText('Protected', { exact: true })).toBeVisible();
  await expect(row(page, 'Den PC').getByRole('img', { name: /^Last stopped (?:today|yesterday) at / })).toBeVisible();
  await page.unroute('**/api/web/detections?*');
  await page.reload();
  await expect(state(page).getByRole('heading')).toHaveText(/^We stopped AnyDesk/);
  await expect(row(page, 'Den PC').getByText('Alert', { exact: true })).toBeVisible();
});
