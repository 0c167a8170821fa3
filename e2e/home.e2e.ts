// Tier: fast. The journey of section 2, the dashboard.
import { expect, type Locator, type Page } from '@playwright/test';
import { brand } from '@porchlight/contract/brand.ts';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { countPresses } from './lib/count-presses.ts';
import { confirmedPerson, linkedDevice, registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { grant } from './lib/subscribe.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const create = (person: Person, name: string) =>
  call(world.url, 'POST /web/create-device', { token: person.token, body: { name, policy: null } });
const add = (page: Page) => page.getByRole('link', { name: 'Add Device', exact: true });
const subscribe = (page: Page) => page.getByRole('link', { name: 'Subscribe', exact: true });
const nothingYet = (page: Page) => page.getByText('Devices will appear here when you add them.', { exact: true });
const heading = (page: Page) => page.getByRole('heading', { name: /^Your devices/ });
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
/** The warning icon, found by its shape, since it is hidden from screen readers. */
const warning = (element: Locator) =>
  element.locator('svg[aria-hidden="true"]', { has: element.page().locator('path[d^="M12 4 2.5 20h19z"]') });

test('[2.48] [2.58] [5.33] the dashboard counts the devices out of the limit, and can add one until the limit is reached', async ({
  browser,
}) => {
  const ann = await confirmedPerson(world);
  await grant(world, ann, '--devices', '2');
  const page = await pageOf(browser, world, ann);
  for (const [count, more] of [
    [0, true],
    [1, true],
    [2, false],
  ] as const) {
    await page.goto(world.dashboardUrl);
    await expect(heading(page)).toHaveText(`Your devices (${count} of 2)`);
    await expect(page.getByRole('link', { name: /^Manage / })).toHaveCount(count);
    await expect(add(page)).toHaveCount(more ? 1 : 0);
    if (more) await create(ann, `PC ${count}`);
  }
  await call(world.url, 'DELETE /web/devices/:uuid', {
    token: ann.token,
    params: { uuid: (await call(world.url, 'GET /web/devices', { token: ann.token })).devices[0]?.uuid ?? '' },
  });
  await page.reload();
  await add(page).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/add-device?step=machine`);
});

test('[2.49] [2.50] [2.51] without a device the dashboard shows Subscribe to an account that pays nothing, else a hint', async ({
  browser,
}) => {
  const ann = await confirmedPerson(world);
  await grant(world, ann, '--devices', '5');
  const page = await pageOf(browser, world, ann);
  await page.goto(world.dashboardUrl);
  await expect(subscribe(page)).toHaveCount(2);
  await expect(subscribe(page).first()).toHaveAttribute('href', '/dashboard/subscribe');
  await expect(nothingYet(page)).toHaveCount(0);
  await expect(add(page)).toBeVisible();
  await checkScreen(page);
  await grant(world, ann, '--external');
  await page.reload();
  await expect(nothingYet(page)).toBeVisible();
  await expect(subscribe(page)).toHaveCount(0);
  await checkScreen(page);
  // A plan without a device limit shows no limit, and always has room for another device.
  await grant(world, ann, '--devices', '0');
  await page.reload();
  await expect(heading(page)).toHaveText('Your devices');
  await expect(nothingYet(page)).toBeVisible();
  await expect(add(page)).toBeVisible();
  await grant(world, ann, '--no-external', '--lifetime');
  await page.reload();
  await expect(nothingYet(page)).toBeVisible();
  await expect(subscribe(page)).toHaveCount(0);
  for (let i = 0; i < 6; i++) await create(ann, `PC ${i}`);
  await page.reload();
  await expect(page.getByRole('link', { name: /^Manage / })).toHaveCount(6);
  await expect(heading(page)).toHaveText('Your devices');
  await expect(add(page)).toBeVisible();
});

test('[2.52] [2.53] [2.54] [2.55] [2.57] [4.12] each device has its name, when it last reported or that it is pending, a warning, and Manage', async ({
  browser,
}) => {
  const ann = await registeredPerson(world);
  const calmDevice = await linkedDevice(world, ann, 'Calm PC');
  await reportAlert(world, await linkedDevice(world, ann, 'Den PC'));
  const oldDevice = await linkedDevice(world, ann, 'Old PC');
  await reportAlert(world, oldDevice);
  const { login_code } = await create(ann, 'Mum’s laptop');
  const page = await pageOf(browser, world, ann);
  // The server rejects detections from before the device was linked.
  const last_time = new Date(Date.now() - 3 * 86_400_000).toISOString();
  await page.route('**/api/web/devices', async (route) => {
    const answer = await route.fetch();
    const { devices } = (await answer.json()) as { devices: { name: string }[] };
    const agedDevices = devices.map((one) => (one.name === 'Old PC' ? { ...one, last_detection: last_time } : one));
    await route.fulfill({ response: answer, json: { devices: agedDevices } });
  });
  await page.route('**/api/web/detections?*', async (route) => {
    const answer = await route.fetch();
    const { items } = (await answer.json()) as { items: { device_id: string; info: object }[] };
    const agedItems = items.map((one) => (one.device_id === oldDevice.uuid ? { ...one, info: { ...one.info, last_time } } : one));
    await route.fulfill({ response: answer, json: { items: agedItems } });
  });
  await page.goto(world.dashboardUrl);

  const [quietRow, alertedRow, pastRow, pendingRow] = ['Calm PC', 'Den PC', 'Old PC', 'Mum’s laptop'].map((name) => row(page, name)) as [
    Locator,
    Locator,
    Locator,
    Locator,
  ];
  for (const deviceRow of [quietRow, alertedRow, pastRow]) {
    await expect(deviceRow).toContainText(/Last seen (?:today|yesterday) at \d{1,2}:\d\d [AP]M/);
    await expect(deviceRow.getByText('Pending install')).toHaveCount(0);
    await expect(deviceRow.getByRole('button')).toHaveCount(0);
  }
  await expect(warning(quietRow)).toHaveCount(0);
  await expect(warning(alertedRow)).toHaveCount(1);
  await expect(alertedRow.getByText('Alert', { exact: true })).toBeVisible();
  await expect(warning(pastRow)).toHaveCount(1);
  await expect(pastRow.getByRole('img')).toHaveAccessibleName(/^Last stopped \w+day at \d{1,2}:\d\d [AP]M$/);
  await expect(pastRow).not.toContainText(/alert/i);
  await expect(pendingRow.getByText('Pending install', { exact: true })).toBeVisible();
  await expect(pendingRow).not.toContainText('Last seen');
  await expect(pendingRow.getByText(login_code, { exact: true })).toBeVisible();
  await expect(warning(pendingRow)).toHaveCount(0);
  await checkScreen(page);

  const manage = quietRow.getByRole('link', { name: 'Manage Calm PC' });
  await expect(manage).toHaveText('Manage');
  await manage.click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/devices/${calmDevice.uuid}`);
});

