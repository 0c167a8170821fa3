import { expect } from '@playwright/test';
import { test } from './component.ts';

test('a build shows its steps in words and as a progress bar, and its end, all in one live region that was there before', async ({
  open,
}) => {
  const page = await open('preparing');
  const live = page.locator('[aria-live=polite]');
  await expect(live).toHaveText('');
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(live).toContainText('We’re getting this download ready.');
  await expect(live).toContainText('Leave this page open: the download will appear here.');
  const bar = page.getByRole('progressbar', { name: 'Getting the download ready' });
  await expect(bar).toHaveAttribute('aria-valuetext', 'Starting…');
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await expect(live).toContainText('Step 3 of 8: macOS');
  for (const [name, value] of [
    ['aria-valuenow', '3'],
    ['aria-valuemax', '8'],
    ['aria-valuetext', 'Step 3 of 8: macOS'],
  ] as const)
    await expect(bar).toHaveAttribute(name, value);
  await page.getByRole('button', { name: 'Last step' }).click();
  await expect(bar).toHaveAttribute('aria-valuetext', 'Step 8 of 8');
  await page.getByRole('button', { name: 'End' }).click();
  await expect(live).toHaveText('The download is ready.');
  await expect(bar).toHaveCount(0);
});

test('downloads that were ready from the beginning are not announced', async ({ open }) => {
  const page = await open('preparing');
  await page.getByRole('button', { name: 'End' }).click();
  await expect(page.locator('[aria-live=polite]')).toHaveText('');
});
