import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { withAnn } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The tests build on each other. */
test.describe.configure({ mode: 'serial' });

let world: World;
let ann: Person;
let page: Page;

withAnn(
  (signedIn) => {
    ({ world, ann, page } = signedIn);
  },
  { once: true },
);

const storedPolicies = async () => (await call(world.url, 'GET /web/policies', { token: ann.token })).custom_policies;
const choices = () => page.getByRole('group', { name: 'Protection profile' });
const chosen = (name: string) => choices().getByRole('radio', { name: new RegExp(`^${name}`), checked: true });

test('a profile that is made while adding a device is assigned to it, and the typed name stays', async () => {
  await page.goto(`${world.dashboardUrl}/add-device`);
  await page.getByRole('button', { name: 'Another device' }).click();
  await page.getByLabel('Device name').fill('Mum’s laptop');
  await page.getByRole('link', { name: 'Make your own profile' }).click();
  await expect(page.getByRole('link', { name: 'Back to adding a device' })).toBeVisible();
  await page.getByLabel('Name of the profile').fill('For Mum');
  await page.getByRole('group', { name: 'Deceptive programs', exact: true }).getByRole('radio', { name: 'Tell me' }).check();
  await page.getByRole('button', { name: 'Save profile', exact: true }).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/add-device?step=policy`);
  await expect(page.getByLabel('Device name')).toHaveValue('Mum’s laptop');
  await expect(choices().locator('strong')).toHaveText(['Strict', 'Permissive', 'For Mum']);
  await expect(chosen('For Mum')).toHaveCount(1);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/step=send$/);
  await expect(page.locator('.code')).toHaveText(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  const { devices } = await call(world.url, 'GET /web/devices', { token: ann.token });
  expect(devices.at(-1)).toMatchObject({ name: 'Mum’s laptop', policy: (await storedPolicies())[0]?.uuid });
});

test('going back without making a profile restores the step as it was', async () => {
  await page.goto(`${world.dashboardUrl}/add-device`);
  await page.getByRole('button', { name: 'This device' }).click();
  await page.getByLabel('Device name').fill('Kitchen PC');
  await choices().getByText('Permissive', { exact: true }).click();
  await page.getByRole('link', { name: 'Make your own profile' }).click();
  await page.getByRole('link', { name: 'Back to adding a device' }).click();
  await expect(page.getByLabel('Device name')).toHaveValue('Kitchen PC');
  await expect(chosen('Permissive')).toHaveCount(1);
  await page.getByLabel('Device name').fill('Garage PC');
  await choices().getByText('For Mum', { exact: true }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Protect Garage PC' })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('Device name')).toHaveValue('Garage PC');
  await expect(chosen('For Mum')).toHaveCount(1);
});

test('after the twentieth profile a note replaces the button', async () => {
  const actions = { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' } as const;
  const make = (name: string) => call(world.url, 'POST /web/policies', { token: ann.token, body: { name, actions } });
  for (let i = 2; i < 20; i++) await make(`Number ${i}`);
  await page.goto(`${world.dashboardUrl}/policies`);
  await expect(page.getByRole('link', { name: 'Make your own profile' })).toBeVisible();
  await make('Number 20');
  await page.reload();
  await expect(
    page.getByText('You have 20 profiles, and there cannot be more. Remove one to make another.', { exact: true }),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'Make your own profile' })).toHaveCount(0);
  await checkScreen(page);
});
