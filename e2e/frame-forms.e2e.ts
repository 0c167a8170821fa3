// Tier: fast. The journey of section 8, the error catalogue.
import { expect, type Page, type Route } from '@playwright/test';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
let device: string;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
  device = (await linkedDevice(world, ann)).uuid;
});

const saves = '**/api/web/devices/*';
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const successMessage = (page: Page) => page.getByText('Device updated successfully', { exact: true });
const onSave = (page: Page, answer: (route: Route) => Promise<void>) =>
  page.route(saves, (route) => (route.request().method() === 'POST' ? answer(route) : route.fallback()));

/** Opens the settings with a paused clock. */
async function settings(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto(`${world.dashboardUrl}/devices/${device}`);
  await expect(page.getByLabel('Device name')).toHaveValue(/./);
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
}

test('[4.23] [9.4] a form is locked while pending; its success message appears after 300 ms, for 10 s, and is announced', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, ann);
  await settings(page);
  let release = () => {};
  const releasePromise = new Promise<void>((resolve) => {
    release = resolve;
  });
  await onSave(page, async (route) => {
    await releasePromise;
    await route.continue();
  });
  await expect(save(page)).toBeEnabled();
  const requestPromise = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(device));
  await save(page).click();
  await requestPromise;
  await expect(save(page)).toBeDisabled();
  await page.getByLabel('Device name').press('Enter');
  await page.clock.runFor(60_000);
  await expect(successMessage(page)).toHaveCount(0);
  release();
  await expect(save(page)).toBeEnabled();

  const region = page.getByRole('form', { name: 'Device Settings' }).locator('[aria-live="polite"]');
  await expect(region).toHaveCount(1);
  await page.clock.runFor(299);
  await expect(successMessage(page)).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(region.filter({ has: successMessage(page) })).toHaveCount(1);
  await page.clock.runFor(9_999);
  await expect(successMessage(page)).toBeVisible();
  await page.clock.runFor(1);
  await expect(successMessage(page)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('[4.23] sending a form again removes the former success message at once', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await settings(page);
  await save(page).click();
  await expect(save(page)).toBeEnabled();
  await page.clock.runFor(5_000);
  await expect(successMessage(page)).toBeVisible();
  await onSave(page, (route) => route.fulfill({ status: 409, json: { error: 'Not now.', code: 'device_limit' } }));
  await save(page).click();
  await expect(page.getByRole('alert')).toHaveText('Not now.');
  await expect(successMessage(page)).toHaveCount(0);
  await page.clock.runFor(60_000);
  await expect(successMessage(page)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveText('Not now.');
});

const genericError = 'Something went wrong. Please try again in a moment.';
const failures: [what: string, answer: (route: Route) => Promise<void>, words: string][] = [
  [
    'the sentence of the server',
    (route) => route.fulfill({ status: 409, json: { error: 'All in use.', code: 'some_code', request_id: 'r-1' } }),
    'All in use.',
  ],
  ['a text of the server', (route) => route.fulfill({ status: 502, contentType: 'text/plain', body: 'Back at noon.' }), 'Back at noon.'],
  ['a body without a sentence', (route) => route.fulfill({ status: 500, json: { message: 'stack', code: 'some_code' } }), genericError],
  ['no body', (route) => route.fulfill({ status: 500 }), genericError],
  ['no answer', (route) => route.abort(), 'Failed to connect to API.'],
];
for (const [failure, answer, message] of failures) {
  test(`[4.23] [8.1] [8.12] ${failure} appears in the focused alert area without a code, and the input stays`, async ({ browser }) => {
    const page = await pageOf(browser, world, ann);
    await settings(page);
    await onSave(page, answer);
    await page.getByLabel('Device name').fill('Kitchen PC');
    for (const _time of ['once', 'again']) {
      await save(page).click();
      await expect(page.getByRole('alert')).toHaveText(message);
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

/** Expects a text of a field before any hint, and the field to be marked as invalid. */
async function expectBesideField(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(new RegExp(`^${text}( |$)`));
}

test('[5.11] a field error of the server appears beside the field, and a general error in the alert area', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  await page.goto(`${world.dashboardUrl}/profile/guardians`);
  for (const label of ['Email', 'Confirm Email']) await page.getByLabel(label, { exact: true }).fill('nobody');
  await page.getByRole('button', { name: 'Add Guardian' }).click();
  await expectBesideField(page, 'Email', 'The field email failed validation: email');
  await expectBesideField(page, 'Name', 'The name is required');
  await expect(page.getByLabel('Confirm Email')).not.toHaveAttribute('aria-invalid');
  await expect(page.getByRole('alert')).toHaveText(/\S/);
  await expect(page.getByRole('alert')).toBeFocused();
});

test('[8.20] a client-side error appears beside the field and in the alert area, before anything is sent', async ({ browser }) => {
  const page = await pageOf(browser, world, ann);
  const sentRequests: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && sentRequests.push(request.url()));
  const expectError = async (text: string, label: string) => {
    await expectBesideField(page, label, text);
    await expect(page.getByRole('alert')).toHaveText(text);
    await expect(page.getByRole('alert')).toBeFocused();
  };
  await page.goto(`${world.dashboardUrl}/devices/${device}`);
  await page.getByLabel('Device name').fill(' ');
  await save(page).click();
  await expectError('Please enter a device name', 'Device name');
  await page.goto(`${world.dashboardUrl}/add-device?step=policy`);
  await page.getByLabel('Device name').fill('');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expectError('Please enter a device name', 'Device name');
  await page.goto(`${world.dashboardUrl}/profile/guardians`);
  await page.getByLabel('Email', { exact: true }).fill('bob@example.org');
  await page.getByRole('button', { name: 'Add Guardian' }).click();
  await expectError('The guardian email does not match the guardian email confirmation', 'Confirm Email');
  expect(sentRequests).toEqual([]);
});
