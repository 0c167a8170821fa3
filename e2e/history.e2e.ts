import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { confirmedPerson, linkedDevice, registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { grant } from './lib/subscribe.ts';
import { test } from './lib/test.ts';

/** The paged alert history, also without a plan (P9.4). */

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const titles = (page: Page) => page.getByRole('list', { name: 'Recent alerts' }).locator('summary strong');

/** Reports an alert for each name, the newest last. */
async function report(token: string, names: string[]) {
  const detections = names.map((name, n) => ({
    ...{ uuid: randomUUID(), name, identifier: name.toLowerCase(), details: '', blocked: true },
    ...({ category: 'DeceptiveUtility', certainty: 'certain', why: '', start: 'person' } as const),
    time: new Date(Date.now() - (names.length - n) * 1000).toISOString(),
  }));
  await call(world.url, 'POST /agent/detections', { token, body: { detections } });
  return detections.map(({ uuid }) => uuid);
}
const namesFrom = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `Thing-${from + n}`);

test('[2.97] an emailed alert is open on top of the history although 28 newer ones exist, and its pages lead to all alerts', async ({
  browser,
}) => {
  const ann = await registeredPerson(world);
  const device = await linkedDevice(world, ann);
  const [oldest] = await report(device.token, namesFrom(0, 29));
  const page = await pageOf(browser, world, ann);
  await page.goto(`${world.dashboardUrl}/detection/${oldest}`);
  await expect(page.locator('details[open] summary strong')).toHaveText('Thing-0 was blocked');
  await expect(titles(page)).toHaveCount(26);
  await expect(titles(page).first()).toHaveText('Thing-0 was blocked');
  await expect(titles(page).nth(1)).toHaveText('Thing-28 was blocked');
  await checkScreen(page);
  await page.getByRole('link', { name: 'Older alerts' }).click();
  await expect(titles(page)).toHaveText(
    namesFrom(0, 4)
      .toReversed()
      .map((name) => `${name} was blocked`),
  );
  await expect(page.getByRole('link', { name: 'Older alerts' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Newer alerts' }).click();
  await expect(titles(page)).toHaveText(
    namesFrom(4, 29)
      .toReversed()
      .map((name) => `${name} was blocked`),
  );
  await expect(page.getByRole('link', { name: 'Newer alerts' })).toHaveCount(0);
});

test('[2.14] [2.25] [6.3] without a plan an alert’s email leads to the history of all devices, to read and answer, while the routes of the specification lead to the plans', async ({
  browser,
}) => {
  const ann = await confirmedPerson(world);
  await grant(world, ann, '--devices', '2');
  const [den, attic] = [await linkedDevice(world, ann), await linkedDevice(world, ann, 'Attic PC')];
  const oldAlert = await reportAlert(world, den, 'RustDesk');
  await grant(world, ann, '--devices', '0');
  await reportAlert(world, attic);
  const link = linkIn(await mailTo(world, ann.email, /AnyDesk was blocked on Attic PC/));
  const page = await pageOf(browser, world, ann);
  await page.goto(link);
  await expect(page.getByText('Your plan has ended, and the free plan still protects your computers.')).toBeVisible();
  await expect(titles(page)).toHaveText(['AnyDesk was blocked on Attic PC', 'RustDesk was blocked on Den PC']);
  const open = page.locator('details[open]');
  await expect(open.locator('summary')).toContainText('AnyDesk was blocked on Attic PC');
  await expect(open.getByRole('button', { name: 'Print' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Allow for an hour' })).toHaveCount(0);
  await open.getByRole('button', { name: 'This is sorted' }).click();
  await expect(open.locator('.tag')).toHaveClass(/safe/);
  await checkScreen(page);
  for (const path of [`/detection/${oldAlert}`, `/devices/${den.uuid}/detections`, '']) {
    await page.goto(`${world.dashboardUrl}${path}`);
    await expect(page).toHaveURL(`${world.dashboardUrl}/subscribe`);
  }
  await page.getByRole('link', { name: 'Alerts from all computers' }).click();
  await expect(titles(page)).toHaveCount(2);
});

test('with a plan the history of all devices can allow a program, and an alert that no longer exists is reported as gone', async ({
  browser,
}) => {
  const ann = await registeredPerson(world);
  const device = await linkedDevice(world, ann);
  const alert = await reportAlert(world, device);
  const page = await pageOf(browser, world, ann);
  await page.goto(`${world.dashboardUrl}/devices/${device.uuid}/detections`);
  await page.getByRole('link', { name: 'Alerts from all computers' }).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/history`);
  await expect(titles(page)).toHaveText(['AnyDesk was blocked on Den PC']);
  await page.goto(`${world.dashboardUrl}/history?detectionId=${alert}`);
  await expect(page.getByRole('button', { name: 'Allow for an hour' })).toBeVisible();
  await page.goto(`${world.dashboardUrl}/history?detectionId=${randomUUID()}`);
  await expect(page.getByText('We could not find that alert. It may have been erased together with its device.')).toBeVisible();
  await expect(titles(page)).toHaveText(['AnyDesk was blocked on Den PC']);
});
