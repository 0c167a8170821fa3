import { expect } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { confirmedPerson } from './lib/people.ts';
import { registerAndConfirm } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { grant } from './lib/subscribe.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld(
  (startedWorld) => {
    world = startedWorld;
  },
  { env: { FEATURE_GUARDIANS: 'off', FEATURE_SMS: 'off' } },
);

test('[2.98] [2.100] [6.9] without guardians their tab is absent and its address leads to the profile, which without texts has no phone number', async ({
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

test('[6.9] without guardians no page mentions them', async ({ browser }) => {
  const ann = await confirmedPerson(world);
  await grant(world, ann, '--devices', '2');
  const page = await pageOf(browser, world, ann);
  for (const [path, shownText] of [
    ['', 'Your name and email.'],
    ['/profile/account', 'What you have paid is not refunded automatically.'],
    ['/profile/alerts', 'A practice alert goes to you, the way a real one does. It says that it is only practice.'],
    ['/add-device?step=policy', 'Name it, and choose how strict we are'],
    ['/policies/new', 'We stop them at once, and tell you.'],
  ] as const) {
    await page.goto(`${world.dashboardUrl}${path}`);
    await expect(page.getByText(shownText).first()).toBeVisible();
    expect(await page.locator('body').innerText()).not.toMatch(/guardian/i);
  }
  await page.goto(`${world.dashboardUrl}/profile/guardians/0b6e3f5e-9d3c-4c55-9a3e-0a4a1f6f2b11`);
  await expect(page).toHaveURL(/\/profile$/);
});
