import { expect, type Page } from '@playwright/test';
import { brand } from '@porchlight/contract/brand.ts';
import type { Product } from '@porchlight/contract/subscriptions.ts';
import { givePlan, type Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { confirmedPerson } from './lib/people.ts';
import { logIn } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { card, grant, interval, openSubscribe, plan, plans, start } from './lib/subscribe.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async () => {
  ann = await confirmedPerson(world);
});

const choose = 'Select a plan to start your subscription';
const coupon = 'If you have a coupon code, enter it on the next page.';
const nav = (page: Page) => page.getByRole('navigation', { name: 'Main' });
/** Catches the orders in the browser. */
const orders = async (page: Page) => {
  const sentBodies: unknown[] = [];
  await page.route('**/api/web/profile/sub/order', (route) => {
    sentBodies.push(route.request().postDataJSON());
    return route.fulfill({ json: `${world.url}/elsewhere` });
  });
  return sentBodies;
};

test('an account without a plan is redirected to Subscribe from every page that needs one, and only from those', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  for (const path of ['', '/add-device', '/policies', '/devices/11111111-1111-4111-8111-111111111111']) {
    await page.goto(`${world.dashboardUrl}${path}`);
    await expect(page).toHaveURL(`${world.dashboardUrl}/subscribe`);
    await expect(page.getByRole('heading', { level: 1, name: 'Choose your plan' })).toBeVisible();
    await expect(page).toHaveTitle(`Subscribe · ${brand.name}`);
  }
  await page.goto(`${world.dashboardUrl}/profile`);
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeVisible();
  await expect(page).toHaveURL(`${world.dashboardUrl}/profile`);
});

test('[2.9] [2.131] Subscribe needs a login; with a subscription it redirects to the dashboard, with granted devices it does not', async ({
  browser,
}) => {
  const guest = await pageOf(browser, world, null);
  await guest.goto(`${world.dashboardUrl}/subscribe`);
  await expect(guest).toHaveURL(`${world.dashboardUrl}/login`);
  await openSubscribe(await pageOf(browser, world, ann), world);
  const eve = await confirmedPerson(world);
  await grant(world, eve, '--devices', '2');
  const page = await pageOf(browser, world, eve);
  await openSubscribe(page, world);
  await expect(page.getByRole('link', { name: 'Go to the dashboard' })).toBeVisible();
  await givePlan(world, eve.token);
  await page.reload();
  await expect(page).toHaveURL(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
});

test('[2.118] [9.1] Yearly is preselected and promises to save a third, which its prices do', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  const products = page.waitForResponse('**/api/web/profile/sub/products');
  await openSubscribe(page, world);
  await expect(page.getByRole('group', { name: 'How often do you want to pay?' }).getByRole('radio')).toHaveCount(2);
  await expect(interval(page, 'Yearly (save 33%)')).toBeChecked();
  await interval(page, 'Monthly').check();
  await expect(interval(page, 'Yearly (save 33%)')).not.toBeChecked();
  for (const { name, prices } of ((await (await products).json()) as { products: Product[] }).products) {
    const amountOf = (interval: string) => prices.find((price) => price.interval === interval)?.amount ?? 0;
    const savedPercent = 100 * (1 - amountOf('year') / (12 * amountOf('month')));
    expect([name, Math.round(savedPercent)]).toEqual([name, 33]);
  }
});

test('[2.118] if an operator’s yearly prices save less, Yearly does not promise a third', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await page.route('**/api/web/profile/sub/products', async (route) => {
    const response = await route.fetch();
    const { products } = (await response.json()) as { products: Product[] };
    const [firstProduct, ...otherProducts] = products;
    const dearerPrices = firstProduct?.prices.map((price) =>
      price.interval === 'year' ? { ...price, amount: price.amount * 1.2 } : price,
    );
    await route.fulfill({ response, json: { products: [{ ...firstProduct, prices: dearerPrices }, ...otherProducts] } });
  });
  await page.goto(`${world.dashboardUrl}/subscribe`);
  await expect(interval(page, 'Yearly')).toBeChecked();
  await expect(page.getByText(/save 33/)).toHaveCount(0);
  await expect(interval(page, 'Monthly')).not.toBeChecked();
});

test('[2.119] [2.120] [2.121] [2.122] [2.123] [2.124] [2.125] [2.132] [9.2] each plan shows everything to compare, highest price first', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, ann);
  const answer = page.waitForResponse('**/api/web/profile/sub/products');
  await openSubscribe(page, world);
  const { products } = (await (await answer).json()) as { products: Product[] };
  expect(products.length).toBeGreaterThan(1);
  for (const [choice, planInterval, unit] of [
    ['Yearly (save 33%)', 'year', 'yr'],
    ['Monthly', 'month', 'mo'],
  ] as const) {
    await interval(page, choice).check();
    const expected = products
      .flatMap(({ name, prices }) => prices.map((price) => ({ ...price, name })))
      .filter((price) => price.interval === planInterval)
      .sort((a, b) => b.amount - a.amount)
      .map(({ name, amount, metadata }) => {
        const limit = JSON.parse(metadata.metadata).device_limit as number;
        const friendsText = limit > 1 ? 'For yourself, friends, and family' : '';
        const supportsText = `Supports up to ${limit} ${limit === 1 ? 'device' : 'devices'}`;
        const month = planInterval === 'year' ? `About $${(Math.round(amount / 12) / 100).toFixed(2)} a month` : '';
        return `${name}$${(amount / 100).toFixed(2)} / ${unit}${month}14-day free trial${friendsText}${supportsText}`;
      });
    await expect(plans(page).locator('label')).toHaveText(expected);
  }
  expect(products.map(({ name }) => name).sort()).toEqual(['Friends & Family', 'Individual']);
  await expect(card(page, 'Individual')).toContainText('Supports up to 1 device');
  await expect(card(page, 'Individual')).not.toContainText('friends');
  await expect(card(page, 'Friends & Family')).toContainText('Supports up to 5 devices');
});

