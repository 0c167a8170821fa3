import { expect } from '@playwright/test';
import { test } from './component.ts';

test('banners for an unconfirmed email and phone link to their confirmation; while registering, the email banner is absent', async ({
  open,
}) => {
  const page = await open('banners');
  await expect(page.getByRole('status')).toHaveCount(2);
  await expect(page.getByRole('link', { name: 'Verify my email' })).toHaveAttribute('href', '/verify-email');
  await expect(page.getByRole('link', { name: 'Verify my phone number' })).toHaveAttribute('href', '/profile?verify-phone');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('status')).toHaveCount(1);
  await expect(page.getByRole('link', { name: 'Verify my email' })).toHaveCount(0);
});

test('an error boundary shows a general message instead of the exception’s, keeps the rest of the page, and reloads on Try again', async ({
  open,
}) => {
  const page = await open('boundary');
  await page.getByRole('button', { name: 'Break' }).click();
  await expect(page.getByRole('alert')).toContainText('An unknown error occurred');
  await expect(page.getByRole('alert')).not.toContainText('undefined is not a function');
  await expect(page.getByText('Everything around it stays.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Break' })).toBeVisible();
});

test('a loading boundary shows a placeholder, then the error with advice, and the data after Try again', async ({ open }) => {
  const page = await open('loading');
  await expect(page.getByRole('status')).toHaveText('Loading');
  await page.getByRole('button', { name: 'Fail' }).click();
  await expect(page.getByRole('alert').getByRole('heading', { name: 'Devices' })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('Failed to connect to API.');
  await expect(page.getByRole('alert')).toContainText("Check that you're online.");
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Here it is.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a phone field returns only full numbers, and reformats its text only on blur', async ({ open }) => {
  const page = await open('phone');
  const field = page.getByRole('textbox', { name: 'Phone number' });
  await field.pressSequentially('202555');
  await expect(page.getByTestId('number')).toHaveText('');
  await expect(page.getByTestId('problem')).toHaveText('This number is too short.');
  await expect(field).not.toHaveAttribute('aria-invalid');
  await field.pressSequentially('0143');
  await expect(page.getByTestId('number')).toHaveText('+12025550143');
  await expect(page.getByTestId('problem')).toHaveText('');
  await expect(field).toHaveValue('2025550143');
  await field.blur();
  await expect(field).toHaveValue('(202) 555-0143');
});

test('a phone field with a wrong number shows the error on blur', async ({ open }) => {
  const page = await open('phone');
  const field = page.getByRole('textbox', { name: 'Phone number' });
  await field.fill('12');
  await field.blur();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(/This number is too short\./);
});

test('a phone field switches to the country of a calling code and announces it', async ({ open }) => {
  const page = await open('phone');
  await page.getByRole('textbox', { name: 'Phone number' }).fill('+44 20 7946 0018');
  await expect(page.getByRole('status')).toHaveText('The country is now United Kingdom.');
  await expect(page.getByRole('combobox', { name: 'Country' })).toHaveValue('GB');
  await expect(page.getByTestId('number')).toHaveText('+442079460018');
});

test('the consent banner takes the focus on request, shows the earlier choices, and answers for each service', async ({ open }) => {
  const page = await open('consent');
  await expect(page.getByRole('heading', { name: 'May we use these outside services?' })).toBeFocused();
  const [chat, errors] = [page.getByRole('checkbox', { name: /chat window/ }), page.getByRole('checkbox', { name: /when a page breaks/ })];
  await expect(chat).toBeChecked();
  await expect(errors).not.toBeChecked();
  await chat.uncheck();
  await errors.check();
  await page.getByRole('button', { name: 'Save my choices' }).click();
  await expect(page.getByTestId('answer')).toHaveText('{"chat":false,"errors":true}');
  await page.getByRole('button', { name: 'No, thank you' }).click();
  await expect(page.getByTestId('answer')).toHaveText('{"chat":false,"errors":false}');
});
