// Tier: fast. The journey of section 9, constants and limits.
import { expect, type Page } from '@playwright/test';
import { brand } from '@porchlight/contract/brand.ts';
import { call } from '@porchlight/dev/call.ts';
import { givePlan, type Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { confirmedPerson, linkedDevice, registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { grant, inPortal, start } from './lib/subscribe.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const card = (page: Page) => page.getByRole('complementary').getByRole('region', { name: 'Your plan' });
const manage = (page: Page) => card(page).getByRole('button', { name: 'Manage Plan', exact: true });
const subscribe = (page: Page) => card(page).getByRole('link', { name: 'Subscribe', exact: true });
const dashboard = async (page: Page) => {
  await page.goto(world.dashboardUrl);
  await expect(
    card(page)
      .getByText(/Protects|plan/)
      .first(),
  ).toBeVisible();
};
/** The plan's end as `MM/dd/yyyy`, computed from the server's date independently of the page. */
const expires = async ({ token }: Person) => {
  const [, year, month, day] =
    /^(\d{4})-(\d\d)-(\d\d)/.exec((await call(world.url, 'GET /web/profile/sub', { token })).expires ?? '') ?? [];
  return `${month}/${day}/${year}`;
};
const inUtc = { timezoneId: 'UTC' };

test('[2.61] [4.14] [4.16] [9.3] the card of a trial shows its plan, the number of devices, its end, and Manage Plan', async ({
  browser,
}) => {
  const ann = await registeredPerson(world);
  const page = await pageOf(browser, world, ann, inUtc);
  await dashboard(page);
  await expect(card(page)).toContainText('Friends & Family, yearly');
  await expect(card(page).getByText('Protects up to 5 devices', { exact: true })).toBeVisible();
  const date = await expires(ann);
  expect(Math.round((Date.parse(`${date} UTC`) - Date.now()) / 86_400_000)).toBeGreaterThanOrEqual(13);
  await expect(card(page).getByText(`Your free trial ends on ${date}.`, { exact: true })).toBeVisible();
  await expect(manage(page)).toBeVisible();
  await expect(subscribe(page)).toHaveCount(0);
  await checkScreen(page);
});

// A single person for both time zones, because of the login rate limit.
let traveler: Person | undefined;
for (const timezoneId of ['America/New_York', 'Pacific/Auckland']) {
  test(`[9.3] the last day of a trial is the same as in its email and its checkout, also in ${timezoneId}`, async ({ browser }) => {
    traveler ??= await registeredPerson(world);
    const ann = traveler;
    const page = await pageOf(browser, world, ann, { timezoneId });
    // Late evening and early morning: the two zones have a different day than UTC.
    for (const [time, day] of [
      ['2026-12-06T02:30:00.000Z', '12/06/2026'],
      ['2026-12-06T21:30:00.000Z', '12/06/2026'],
    ]) {
      await page.unrouteAll();
      await page.route('**/api/web/profile/sub', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), expires: time } });
      });
      await dashboard(page);
      await expect(card(page).getByText(`Your free trial ends on ${day}.`, { exact: true })).toBeVisible();
    }
  });
}

test('[2.61] [4.16] Manage Plan leads to the portal and back, and the card then shows a payment, a cancellation and a failed payment', async ({
  browser,
}) => {
  const ann = await registeredPerson(world);
  const page = await pageOf(browser, world, ann, inUtc);
  await dashboard(page);
  for (const [buttonName, cardText] of [
    ['End the trial now', (date: string) => `Renews on ${date}.`],
    [
      'Cancel at the end of the period',
      (date: string) => `Your plan ends on ${date} and will not renew. The free plan’s protection stays on.`,
    ],
    ['Go on after all', (date: string) => `Renews on ${date}.`],
    ['Fail a payment now', () => 'Your last payment did not go through. You are still protected. Press Manage Plan and check your card.'],
  ] as const) {
    await inPortal(page, buttonName);
    await expect(card(page).getByText(cardText(await expires(ann)), { exact: true })).toBeVisible();
    await expect(manage(page)).toBeVisible();
    await expect(subscribe(page)).toHaveCount(0);
    await checkScreen(page);
  }
  await expect(page.getByRole('heading', { name: 'Nobody is protected yet' })).toBeVisible();
});

