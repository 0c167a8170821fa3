import { expect } from '@playwright/test';
import { test } from './component.ts';

test('a dialog about something harmless focuses its confirming button, and confirming proceeds', async ({ open }) => {
  const page = await open('dialog');
  await page.getByRole('button', { name: 'Resend' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resend?' });
  await expect(dialog).toHaveAccessibleDescription('Resend it now.');
  await expect(dialog.getByRole('button', { name: 'Yes, Resend' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Resend: confirmed.')).toBeVisible();
});

test('a dialog about something destructive focuses Cancel, and returns the focus to the button that opened it', async ({ open }) => {
  const page = await open('dialog');
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Remove' })).toBeFocused();
  await expect(page.getByRole('status')).toHaveText('Action Cancelled');
});

test('a dialog closed with Escape counts as Cancel, and can be opened again', async ({ open }) => {
  const page = await open('dialog');
  for (const _ of [1, 2]) {
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('dialog', { name: 'Remove?' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('status')).toHaveText('Action Cancelled');
  }
});

test('a dialog keeps the keyboard inside, and the page behind it cannot be reached', async ({ open }) => {
  const page = await open('dialog');
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press('Tab');
    const behind = await page.evaluate(
      () => document.activeElement?.closest('form') !== null && !document.activeElement?.closest('dialog'),
    );
    expect(behind).toBe(false);
  }
});

test('the guardian page has a confirmation dialog of its own, which focuses Cancel and acts only on yes', async ({ open }) => {
  const page = await open('confirm-button');
  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('status')).toHaveText('');
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('button', { name: 'Yes, stop' }).click();
  await expect(page.getByRole('status')).toHaveText('You left.');
});