test('[2.53] a device without a name shows its computer’s own name', async ({ browser }) => {
  const ann = await registeredPerson(world);
  await linkedDevice(world, ann, 'Den PC');
  const page = await pageOf(browser, world, ann);
  await page.route('**/api/web/devices', async (route) => {
    const answer = await route.fetch();
    const { devices } = (await answer.json()) as { devices: object[] };
    await route.fulfill({ response: answer, json: { devices: devices.map((device) => ({ ...device, name: '' })) } });
  });
  await page.goto(world.dashboardUrl);
  await expect(row(page, 'den-pc').locator('.name')).toHaveText('den-pc');
  await expect(page.getByRole('link', { name: 'Manage den-pc' })).toBeVisible();
  await page.context().close();
});

test('[2.56] [9.6] the share link of a pending device can be copied, and a confirmation shows for two seconds', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const { login_code } = await create(ann, 'Mum’s laptop');
  const page = await pageOf(browser, world, ann, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.clock.install();
  await page.goto(world.dashboardUrl);
  const button = page.getByRole('button', { name: 'Copy Share Link', exact: true });
  await expect(button).toBeVisible();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await button.click();
  const copied = page.getByRole('button', { name: 'Copied!', exact: true });
  await expect(copied).toBeVisible();
  await expect(copied.locator('[aria-live="polite"]')).toHaveText('Copied!');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${world.dashboardUrl}/share/${login_code}`);
  await page.clock.runFor(1_999);
  await expect(copied).toBeVisible();
  await page.clock.runFor(1);
  await expect(copied).toHaveCount(0);
  await expect(button).toBeVisible();
});

test('[2.59] beside the devices are the plan, the profile and support', async ({ browser }) => {
  const page = await pageOf(browser, world, await registeredPerson(world));
  await page.goto(world.dashboardUrl);
  const cards = page.getByRole('complementary');
  await expect(cards.getByRole('region', { name: 'Your plan' })).toContainText('Protects up to 5 devices');
  const support = cards.getByRole('region', { name: brand.support.title });
  await expect(support.getByRole('link', { name: brand.support.email })).toHaveAttribute('href', `mailto:${brand.support.email}`);
  await expect(support.getByRole('link', { name: brand.support.phone })).toHaveAttribute('href', /^tel:/);
  await cards.getByRole('link', { name: 'Profile', exact: true }).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/profile`);
});

test('a new alert marks its device within seconds, and its details are two presses away', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const device = await linkedDevice(world, ann);
  const page = await pageOf(browser, world, ann);
  const presses = await countPresses(page);
  await page.goto(world.dashboardUrl);
  await expect(page.getByText('Protected', { exact: true })).toBeVisible();
  await reportAlert(world, device);
  await expect(row(page, 'Den PC').getByText('Alert', { exact: true })).toBeVisible({ timeout: 15_000 });
  await page.getByRole('link', { name: 'See what happened' }).click();
  await expect(page.getByRole('region', { name: 'What happened' })).toContainText('We stopped AnyDesk.');
  expect(presses()).toBe(1);
  await page.getByRole('link', { name: 'See the alert' }).click();
  await expect(page.getByText('What happened', { exact: true })).toBeVisible();
  await expect(page.getByText('AnyDesk was blocked')).toBeVisible();
  expect(presses()).toBe(2);

  await page.goto(world.dashboardUrl);
  const pressesBefore = presses();
  await page.getByRole('link', { name: 'Manage Den PC' }).click();
  await page.getByText('AnyDesk was blocked').click();
  await expect(page.getByText('What happened', { exact: true })).toBeVisible();
  expect(presses() - pressesBefore).toBe(2);
});

test('[2.47] the greeting of a user with a title in the name does not consist of the title alone', async ({ browser }) => {
  for (const [name, greetingName] of [
    ['Mrs Example', 'Mrs Example'],
    ['Ann Example', 'Ann'],
  ] as const) {
    const page = await pageOf(browser, world, await registeredPerson(world, name));
    await page.goto(world.dashboardUrl);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(new RegExp(`^Good (?:morning|afternoon|evening), ${greetingName}$`));
  }
});