test('[4.15] [2.61] an account without a plan sees Subscribe, [4.18] and with granted devices also that its plan is complimentary', async ({
  browser,
}) => {
  const ann = await confirmedPerson(world);
  await grant(world, ann, '--devices', '3');
  const page = await pageOf(browser, world, ann);
  await dashboard(page);
  await expect(card(page)).toContainText('Complimentary access: free of charge.');
  await expect(card(page)).toContainText('Protects up to 3 devices');
  await expect(manage(page)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Add Device', exact: true })).toBeVisible();
  await checkScreen(page);
  await subscribe(page).click();
  await expect(start(page)).toBeVisible();
  await expect(page).toHaveURL(`${world.dashboardUrl}/subscribe`);
});

test('[4.17] [6.7] an external plan says so and whom to ask, without Subscribe and Manage Plan; [2.61] [4.15] a lifetime plan says that', async ({
  browser,
}) => {
  const ann = await registeredPerson(world);
  const page = await pageOf(browser, world, ann);
  await grant(world, ann, '--external');
  await dashboard(page);
  await expect(card(page).getByText('Your plan is managed externally. To change it, contact support.', { exact: true })).toBeVisible();
  await expect(card(page).getByRole('link', { name: brand.support.title })).toHaveAttribute('href', `mailto:${brand.support.email}`);
  await expect(manage(page)).toHaveCount(0);
  await expect(subscribe(page)).toHaveCount(0);
  await checkScreen(page);
  const eve = await confirmedPerson(world);
  await grant(world, eve, '--lifetime', '--devices', '2');
  const evesPage = await pageOf(browser, world, eve);
  await dashboard(evesPage);
  await expect(card(evesPage)).toContainText('Your plan is for life. There is nothing to pay.');
  await expect(manage(evesPage)).toHaveCount(0);
  await expect(subscribe(evesPage)).toHaveCount(0);
});

test('a plan for fewer devices than there are says so, and removes none', async ({ browser }) => {
  const ann = await confirmedPerson(world);
  await grant(world, ann, '--devices', '3');
  for (const name of ['Den PC', 'Mac', 'Old PC']) await linkedDevice(world, ann, name);
  await givePlan(world, ann.token, 'price_individual_monthly');
  await grant(world, ann, '--devices', '0');
  const page = await pageOf(browser, world, ann);
  await dashboard(page);
  const tooManyText = 'Your plan protects 1 device and you have 3: nothing was removed. To add another, change your plan or remove some.';
  await expect(card(page).getByText(tooManyText, { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your devices (3 of 1)' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add Device', exact: true })).toHaveCount(0);
  await expect(page.getByRole('link', { name: /^Manage / })).toHaveCount(3);
  await expect(page.getByRole('heading', { name: 'Everyone is protected' })).toBeVisible();
  await checkScreen(page);
  await checkScreenZoomed(page);
  await grant(world, ann, '--devices', '3');
  await dashboard(page);
  await expect(page.getByText(/nothing was removed/)).toHaveCount(0);
});

test('an unreachable portal shows an error in the card, and Manage Plan works again', async ({ browser }) => {
  const page = await pageOf(browser, world, await registeredPerson(world));
  await dashboard(page);
  await page.route('**/api/web/profile/sub/portal', (route) => route.abort(), { times: 1 });
  await manage(page).click();
  await expect(card(page).getByRole('alert')).toHaveText('Failed to connect to API.');
  await expect(card(page).getByRole('alert')).toBeFocused();
  await expect(manage(page)).toBeEnabled();
  await checkScreen(page);
});

test('[2.123] an ended plan leads to Subscribe, which mentions its end and the free plan, and promises no second trial', async ({
  browser,
}) => {
  const ann = await registeredPerson(world);
  const page = await pageOf(browser, world, ann, inUtc);
  await dashboard(page);
  await inPortal(page, 'End the plan now');
  await expect(page).toHaveURL(`${world.dashboardUrl}/subscribe`);
  await expect(start(page)).toBeVisible();
  await expect(
    page.getByText(`Your plan ended on ${await expires(ann)}. The free plan’s protection stays on.`, { exact: true }),
  ).toBeVisible();
  await expect(page.locator('.plan').filter({ hasText: '14-day free trial (you have had yours)' })).toHaveCount(2);
  await expect(page.getByText('Nothing is charged today.')).toHaveCount(0);
  await checkScreen(page);
});

test('an unpaid plan on hold leads to the portal, and not to a second plan', async ({ browser }) => {
  const page = await pageOf(browser, world, await registeredPerson(world));
  // Stripe can be configured to keep a plan with failed payments; the simulator ends it.
  const onHold = { subscribed: false, device_limit: 0, status: 'past_due' };
  await page.route('**/api/web/profile/sub', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...onHold } });
  });
  await page.goto(world.dashboardUrl);
  await expect(page).toHaveURL(`${world.dashboardUrl}/subscribe`);
  await expect(page.getByText(/^Your last payment did not go through, so your plan is on hold\./)).toBeVisible();
  await expect(start(page)).toHaveCount(0);
  await checkScreen(page);
  await page.unroute('**/api/web/profile/sub');
  await page.getByRole('button', { name: 'Manage Plan' }).click();
  await expect(page).toHaveURL(/\/dev\/payments\/portal\//);
  await page.context().close();
});
