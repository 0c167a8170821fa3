import { expect, type Page } from '@playwright/test';
import { brand } from '@porchlight/contract/brand.ts';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { endIncidents } from './lib/incidents.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
let page: Page;
let device: { uuid: string; token: string };
withWorld((startedWorld) => {
  world = startedWorld;
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
  const sentRequests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/web/devices')) sentRequests.push(`${request.method()} ${pathname}`);
  });
  return sentRequests;
};
const answer = (yes: boolean) => {
  const dialogMessages: string[] = [];
  page.once('dialog', (dialog) => {
    dialogMessages.push(`${dialog.type()}: ${dialog.message()}`);
    void (yes ? dialog.accept() : dialog.dismiss());
  });
  return dialogMessages;
};

test('[2.89] [2.90] [2.91] [2.92] [2.93] the removal tab says what removing does and does not do, when to use it, and warns of scams', async () => {
  for (const text of [
    'Uninstalling the software also removes the device.',
    'Remove it here only when the software cannot be uninstalled or the device is no longer accessible.',
    'This erases its data, alerts included, but does not uninstall the software.',
  ])
    await expect(page.getByText(text, { exact: true })).toBeVisible();
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

test('[2.94] [5.32] the red button works only with the box ticked, also for the enter key', async () => {
  const sentRequests = removals();
  const dialogMessages: string[] = [];
  page.on('dialog', (dialog) => {
    dialogMessages.push(dialog.message());
    void dialog.dismiss();
  });
  await expect(box()).not.toBeChecked();
  await expect(button()).toBeDisabled();
  await box().press('Enter');
  expect(dialogMessages).toEqual([]);
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
  await expect.poll(() => dialogMessages).toHaveLength(1);
  await box().uncheck();
  await expect(button()).toBeDisabled();
  expect(sentRequests.filter((one) => one.startsWith('DELETE'))).toEqual([]);
});

test('[2.95] [2.96] [7.12] No removes nothing; Yes removes device and alerts, leads to the dashboard and reloads the list', async () => {
  await reportAlert(world, device);
  // In an incident a removal waits.
  await endIncidents(world);
  const sentRequests = removals();
  await box().check();
  const no = answer(false);
  await button().click();
  await expect.poll(() => no).toEqual(['confirm: Are you sure you want to remove Old PC?']);
  expect(sentRequests.filter((one) => one.startsWith('DELETE'))).toEqual([]);
  await expect(button()).toBeEnabled();

  const dialogMessages = answer(true);
  await button().click();
  await expect.poll(() => dialogMessages).toEqual(['confirm: Are you sure you want to remove Old PC?']);
  await expect(page).toHaveURL(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: 'Your devices (0 of 5)' })).toBeVisible();
  const removed = sentRequests.indexOf(`DELETE /api/web/devices/${device.uuid}`);
  expect(removed).toBeGreaterThan(-1);
  expect(sentRequests.slice(removed)).toContain('GET /api/web/devices');
  expect((await call(world.url, 'GET /web/detections', { token: ann.token, query: { offset: 0, length: 25 } })).items).toEqual([]);
});

test('a removal that the server refuses shows the error in the alert area, and the device stays', async () => {
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