test('[2.126] [2.127] [5.33] the button is disabled without a plan and explains that; the choice survives a switch from yearly to monthly, and is ordered', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, ann);
  const sentBodies = await orders(page);
  await openSubscribe(page, world);
  await expect(page.getByText(coupon, { exact: true })).toBeVisible();
  await expect(start(page)).toBeDisabled();
  await expect(start(page)).toHaveAttribute('title', choose);
  await expect(page.getByText('You can cancel any time. Press Manage Plan on your dashboard.', { exact: true })).toBeVisible();
  await expect(start(page)).toHaveAccessibleDescription(choose);
  await expect(page.getByText(choose, { exact: true })).toBeVisible();
  await plan(page, 'Individual').check();
  await expect(start(page)).toBeEnabled();
  await expect(start(page)).not.toHaveAttribute('title');
  await expect(page.getByText(choose, { exact: true })).toHaveCount(0);
  await interval(page, 'Monthly').check();
  await expect(plan(page, 'Individual')).toBeChecked();
  await start(page).click();
  await expect(page).toHaveURL(`${world.url}/elsewhere`);
  expect(sentBodies).toEqual([{ price: 'price_individual_monthly', promo: null }]);
});

test('[2.129] the header has Profile and Help', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await openSubscribe(page, world);
  await expect(nav(page).getByRole('link')).toHaveText(['Help', 'Profile']);
  await expect(nav(page).getByRole('link', { name: 'Help' })).toHaveAttribute('href', `mailto:${brand.support.email}`);
  await nav(page).getByRole('link', { name: 'Profile' }).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/profile`);
});

test('[6.7] an account with an external or a lifetime plan has nothing to order on Subscribe', async ({ browser }) => {
  const eve = await confirmedPerson(world);
  const page = await pageOf(browser, world, eve);
  for (const [commandArguments, explanation] of [
    [['--external'], 'Your plan is managed externally. To change it, contact support.'],
    [['--no-external', '--lifetime'], 'Your plan is for life. There is nothing to pay.'],
  ] as const) {
    await grant(world, eve, ...commandArguments);
    await page.goto(`${world.dashboardUrl}/subscribe`);
    await expect(page.getByText(explanation, { exact: true })).toBeVisible();
    await expect(page.getByRole('radio')).toHaveCount(0);
    await expect(start(page)).toHaveCount(0);
    await checkScreen(page);
  }
  await page.getByRole('link', { name: 'Go to the dashboard' }).click();
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
});

test('a plan can be chosen and ordered by keyboard alone', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  const sentBodies = await orders(page);
  await openSubscribe(page, world);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Log out' }).focus();
  await page.keyboard.press('Tab');
  await expect(interval(page, 'Yearly (save 33%)')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(interval(page, 'Monthly')).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(plan(page, 'Friends & Family')).toBeFocused();
  await expect(plan(page, 'Friends & Family')).not.toBeChecked();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await expect(plan(page, 'Individual')).toBeChecked();
  await page.keyboard.press('ArrowUp');
  await expect(plan(page, 'Friends & Family')).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(start(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${world.url}/elsewhere`);
  expect(sentBodies).toEqual([{ price: 'price_family_monthly', promo: null }]);
});

test('when the login expires during the order, the choice is restored', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await openSubscribe(page, world);
  await interval(page, 'Monthly').check();
  await plan(page, 'Individual').check();
  await page.evaluate(() => localStorage.setItem('porchlight_token', 'expired'));
  await start(page).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/login?expired=1`);
  await logIn(page, ann);
  await expect(page).toHaveURL(`${world.dashboardUrl}/subscribe`);
  await expect(interval(page, 'Monthly')).toBeChecked();
  await expect(plan(page, 'Individual')).toBeChecked();
});

test('Subscribe without a choice, with one, and after a refusal passes axe in light and dark, and loses nothing at 320 px or at 400 %', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, ann);
  await openSubscribe(page, world);
  await checkScreen(page);
  await plan(page, 'Friends & Family').check();
  await page.route('**/api/web/profile/sub/order', (route) =>
    route.fulfill({ status: 503, json: { error: 'The payment service does not answer.', code: 'payments_down' } }),
  );
  await start(page).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await checkScreen(page);
  await checkScreenZoomed(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  const [familyBox, individualBox] = await Promise.all(['Friends & Family', 'Individual'].map((name) => card(page, name).boundingBox()));
  expect([familyBox?.y, familyBox?.height]).toEqual([individualBox?.y, individualBox?.height]);
});

test('if the plans cannot be loaded, Subscribe says so and offers to try again', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  const downAnswer = { status: 503, json: { error: 'The payment service does not answer.', code: 'payments_down' } };
  await page.route('**/api/web/profile/sub/products', (route) => route.fulfill(downAnswer));
  await page.goto(`${world.dashboardUrl}/subscribe`);
  await expect(page.getByRole('alert')).toContainText('The payment service does not answer.', { timeout: 15_000 });
  await page.unroute('**/api/web/profile/sub/products');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(plan(page, 'Individual')).toBeVisible();
});
