import { expect, type Page, type Route } from '@playwright/test';
import { linkedDevice, type Person, registeredPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** What every form does while it works, when it went well, and when it did not. */

let world: World;
let ann: Person;
let device: string;
withWorld((its) => {
  world = its;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
  device = (await linkedDevice(world, ann)).uuid;
});

const saves = '**/api/web/devices/*';
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const done = (page: Page) => page.getByText('Device updated successfully', { exact: true });
const onSave = (page: Page, answer: (route: Route) => Promise<void>) =>
  page.route(saves, (route) => (route.request().method() === 'POST' ? answer(route) : route.fallback()));

/** On the settings of the device, with a clock that stands still. */
async function settings(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto(`${world.dashboardUrl}/devices/${device}`);
  await expect(page.getByLabel('Device name')).toHaveValue(/./);
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
}

test('[4.23] [9.4] a form is held while it works; what went well is said after 300 ms, for 10 s, and read out', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await settings(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await onSave(page, async (route) => {
    await held;
    await route.continue();
  });
  await expect(save(page)).toBeEnabled();
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(device));
  await save(page).click();
  await asked;
  await expect(save(page)).toBeDisabled();
  await page.getByLabel('Device name').press('Enter');
  await page.clock.runFor(60_000);
  await expect(done(page)).toHaveCount(0);
  release();
  await expect(save(page)).toBeEnabled();

  const region = page.getByRole('form', { name: 'Device Settings' }).locator('[aria-live="polite"]');
  await expect(region).toHaveCount(1);
  await page.clock.runFor(299);
  await expect(done(page)).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(region.filter({ has: done(page) })).toHaveCount(1);
  await page.clock.runFor(9_999);
  await expect(done(page)).toBeVisible();
  await page.clock.runFor(1);
  await expect(done(page)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('[4.23] what is sent again begins anew: the success of before goes at once', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await settings(page);
  await save(page).click();
  await expect(save(page)).toBeEnabled();
  await page.clock.runFor(5_000);
  await expect(done(page)).toBeVisible();
  await onSave(page, (route) => route.fulfill({ status: 409, json: { error: 'Not now.', code: 'device_limit' } }));
  await save(page).click();
  await expect(page.getByRole('alert')).toHaveText('Not now.');
  await expect(done(page)).toHaveCount(0);
  await page.clock.runFor(60_000);
  await expect(done(page)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveText('Not now.');
});

const generic = 'Something went wrong. Please try again in a moment.';
const failures: [what: string, answer: (route: Route) => Promise<void>, words: string][] = [
  [
    'the sentence of the server',
    (route) => route.fulfill({ status: 409, json: { error: 'All in use.', code: 'some_code', request_id: 'r-1' } }),
    'All in use.',
  ],
  ['a text of the server', (route) => route.fulfill({ status: 502, contentType: 'text/plain', body: 'Back at noon.' }), 'Back at noon.'],
  ['a body without a sentence', (route) => route.fulfill({ status: 500, json: { message: 'stack', code: 'some_code' } }), generic],
  ['no body', (route) => route.fulfill({ status: 500 }), generic],
  ['no answer', (route) => route.abort(), 'Failed to connect to API.'],
];
for (const [what, answer, words] of failures) {
  test(`[4.23] [8.1] [8.12] ${what} stands in the alert area, which has the focus; no code is shown and what was typed stays`, async ({
    browser,
  }) => {
    const page = await pageOf(browser, world, ann);
    await settings(page);
    await onSave(page, answer);
    await page.getByLabel('Device name').fill('Kitchen PC');
    for (const _time of ['once', 'again']) {
      await save(page).click();
      await expect(page.getByRole('alert')).toHaveText(words);
      await expect(page.getByRole('alert')).toBeFocused();
      await expect(page.getByRole('alert')).toBeInViewport();
    }
    await expect(page.getByText('some_code')).toHaveCount(0);
    await expect(page.getByLabel('Device name')).toHaveValue('Kitchen PC');
    await page.unroute(saves);
    await save(page).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
}

/** The text that belongs to a field, before any hint; the field is marked as wrong. */
async function beside(page: Page, label: string, words: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(new RegExp(`^${words}( |$)`));
}

test('[5.11] what the server says of a field stands beside it, and what is said of the whole in the alert area', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await page.goto(`${world.dashboardUrl}/profile/guardians`);
  for (const label of ['Email', 'Confirm Email']) await page.getByLabel(label, { exact: true }).fill('nobody');
  await page.getByRole('button', { name: 'Add Guardian' }).click();
  await beside(page, 'Email', 'The field email failed validation: email');
  await beside(page, 'Name', 'The name is required');
  await expect(page.getByLabel('Confirm Email')).not.toHaveAttribute('aria-invalid');
  await expect(page.getByRole('alert')).toHaveText(/\S/);
  await expect(page.getByRole('alert')).toBeFocused();
});

test('[8.20] what a form finds wrong by itself stands beside the field and in the alert area, before anything is sent', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, ann);
  const sent: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
  const says = async (words: string, label: string) => {
    await beside(page, label, words);
    await expect(page.getByRole('alert')).toHaveText(words);
    await expect(page.getByRole('alert')).toBeFocused();
  };
  await page.goto(`${world.dashboardUrl}/devices/${device}`);
  await page.getByLabel('Device name').fill(' ');
  await save(page).click();
  await says('Please enter a device name', 'Device name');
  await page.goto(`${world.dashboardUrl}/add-device?step=policy`);
  await page.getByLabel('Device name').fill('');
  await page.getByRole('button', { name: 'Continue' }).click();
  await says('Please enter a device name', 'Device name');
  await page.goto(`${world.dashboardUrl}/profile/guardians`);
  await page.getByLabel('Email', { exact: true }).fill('bob@example.org');
  await page.getByRole('button', { name: 'Add Guardian' }).click();
  await says('The guardian email does not match the guardian email confirmation', 'Confirm Email');
  expect(sent).toEqual([]);
});
