import { randomUUID } from 'node:crypto';
import { expect, type Page, type Route } from '@playwright/test';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let ann: Person;
let device: { uuid: string; token: string };
let page: Page;
test.beforeAll(async ({ browser }) => {
  ann = await registeredPerson(world);
  device = await linkedDevice(world, ann);
  page = await pageOf(browser, world, ann);
});
test.afterEach(() => page.unrouteAll());

const calls = '**/api/web/detections/*';
const waitMessage = () => page.getByText('Please wait...', { exact: true });
const open = (id: string) => page.goto(`${world.dashboardUrl}/detection/${id}`);
const atHome = async () => {
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  await expect(page).toHaveURL(world.dashboardUrl);
};
async function holdRequest(answer: (route: Route) => Promise<void>): Promise<() => void> {
  let release = () => {};
  const releasePromise = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(calls, async (route) => {
    await releasePromise;
    await answer(route);
  });
  return release;
}

test('[2.97] [7.16] the link of an alert’s email shows that the page loads, then that alert among the newest 25 of its device, and Back does not return to it', async () => {
  const oldAlert = await reportAlert(world, device);
  await reportAlert(world, device, 'RustDesk');
  await page.goto(world.dashboardUrl);
  const release = await holdRequest((route) => route.continue());
  await open(oldAlert);
  await expect(waitMessage()).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Please wait...' })).toHaveCount(1);
  await checkScreen(page);
  const history = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/web/detections');
  release();
  await expect(page).toHaveURL(`${world.dashboardUrl}/devices/${device.uuid}/detections?detectionId=${oldAlert}`);
  const { searchParams } = new URL((await history).url());
  expect(Object.fromEntries(searchParams)).toEqual({ offset: '0', length: '25', device: device.uuid });
  await expect(waitMessage()).toHaveCount(0);
  await expect(page.locator('details[open]')).toHaveCount(1);
  await expect(page.locator('details').nth(1)).toHaveAttribute('open');
  await page.goBack();
  await atHome();
});

const failures: [what: string, id: () => string, answer: (route: Route) => Promise<void>][] = [
  ['nobody knows', randomUUID, (route) => route.continue()],
  ['cannot be one', () => 'not-an-id', (route) => route.continue()],
  [
    'the server fails at',
    randomUUID,
    (route) => route.fulfill({ status: 500, json: { error: 'Something went wrong.', code: 'internal' } }),
  ],
  ['cannot be asked for', randomUUID, (route) => route.abort()],
];
for (const [failure, id, answer] of failures) {
  test(`[2.97] [8.15] the link to an alert that ${failure} leads to the dashboard`, async () => {
    const release = await holdRequest(answer);
    await open(id());
    await expect(waitMessage()).toBeVisible();
    release();
    await atHome();
  });
}
