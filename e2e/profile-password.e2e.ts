import { expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { registeredPerson } from './lib/people.ts';
import { mailTo, password, registerAndConfirm } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const newPassword = 'a second long password';
const fields = (page: Page) => {
  const form = page.getByRole('form', { name: 'Change your password' });
  const field = (label: string) => form.getByLabel(label, { exact: true });
  return {
    current: field('Current Password'),
    fresh: field('New Password'),
    again: field('Confirm New Password'),
    save: form.getByRole('button', { name: 'Save Password' }),
  };
};
const checklistRow = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

test('[2.102] [2.103] [2.104] [5.6] [5.2] [5.7] [5.8] the password checklist follows the input, and the button is disabled until it is complete', async ({
  page,
}) => {
  await registerAndConfirm(page, world, 'Ann Example', 'ann@example.org');
  await page.goto(`${world.dashboardUrl}/profile/password`);
  const form = fields(page);
  const [lengthRow, sameRow] = [checklistRow(page, 'At least 12 characters'), checklistRow(page, 'Both passwords are the same')];
  await form.current.fill(password);
  await expect(form.save).toBeDisabled();
  await form.fresh.fill('12345678901');
  await form.again.focus();
  await expect(lengthRow).toHaveText(/not yet$/);
  await expect(form.fresh).toHaveAccessibleDescription('Your password must be at least 12 characters.');
  await form.again.fill('12345678901');
  await expect(sameRow).toHaveText(/yes$/);
  await expect(form.save).toBeDisabled();

  await form.fresh.fill('123456789012');
  await form.fresh.focus();
  await expect(lengthRow).toHaveText(/: yes$/);
  await expect(sameRow).toHaveText(/not yet$/);
  await expect(form.again).toHaveAccessibleDescription('Your new password and new password confirmation must match.');
  await expect(form.save).toBeDisabled();
  await form.again.fill('123456789012');
  await expect(form.again).toHaveAccessibleDescription('');
  await expect(form.save).toBeEnabled();
  await form.current.fill('');
  await expect(form.save).toBeDisabled();
});

test('[7.8] [4.29] [4.30] changing the password needs the current one, which is cleared when wrong', async ({ page }) => {
  await registerAndConfirm(page, world, 'Eve Example', 'eve@example.org');
  await page.goto(`${world.dashboardUrl}/profile/password`);
  const form = fields(page);
  await form.current.fill('not my password');
  await form.fresh.fill(newPassword);
  await form.again.fill(newPassword);
  await form.save.click();
  await expect(page.getByRole('alert')).toHaveText('That is not your current password. Try again.');
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(form.current).toHaveAccessibleDescription('That is not your current password. Try again.');
  await expect(form.current).toHaveValue('');
  await expect(form.fresh).toHaveValue(newPassword);

  await form.current.fill(password);
  const savedRequest = page.waitForRequest((request) => request.method() === 'PATCH');
  await form.save.click();
  expect((await savedRequest).postDataJSON()).toEqual({ current_password: password, password: newPassword });
  await expect(page.getByText('Your password has been updated.', { exact: true })).toBeVisible();
  for (const field of [form.current, form.fresh, form.again]) await expect(field).toHaveValue('');
  await mailTo(world, 'eve@example.org', /password was changed/);
  const logIn = (word: string) => page.request.post(`${world.url}/api/login/web`, { data: { email: 'eve@example.org', password: word } });
  expect((await logIn(newPassword)).status()).toBe(200);
  expect((await logIn(password)).status()).toBe(400);
});

test('the sessions are listed, and another browser’s session can be ended after a confirmation', async ({ page }) => {
  await registerAndConfirm(page, world, 'Una Example', 'una@example.org');
  const otherLogin = await page.request.post(`${world.url}/api/login/web`, {
    data: { email: 'una@example.org', password },
    headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0' },
  });
  const { web_token } = (await otherLogin.json()) as { web_token: string };
  const stillIn = async () =>
    (await page.request.get(`${world.url}/api/web/profile`, { headers: { authorization: `Bearer ${web_token}` } })).status();
  await page.goto(`${world.dashboardUrl}/profile/password`);
  const places = page.getByRole('region', { name: 'Where you are logged in' });
  await expect(places.getByRole('listitem')).toHaveCount(2);
  await expect(places.getByText('this browser')).toHaveCount(1);
  await expect(places.getByText(/^Last used (?:today|yesterday) at \d{1,2}:\d\d [AP]M$/)).toHaveCount(2);

  const otherSession = places.getByRole('button', { name: /^Log out there: Firefox on Windows, last used (?:today|yesterday)/ });
  await otherSession.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(otherSession).toBeFocused();
  expect(await stillIn()).toBe(200);
  await otherSession.click();
  await page.getByRole('dialog', { name: 'Log out there?' }).getByRole('button', { name: 'Confirm' }).click();
  await expect(places.getByText('Firefox on Windows is logged out.')).toBeVisible();
  await expect(places.getByRole('listitem')).toHaveCount(1);
  expect(await stillIn()).toBe(401);
});

test('[P13.1] one press logs out everywhere, this browser as well, after a confirmation; other accounts stay logged in', async ({
  page,
}) => {
  await registerAndConfirm(page, world, 'Olga Example', 'olga@example.org');
  const otherLogin = await page.request.post(`${world.url}/api/login/web`, { data: { email: 'olga@example.org', password } });
  const { web_token: elsewhere } = (await otherLogin.json()) as { web_token: string };
  const { token: neighbour } = await registeredPerson(world);
  const statusOf = async (token: string) =>
    (await page.request.get(`${world.url}/api/web/profile`, { headers: { authorization: `Bearer ${token}` } })).status();
  await page.goto(`${world.dashboardUrl}/profile/password`);
  const press = page.getByRole('button', { name: 'Log out everywhere' });
  const dialog = page.getByRole('dialog', { name: 'Log out everywhere?' });
  await press.click();
  await expect(dialog).toContainText('this one too');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(press).toBeFocused();
  expect(await statusOf(elsewhere)).toBe(200);

  await press.click();
  await dialog.getByRole('button', { name: 'Log out everywhere' }).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/login?notice=logged-out-everywhere`);
  await expect(page.getByText('You are logged out everywhere. To go on, log in again.')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('porchlight_token'))).toBeNull();
  expect(await statusOf(elsewhere)).toBe(401);
  expect(await statusOf(neighbour)).toBe(200);
});

test('[2.105] [2.106] [2.107] [2.108] [4.31] [4.32] [4.33] [4.34] [7.22] [7.23] the Admin PIN shows as copied for 3 seconds, and is reset after a confirmation', async ({
  page,
}) => {
  await registerAndConfirm(page, world, 'Ida Example', 'ida@example.org');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  const loads: string[] = [];
  page.on('request', (request) => request.url().endsWith('/bypasspassword') && loads.push(request.method()));
  await page.goto(`${world.dashboardUrl}/profile/admin-pin`);
  const box = page.getByRole('button', { name: /^\d{6}: copy the Admin PIN$/ });
  await expect(box).toHaveText(/^\d{6}$/);
  expect(loads).toEqual(['GET']);
  for (const text of [
    'uninstall the software',
    'blocks and alerts can be paused',
    'Nobody from Porchlight will ever ask you to tell them your PIN.',
  ])
    await expect(page.getByText(text)).toBeVisible();

  const firstPin = (await box.textContent()) ?? '';
  const notice = page.getByText('Admin PIN Copied', { exact: true });
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await box.press('Enter');
  await expect(notice).toBeVisible();
  await expect(page.locator('[aria-live="polite"]', { has: notice })).toHaveCount(1);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(firstPin);
  await page.clock.runFor(2_900);
  await expect(notice).toBeVisible();
  await page.clock.runFor(200);
  await expect(notice).toHaveCount(0);
  await page.clock.resume();

  const reset = page.getByRole('button', { name: 'Reset Admin PIN' });
  await reset.click();
  const dialog = page.getByRole('dialog', { name: 'Reset Admin PIN?' });
  await expect(dialog.getByText(/reset to a new autogenerated value/)).toBeVisible();
  const confirm = dialog.getByRole('button', { name: 'Confirm' });
  await expect(confirm).toHaveClass(/danger/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(box).toHaveText(firstPin);
  await reset.click();
  await confirm.click();
  await expect(page.getByText('Your Admin PIN has been reset.', { exact: true })).toBeVisible();
  await expect(box).not.toHaveText(firstPin);
  const secondPin = (await box.textContent()) ?? '';
  expect(loads).toEqual(['GET', 'POST']);
  // The PIN is loaded each time the screen opens.
  await page.getByRole('link', { name: 'My Profile' }).click();
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeVisible();
  await page.getByRole('link', { name: 'Admin PIN' }).click();
  await expect(box).toHaveText(secondPin);
  expect(loads).toEqual(['GET', 'POST', 'GET']);
});
