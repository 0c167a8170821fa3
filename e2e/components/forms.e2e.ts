import { expect, type Page } from '@playwright/test';
import { test } from './component.ts';

const name = (page: Page) => page.getByRole('textbox', { name: 'Name' });
const save = (page: Page) => page.getByRole('button', { name: 'Save' });

test('a form with an empty field shows an error in its alert area, which takes the focus, and beside the field', async ({ open }) => {
  const page = await open('form');
  await save(page).click();
  await expect(page.getByRole('alert')).toHaveText('Please enter a name.');
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(name(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(name(page)).toHaveAccessibleDescription('Please enter a name. As on the door.');
  await expect(page.getByText('Calls: 0')).toBeVisible();
});

test('a form that the server refuses keeps its input and shows the error beside the field', async ({ open }) => {
  const page = await open('form');
  await name(page).fill('refused');
  await name(page).press('Enter');
  await expect(page.getByRole('alert')).toHaveText('The name was refused.');
  await expect(name(page)).toHaveAccessibleDescription(/The name does not have the minimum number of characters/);
  await expect(name(page)).toHaveValue('refused');
});

test('a form that cannot reach the server shows that, and a second try clears the error', async ({ open }) => {
  const page = await open('form');
  await name(page).fill('offline');
  await save(page).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to connect to API.');
  await name(page).fill('Ann');
  await save(page).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByText('Your name was saved.')).toBeVisible();
});

test('a pending form ignores a second press', async ({ open }) => {
  const page = await open('form');
  await page.clock.install();
  await name(page).fill('slow');
  await name(page).press('Enter');
  await name(page).press('Enter');
  await expect(page.getByText('Calls: 1')).toBeVisible();
});

test('a success message appears after 300 ms, is announced, and disappears after 10 s', async ({ open, page }) => {
  await page.clock.install();
  await open('form');
  await page.clock.pauseAt(Date.now() + 60_000);
  await name(page).fill('Ann');
  await save(page).click();
  await expect(page.getByText('Calls: 1')).toBeVisible();
  await page.clock.runFor(290);
  await expect(page.getByText('Your name was saved.')).toHaveCount(0);
  await page.clock.runFor(20);
  await expect(page.locator('[aria-live="polite"]')).toHaveText('Your name was saved.');
  await page.clock.runFor(10_000);
  await expect(page.getByText('Your name was saved.')).toHaveCount(0);
});

test('an action without a form reports its failure in a status that takes no focus', async ({ open }) => {
  const page = await open('quiet');
  await page.getByRole('button', { name: 'Fail' }).click();
  await expect(page.getByRole('status')).toHaveText('Something went wrong. Please try again in a moment.');
  await expect(page.getByRole('button', { name: 'Fail' })).toBeFocused();
});
