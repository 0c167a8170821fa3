import { expect } from '@playwright/test';
import { startWorld, type World } from '@porchlight/dev/world.ts';
import { registerAndConfirm } from './lib/screens.ts';
import { test } from './lib/test.ts';

/** What the profile is without guardians and without texts. */

let world: World;
test.beforeAll(async () => {
  world = await startWorld({ env: { FEATURE_GUARDIANS: 'off', FEATURE_SMS: 'off' } });
});
test.afterAll(async () => {
  await world?.close();
});

test('[2.98] [2.100] [6.9] without guardians their tab is not there and its address leads to the profile, which has no phone number without texts', async ({
  page,
}) => {
  await registerAndConfirm(page, world, 'Ann Example', 'ann@example.org');
  await page.goto(`${world.dashboardUrl}/profile/guardians`);
  await expect(page).toHaveURL(/\/profile$/);
  const tabs = page.getByRole('navigation', { name: 'Profile pages' }).getByRole('link');
  await expect(tabs).toHaveText(['My Profile', 'Password', 'Admin PIN']);
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(page.getByLabel('Phone number')).toHaveCount(0);
});
