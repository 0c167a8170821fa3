import { expect, type Page } from '@playwright/test';
import { brand } from '@porchlight/contract/brand.ts';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { endIncidents } from './lib/incidents.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
let page: Page;
let den: { uuid: string; token: string };
let attic: { uuid: string; token: string };

withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
  den = await linkedDevice(world, ann, 'Den PC');
  attic = await linkedDevice(world, ann, 'Attic PC');
  await reportAlert(world, den);
  // In an incident a weaker profile waits.
  await endIncidents(world);
});
test.beforeEach(async ({ browser }) => {
  page = await pageOf(browser, world, ann);
});
test.afterEach(() => page.context().close());

const area = (device: { uuid: string }, tab = '') => `${world.dashboardUrl}/devices/${device.uuid}${tab}`;
const tabs = () => page.getByRole('navigation', { name: 'Device pages' });
const heading = () => page.getByRole('heading', { level: 1 });
const name = () => page.getByLabel('Device name');
const save = () => page.getByRole('button', { name: 'Save', exact: true });

const pages = [
  ['[2.73] [2.74] [2.78]', '', 'Device Settings', () => name()],
  ['[2.73] [2.75] [2.78]', '/detections', 'Alert History', () => page.getByText('AnyDesk was blocked')],
  ['[2.73] [2.78]', '/allowlist', 'Allow List', () => page.getByRole('button', { name: 'Add To Allow List' })],
  ['[2.73] [2.77] [2.78]', '/remove-device', 'Remove Device', () => page.getByText('I understand that this will remove protection')],
] as const;
for (const [clauses, path, label, tabContent] of pages) {
  test(`${clauses} the tab ${label} of a device shows the names of device and tab, and a link back to the dashboard`, async () => {
    await page.goto(area(den));
    await tabs().getByRole('link', { name: label, exact: true }).click();
    await expect(page).toHaveURL(area(den, path));
    for (const _way of ['by the tab', 'by the address']) {
      await expect(tabContent().first()).toBeVisible();
      await expect(heading()).toHaveText('Den PC');
      await expect(page).toHaveTitle(`${path ? `${label}, ` : ''}Den PC · ${brand.name}`);
      await expect(page.locator('h1 + p')).toHaveText(label);
      await expect(tabs().locator('[aria-current="page"]')).toHaveText([label]);
      await page.reload();
    }
    await page.getByRole('link', { name: 'Back to dashboard', exact: true }).click();
    await expect(page).toHaveURL(world.dashboardUrl);
    await expect(page.getByRole('heading', { name: /^Your devices/ })).toBeVisible();
  });
}

test('[2.79] another device in the address shows its own name, values and alerts, and nothing of the former input', async () => {
  await page.goto(area(den));
  await name().fill('Typed for the den');
  await page.getByText('Permissive', { exact: true }).click();
  await goTo(attic);
  await expect(heading()).toHaveText('Attic PC');
  await expect(name()).toHaveValue('Attic PC');
  await expect(page.getByRole('radio', { name: /^Strict/ })).toBeChecked();
  await goTo(den);
  await expect(heading()).toHaveText('Den PC');
  await expect(name()).toHaveValue('Den PC');
  await expect(page.getByRole('radio', { name: /^Strict/ })).toBeChecked();

  await goTo(den, '/detections');
  await expect(page.getByText(/AnyDesk was blocked/)).toBeVisible();
  await goTo(attic, '/detections');
  await expect(page.getByText('No recent alerts')).toBeVisible();
  await expect(page.getByText(/AnyDesk was blocked/)).toHaveCount(0);

  await goTo(den, '/remove-device');
  await page.getByRole('checkbox').check();
  await expect(page.getByRole('button', { name: 'Remove Device' })).toBeEnabled();
  await goTo(attic, '/remove-device');
  await expect(heading()).toHaveText('Attic PC');
  await expect(page.getByRole('checkbox')).not.toBeChecked();
  await expect(page.getByRole('button', { name: 'Remove Device' })).toBeDisabled();
});

test('[4.45] a device with a changed name and profile shows a success message, and the change appears on every screen', async () => {
  const { uuid } = await linkedDevice(world, ann, 'Old name');
  await page.goto(area({ uuid }));
  await expect(page.getByText('Device updated successfully')).toHaveCount(0);
  await name().fill('  Kitchen PC ');
  await page.getByText('Permissive', { exact: true }).click();
  await save().click();
  await expect(page.getByText('Device updated successfully', { exact: true })).toBeVisible();
  await expect(heading()).toHaveText('Kitchen PC');
  await expect(name()).toHaveValue('Kitchen PC');
  await expect(page.getByRole('radio', { name: /^Permissive/ })).toBeChecked();
  await page.reload();
  await expect(name()).toHaveValue('Kitchen PC');
  await expect(page.getByRole('radio', { name: /^Permissive/ })).toBeChecked();
  expect(await call(world.url, 'GET /web/devices/:id', { token: ann.token, params: { id: uuid } })).toMatchObject({
    name: 'Kitchen PC',
    policy: 'permissive',
  });
});

test('a failed update of a device shows no success message', async () => {
  await page.clock.install();
  await page.goto(area(den));
  await name().fill(' ');
  await save().click();
  await expect(page.getByRole('alert')).toHaveText('Please enter a device name');
  await page.clock.runFor(2000);
  await expect(page.getByText('Device updated successfully')).toHaveCount(0);
  await expect(heading()).toHaveText('Den PC');
});

test('every tab of a device that is unknown or belongs to someone else redirects to the dashboard', async ({ browser }) => {
  const eve = await pageOf(browser, world, await registeredPerson(world, 'Eve Example'));
  for (const [, path] of pages) {
    for (const id of ['11111111-1111-4111-8111-111111111111', 'x', den.uuid]) {
      await eve.goto(area({ uuid: id }, path));
      await expect(eve.getByRole('heading', { level: 1, name: /^Good .*Eve$/ })).toBeVisible();
      await expect(eve).toHaveURL(world.dashboardUrl);
      await expect(eve.getByText('Den PC')).toHaveCount(0);
    }
  }
  await eve.context().close();
});

/** Changes the address without a reload, as Back and Forward do. */
async function goTo(device: { uuid: string }, tab = ''): Promise<void> {
  await page.evaluate(
    (url) => {
      history.pushState(null, '', url);
      dispatchEvent(new PopStateEvent('popstate', { state: null }));
    },
    area(device, tab),
  );
  await expect(page.locator('h1 + p')).toBeVisible();
}
