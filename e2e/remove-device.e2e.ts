import { expect, type Page } from '@playwright/test';
import { brand } from '@porchlight/contract/brand.ts';
import { call } from '@porchlight/dev/call.ts';
import { linkedDevice, type Person, registeredPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** Removing a device: what is said before, what it needs, and what is gone afterwards. */

let world: World;
let ann: Person;
let page: Page;
let device: { uuid: string; token: string };
withWorld((its) => {
  world = its;
});
test.beforeEach(async ({ browser }) => {
  ann = await registeredPerson(world);
  device = await linkedDevice(world, ann, 'Old PC');
  page = await pageOf(browser, world, ann);
  await page.goto(`${world.dashboardUrl}/devices/${device.uuid}/remove-device`);
});

const button = () => page.getByRole('button', { name: 'Remove Device', exact: true });
const box = () => page.getByRole('checkbox', { name: 'I understand that this will remove protection', exact: true });
const removals = () => {
  const seen: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/web/devices')) seen.push(`${request.method()} ${pathname}`);
  });
  return seen;
};
/** What the browser asks, answered with yes or no. */
const answer = (yes: boolean) => {
  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(`${dialog.type()}: ${dialog.message()}`);
    void (yes ? dialog.accept() : dialog.dismiss());
  });
  return asked;
};

test('[2.89] [2.90] [2.91] [2.92] [2.93] it says what removing does and does not do, when it is meant, and that it may be a scam', async () => {
  for (const words of [
    'Uninstalling the software also removes the device.',
    'Remove it here only when the software cannot be uninstalled or the device is no longer accessible.',
    'This erases its data, alerts included, but does not uninstall the software.',
  ])
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  const warning = page
    .locator('.note')
    .filter({ hasText: 'Did someone else tell you to do this? It could be a scam. Contact support first.' });
  await expect(warning).toBeVisible();
  await expect(warning.getByRole('link', { name: brand.support.email })).toHaveAttribute('href', `mailto:${brand.support.email}`);
  await expect(warning.getByRole('link', { name: brand.support.phone })).toHaveAttribute('href', /^tel:/);
  await expect(page.getByRole('link', { name: 'Remove Device', exact: true })).toHaveAttribute('aria-current', 'page');
  await checkScreen(page);
  await box().check();
  await checkScreen(page);
});

test('[2.94] [5.32] the red button works only while the box is ticked, by the enter key too', async () => {
  const seen = removals();
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await expect(box()).not.toBeChecked();
  await expect(button()).toBeDisabled();
  await box().press('Enter');
  expect(asked).toEqual([]);
  await box().press('Space');
  await expect(button()).toBeEnabled();
  const red = await button().evaluate((element) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--danger)';
    const same = getComputedStyle(probe).color === getComputedStyle(element).backgroundColor;
    probe.remove();
    return same;
  });
  expect(red).toBe(true);
  await button().press('Enter');
  await expect.poll(() => asked).toHaveLength(1);
  await box().uncheck();
  await expect(button()).toBeDisabled();
  expect(seen.filter((one) => one.startsWith('DELETE'))).toEqual([]);
});

test('[2.95] [2.96] [7.12] no leaves everything as it is; yes removes device and alerts, leads to the dashboard and loads the list again', async () => {
  await reportAlert(world, device);
  const seen = removals();
  await box().check();
  const no = answer(false);
  await button().click();
  await expect.poll(() => no).toEqual(['confirm: Are you sure you want to remove Old PC?']);
  expect(seen.filter((one) => one.startsWith('DELETE'))).toEqual([]);
  await expect(button()).toBeEnabled();

  const yes = answer(true);
  await button().click();
  await expect.poll(() => yes).toEqual(['confirm: Are you sure you want to remove Old PC?']);
  await expect(page).toHaveURL(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: 'Your devices (0 of 5)' })).toBeVisible();
  const removed = seen.indexOf(`DELETE /api/web/devices/${device.uuid}`);
  expect(removed).toBeGreaterThan(-1);
  expect(seen.slice(removed)).toContain('GET /api/web/devices');
  expect((await call(world.url, 'GET /web/detections', { token: ann.token, query: { offset: 0, length: 25 } })).items).toEqual([]);
});

test('what the server says against it stands in the alert area, and the device is still there', async () => {
  await page.route(`**/api/web/devices/${device.uuid}`, (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 500, json: { error: 'Not now.', code: 'internal' } })
      : route.fallback(),
  );
  await box().check();
  answer(true);
  await button().click();
  await expect(page.getByRole('alert')).toHaveText('Not now.');
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(box()).toBeChecked();
  expect((await call(world.url, 'GET /web/devices', { token: ann.token })).devices).toHaveLength(1);
});
