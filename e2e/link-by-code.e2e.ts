import { expect } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { addDevice, registerAndConfirm } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

test('[2.72] [4.6] for another device the share page shows link and code, the typed code connects it, and the waiting page shows that', async ({
  page,
}) => {
  await registerAndConfirm(page, world, 'Ann Example', 'ann@example.org');
  const code = await addDevice(page, 'Another device', 'Mum’s laptop');
  await expect(page).toHaveURL(/add-device\?step=send$/);

  const share = await page.context().newPage();
  await share.goto(`${world.dashboardUrl}/share/${code}`);
  await expect(share.getByRole('heading', { name: 'Ann wants to protect this computer' })).toBeVisible();
  await expect(share.getByText(code, { exact: true })).toBeVisible();
  await expect(share.getByText(`${world.dashboardUrl}/share/${code}`)).toBeVisible();

  world.startAgent(['--code', code.toLowerCase().replace('-', ' ')]);
  await expect(page.getByText('Device connected')).toBeVisible({ timeout: 10_000 });
  await share.reload();
  await expect(share.getByRole('heading', { name: 'This code has already been used' })).toBeVisible();
});

test('[2.27] [2.67] a step without a draft redirects to the name step, and the set-up begins at the first step', async ({ page }) => {
  await registerAndConfirm(page, world, 'Eve Example', 'eve@example.org');
  await page.goto(`${world.dashboardUrl}/add-device?step=download`);
  await expect(page).toHaveURL(/step=policy$/);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Add Device' }).click();
  await expect(page.getByRole('heading', { name: 'Which computer do you want to protect?' })).toBeVisible();
});

test('[5.10] a device without a name is not created', async ({ page }) => {
  await registerAndConfirm(page, world, 'Zoe Example', 'zoe@example.org');
  await page.getByRole('link', { name: 'Add Device' }).click();
  await page.getByRole('button', { name: 'Another device' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please enter a device name');
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: 'Your devices (0 of 5)' })).toBeVisible();
});

test('[2.94] [2.95] [2.96] [4.44] a device is removed only after the checkbox and a confirmation', async ({ page }) => {
  await registerAndConfirm(page, world, 'Una Example', 'una@example.org');
  await addDevice(page, 'Another device', 'Old PC');
  await page.getByRole('link', { name: 'Continue to dashboard' }).click();
  await page.getByRole('link', { name: 'Manage Old PC' }).click();
  await page.getByRole('link', { name: 'Remove Device' }).click();
  const button = page.getByRole('button', { name: 'Remove Device' });
  await expect(button).toBeDisabled();
  await page.getByRole('checkbox', { name: 'I understand that this will remove protection' }).check();
  const dialogMessages: string[] = [];
  page.once('dialog', (dialog) => {
    dialogMessages.push(dialog.message());
    void dialog.dismiss();
  });
  await button.click();
  await expect.poll(() => dialogMessages).toEqual(['Are you sure you want to remove Old PC?']);
  page.once('dialog', (dialog) => void dialog.accept());
  await button.click();
  await expect(page.getByRole('heading', { name: 'Your devices (0 of 5)' })).toBeVisible();
});
