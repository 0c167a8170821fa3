import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { confirmedPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { withWorld } from './lib/setup.ts';
import { card, interval, openSubscribe, operator, plan, start } from './lib/subscribe.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const coupon = 'If you have a coupon code, enter it on the next page.';
const offer = (page: Page) => page.getByRole('region', { name: 'Your offer' });
const footnote = (page: Page) => page.getByText(/^\* .* your subscription renews at the regular price\.$/);
const amountOf = async (token: string, id: string) =>
  (await call(world.url, 'GET /web/profile/sub/products', { token })).products.flatMap(({ prices }) => prices).find((p) => p.id === id)
    ?.amount ?? 0;
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

const offers: [title: string, code: string, words: string[], said: string, off: (cents: number) => number, lasts: string | null][] = [
  [
    'a percentage for some months',
    'SPRING',
    ['--percent', '25', '--months', '3'],
    '25% off for your first 3 months*',
    (c) => Math.round(c / 4),
    'your first 3 months',
  ],
  [
    'an amount for one month',
    'HELLO',
    ['--amount', '150', '--months', '1'],
    '$1.50 off for your first month*',
    () => 150,
    'your first month',
  ],
  [
    'a percentage for good',
    'HALF',
    ['--percent', '50', '--forever'],
    '50% off for the life of your subscription',
    (c) => Math.round(c / 2),
    null,
  ],
  ['an amount for good', 'FAMILY', ['--amount', '200', '--forever'], '$2.00 off for the life of your subscription', () => 200, null],
];
for (const [title, code, bannerTexts, sentence, discounted, durationText] of offers) {
  test(`[2.128] Subscribe shows the promo of the account: ${title}`, async ({ browser }) => {
    await operator(world, 'promo', 'create', '--code', code, ...bannerTexts);
    const ann = await confirmedPerson(world, undefined, code);
    const page = await pageOf(browser, world, ann);
    await openSubscribe(page, world);
    await expect(offer(page).getByText(sentence, { exact: true })).toBeVisible();
    await expect(offer(page)).toContainText(`The offer ${code} is taken off already.`);
    await expect(page.getByText(coupon)).toHaveCount(0);
    for (const [choice, planInterval, unit] of [
      ['Yearly (save 33%)', 'yearly', 'yr'],
      ['Monthly', 'monthly', 'mo'],
    ] as const) {
      await interval(page, choice).check();
      const footnotes = {
        yr: '* If you pay yearly, it’s taken off your first year. After that your subscription renews at the regular price.',
        mo: `* After ${durationText} your subscription renews at the regular price.`,
      };
      await expect(footnote(page)).toHaveText(durationText ? [footnotes[unit]] : []);
      const regularAmount = await amountOf(ann.token, `price_family_${planInterval}`);
      expect(regularAmount).toBeGreaterThan(200);
      await expect(card(page, 'Friends & Family')).toContainText(
        `${dollars(regularAmount - discounted(regularAmount))} / ${unit}${durationText ? '*' : ''} instead of ${dollars(regularAmount)} / ${unit}`,
      );
      await expect(card(page, 'Friends & Family').locator('s')).toHaveText(`${dollars(regularAmount)} / ${unit}`);
    }
    if (code === 'SPRING') await checkScreen(page);

    await plan(page, 'Friends & Family').check();
    const ordered = page.waitForRequest('**/api/web/profile/sub/order');
    await start(page).click();
    expect((await ordered).postDataJSON()).toEqual({ price: 'price_family_monthly', promo: code });
    await page.waitForURL(/\/dev\/payments\/checkout\//);
    const monthly = await amountOf(ann.token, 'price_family_monthly');
    await expect(page.getByRole('main')).toContainText(dollars(monthly - discounted(monthly)));
  });
}

test('[8.16] [2.127] a promo that cannot be looked up is a warning on the console, and the plans appear with the usual hint and no discount', async ({
  browser,
}) => {
  await operator(world, 'promo', 'create', '--code', 'GONE', '--percent', '10', '--forever');
  const page = await pageOf(browser, world, await confirmedPerson(world, undefined, 'GONE'));
  const discountText: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && discountText.push(message.text()));
  await page.route('**/api/promo-code?*', (route) => route.fulfill({ status: 503, json: { error: 'Not now.', code: 'payments_down' } }));
  await openSubscribe(page, world);
  await expect.poll(() => discountText.filter((text) => text.startsWith('The offer could not be looked up'))).toHaveLength(1);
  await expect(page.getByText(coupon, { exact: true })).toBeVisible();
  await expect(offer(page)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(card(page, 'Friends & Family').locator('s')).toHaveCount(0);
  await plan(page, 'Friends & Family').check();
  const ordered = page.waitForRequest('**/api/web/profile/sub/order');
  await start(page).click();
  expect((await ordered).postDataJSON()).toEqual({ price: 'price_family_yearly', promo: null });
});

test('[3.10] a promo that ends while the page is open is no longer shown, nor sent with the order; until then it stays', async ({
  browser,
}) => {
  await operator(world, 'promo', 'create', '--code', 'SOON', '--percent', '10', '--forever');
  const page = await pageOf(browser, world, await confirmedPerson(world, undefined, 'SOON'));
  await page.clock.install();
  const redeem_by = Math.floor(Date.now() / 1000) + 3600;
  await page.route('**/api/promo-code?*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), redeem_by } });
  });
  await openSubscribe(page, world);
  await plan(page, 'Friends & Family').check();
  await page.clock.fastForward(1_800_000);
  await expect(offer(page)).toBeVisible();
  await page.clock.fastForward(1_860_000);
  await expect(offer(page)).toHaveCount(0);
  await expect(page.getByText(coupon, { exact: true })).toBeVisible();
  await expect(card(page, 'Friends & Family').locator('s')).toHaveCount(0);
  await expect(plan(page, 'Friends & Family')).toBeChecked();
  const ordered = page.waitForRequest('**/api/web/profile/sub/order');
  await start(page).click();
  expect((await ordered).postDataJSON()).toEqual({ price: 'price_family_yearly', promo: null });
});
