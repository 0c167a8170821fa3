import { expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { openDatabase } from '@porchlight/server/cli/database.ts';
import { openPayments } from '@porchlight/server/cli/payments.ts';
import { readConfig } from '@porchlight/server/config.ts';
import type { Payments } from '@porchlight/server/integrations/payments/payments.ts';
import { checkScreen } from './lib/accessibility.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The pages of the Stripe simulator, by clicks and by keyboard, without JavaScript. */

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let stripe: Payments['stripe'];
let close: () => Promise<void>;
test.beforeAll(async () => {
  // Opens the payments in its own process, as the operator's command does.
  const config = readConfig({ DATA_DIR: world.dataDir, DATABASE_URL: await world.databaseUrl(), PUBLIC_URL: world.url });
  const database = await openDatabase(config);
  const payments = await openPayments(config, database.db);
  stripe = payments.stripe;
  close = async () => {
    await payments.close();
    await database.close();
  };
});
test.afterAll(async () => {
  await close?.();
});

async function order(options: { allow_promotion_codes?: boolean } = {}) {
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: 'price_family_yearly', quantity: 1 }],
    subscription_data: { trial_period_days: 14 },
    success_url: `${world.url}/terms-of-service?paid`,
    cancel_url: `${world.url}/privacy-policy`,
    ...options,
  });
  return { id: session.id, url: session.url ?? '' };
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('[P6.2] the test checkout is marked, accessible, and usable by keyboard alone', async ({ page }) => {
  const { id, url } = await order({ allow_promotion_codes: true });
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This is a test checkout. Nothing is charged.');
  await checkScreen(page);
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Promotion code, if you have one')).toBeFocused();
  await page.keyboard.type('NOTHING');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('The code “NOTHING” cannot be used.');
  await checkScreen(page);
  await page.getByLabel('Promotion code, if you have one').fill('');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${world.url}/terms-of-service?paid`);
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'complete' });
  await page.goto(url);
  await expect(page.getByText('This order is done already.')).toBeVisible();
});

test('going back from the checkout buys nothing', async ({ page }) => {
  const { id, url } = await order();
  await page.goto(url);
  await press(page, 'Go back');
  await expect(page).toHaveURL(`${world.url}/privacy-policy`);
  expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open');
});

test('[P6.2] clicks in the test portal change a plan through its states', async ({ page }) => {
  const { id, url } = await order();
  await page.goto(url);
  await press(page, 'Start trial');
  await expect(page).toHaveURL(`${world.url}/terms-of-service?paid`);
  const { customer } = await stripe.checkout.sessions.retrieve(id);
  const portal = await stripe.billingPortal.sessions.create({ customer: String(customer), return_url: `${world.url}/privacy-policy` });
  await page.goto(portal.url);
  await expect(page.getByText('A free trial until')).toBeVisible();
  await checkScreen(page);
  await page.getByLabel('Another plan').selectOption({ label: 'Porchlight Individual, $9.99 a month' });
  await press(page, 'Change the plan');
  await expect(page.getByText('Porchlight Individual, $9.99 a month.')).toBeVisible();
  await press(page, 'Cancel at the end of the period');
  await expect(page.getByText('and is not renewed')).toBeVisible();
  await press(page, 'Go on after all');
  await expect(page.getByText('A free trial until')).toBeVisible();
  await press(page, 'End the trial now');
  await expect(page.getByText('then it renews')).toBeVisible();
  await press(page, 'Fail a payment now');
  await expect(page.getByText('The last payment of $9.99 did not go through.')).toBeVisible();
  await checkScreen(page);
  await press(page, 'Make payments work again');
  await expect(page.getByText('then it renews')).toBeVisible();
  await press(page, 'End the plan now');
  await expect(page.getByText('The plan ended on')).toBeVisible();
  await press(page, 'Go back');
  await expect(page).toHaveURL(`${world.url}/privacy-policy`);
});

test('the simulator shows its events, and can hold and release them', async ({ page }) => {
  await page.goto(`${world.mailboxUrl.replace('mailbox', 'payments')}?key=${world.simulatorCookie().cookie.split('=')[1]}`);
  await expect(page).toHaveURL(`${world.url}/dev/payments`);
  await press(page, 'Hold events back');
  // The click does not wait for the next page, and a reload would abort it.
  await expect(page.getByRole('button', { name: 'Deliver events again' })).toBeVisible();
  await stripe.customers.create({ email: 'held@example.org' });
  await page.reload();
  await expect(page.getByText('1 event waits')).toBeVisible();
  await checkScreen(page);
  await press(page, 'Deliver events again');
  await expect(page.getByText('0 events wait')).toBeVisible();
});
