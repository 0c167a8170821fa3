import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { linkIn, mailTo, password, register, registerAndConfirm } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const open = (page: Page, path = '') => page.goto(`${world.dashboardUrl}/profile${path}`);
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Profile pages' }).getByRole('link');
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm with your password' });

function saves(page: Page): unknown[] {
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH' && request.url().endsWith('/api/web/profile')) bodies.push(request.postDataJSON());
  });
  return bodies;
}

test('[2.11] [2.98] the profile has its tabs in order, also for an account with an unconfirmed address', async ({ page }) => {
  await register(page, world, 'New Example', 'new@example.org');
  await open(page);
  await expect(tabs(page)).toHaveText(['My Profile', 'Password', 'Admin PIN', 'Guardians']);
  const paths = ['', '/password', '/admin-pin', '/guardians'];
  const buttonNames = ['Save Profile', 'Current Password', 'Reset Admin PIN', 'Add a Guardian'];
  for (const [i, path] of paths.entries()) {
    await open(page, path);
    await expect(page.getByText(buttonNames[i] ?? '').first()).toBeVisible();
    await expect(tabs(page).nth(i)).toHaveAttribute('aria-current', 'page');
    expect(new URL(page.url()).pathname).toBe(`/dashboard/profile${path}`);
  }
});

test('each page of the profile leads to the pages that have no tab', async ({ page }) => {
  await registerAndConfirm(page, world, 'More Example', 'more@example.org');
  await open(page);
  const more = page.getByRole('navigation', { name: 'More of your profile' }).getByRole('link');
  await more.filter({ hasText: 'How you log in' }).click();
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeVisible();
  await more.filter({ hasText: 'Your data' }).click();
  await expect(page.getByRole('heading', { name: 'Download your data' })).toBeVisible();
  await expect(more).toHaveText(['How you log in: passkeys and authenticator app']);
  await tabs(page).filter({ hasText: 'My Profile' }).click();
  await expect(more).toHaveCount(2);
});

test('[2.99] [2.100] [4.27] [7.6] [7.7] [4.30] [5.16] changing the name needs no password, sends no phone number, and shows after saving', async ({
  page,
}) => {
  await registerAndConfirm(page, world, 'Ann Example', 'ann@example.org');
  await open(page);
  await expect(page.getByLabel('Name')).toHaveValue('Ann Example');
  await expect(page.getByLabel('Email')).toHaveValue('ann@example.org');
  await expect(page.getByLabel('Phone number')).toHaveValue('');
  const bodies = saves(page);
  await page.getByLabel('Name').fill('Anna Example');
  // The screen may also have loaded the profile again before the press.
  const reloaded = page.waitForResponse(
    async (answer) =>
      answer.url().endsWith('/api/web/profile') && answer.request().method() === 'GET' && (await answer.json()).name === 'Anna Example',
  );
  await page.getByRole('button', { name: 'Save Profile' }).click();
  expect(await (await reloaded).json()).toMatchObject({ name: 'Anna Example', email: 'ann@example.org' });
  await expect(page.getByText('Your profile has been updated.', { exact: true })).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  expect(bodies).toEqual([{ name: 'Anna Example', email: 'ann@example.org', current_password: null }]);

  await page.getByLabel('Name').fill('  ');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription('The name is required');
});

test('[5.16] [4.26] [2.101] changing the name of an account with a phone number does not send the number, and opens no dialog', async ({
  page,
}) => {
  await registerAndConfirm(page, world, 'Max Example', 'max@example.org');
  const token = (await page.evaluate(() => localStorage.getItem('porchlight_token'))) ?? '';
  await call(world.url, 'PATCH /web/profile', { token, body: { phone_number: '+12025550148', current_password: password } });
  await open(page);
  await expect(page.getByLabel('Phone number')).toHaveValue(/202/);
  const bodies = saves(page);
  await page.getByLabel('Name').fill('Maxine Example');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Your profile has been updated.', { exact: true })).toBeVisible();
  expect(bodies).toEqual([{ name: 'Maxine Example', email: 'max@example.org', current_password: null }]);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect((await world.texts()).filter(({ to }) => to === '+12025550148')).toEqual([]);
  await expect(page.getByLabel('Phone number')).toHaveValue(/202/);
});

test('[4.28] [4.29] [5.16] changing the email needs the password, which is cleared after each attempt', async ({ page }) => {
  await registerAndConfirm(page, world, 'Eve Example', 'eve@example.org');
  await open(page);
  const bodies = saves(page);
  await page.getByLabel('Email').fill('eve.new@example.org');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  const field = dialog(page).getByLabel('Password', { exact: true });
  const confirm = dialog(page).getByRole('button', { name: 'Confirm' });
  await expect(field).toBeFocused();

  for (const blankText of ['', '   ']) {
    await field.fill(blankText);
    await confirm.click();
    await expect(dialog(page).getByRole('alert')).toHaveText('Your password confirmation cannot be blank');
    await expect(dialog(page).getByRole('alert')).toBeFocused();
    await expect(field).toHaveAccessibleDescription('Your password confirmation cannot be blank');
  }
  expect(bodies).toEqual([]);

  await field.fill('not my password');
  await confirm.click();
  await expect(dialog(page).getByRole('alert')).toHaveText('That is not your current password. Try again.');
  await expect(field).toHaveValue('');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByLabel('Email')).toHaveValue('eve.new@example.org');
  expect(bodies).toHaveLength(1);

  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(field).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  expect(bodies).toHaveLength(1);
});

test.describe('changing the email', () => {
  test.describe.configure({ mode: 'serial' });
  let page: Page;
  const [oldEmail, newEmail] = ['una@example.org', 'una.new@example.org'];
  const profileOf = async () => {
    const token = await page.evaluate(() => localStorage.getItem('porchlight_token'));
    return (await page.request.get(`${world.url}/api/web/profile`, { headers: { authorization: `Bearer ${token}` } })).json();
  };
  test.beforeAll(async ({ browser }) => {
    page = await (await browser.newContext()).newPage();
    await registerAndConfirm(page, world, 'Una Example', oldEmail);
  });

  test('[P2.4] [4.30] the profile shows the new address, and the old one stays in force until the confirmation', async () => {
    await open(page);
    await page.getByLabel('Email').fill(newEmail);
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await dialog(page).getByLabel('Password', { exact: true }).fill(password);
    await dialog(page).getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('Your profile has been updated.', { exact: true })).toBeVisible();
    await expect(page.getByText(`We sent an email to ${newEmail}.`)).toBeVisible();
    await expect(page.getByText(`Until then ${oldEmail} counts`)).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(oldEmail);
    expect(await profileOf()).toMatchObject({ email: oldEmail, pending_email: newEmail });
    await mailTo(world, newEmail, /new email address/);
  });

  test('[P2.3] the email to the new address is sent again at most once in 60 seconds', async () => {
    await page.clock.install();
    await page.reload();
    const resendButton = page.getByRole('button', { name: 'Send again' });
    await expect(resendButton).toBeVisible();
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await resendButton.click();
    // The countdown begins with the answer to the press.
    await expect(resendButton).toHaveText(/ in 60 s$/);
    await page.clock.runFor(1_000);
    await expect(page.getByText('Sent. The newest email is the one that works.')).toBeVisible();
    await expect(resendButton).toBeDisabled();
    await page.clock.runFor(57_000);
    await expect(resendButton).toBeDisabled();
    await page.clock.runFor(2_500);
    await expect(resendButton).toBeEnabled();
    await expect(resendButton).toHaveText('Send again');
    await page.clock.resume();
  });

  test('[P2.4] the new address takes effect by the button and not by opening the link, and a second click says that it is in force', async () => {
    const link = linkIn(await mailTo(world, newEmail, /new email address/));
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Confirm your new email address' })).toBeVisible();
    expect(await profileOf()).toMatchObject({ email: oldEmail });
    await page.getByRole('button', { name: 'Confirm my new email address' }).click();
    await expect(page.getByText(`Signed in as ${newEmail}`)).toBeVisible();
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm my new email address' }).click();
    await expect(page.getByText('Your new email address is already confirmed.')).toBeVisible();
  });

  test('[P2.4] a change of address can be undone from the old one, which logs out and leads to a new password', async () => {
    const link = linkIn(await mailTo(world, oldEmail, /was changed/));
    expect(link).toMatch(/\?undo=1$/);
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Take the change back' })).toBeVisible();
    await page.getByRole('button', { name: 'Take the change back' }).click();
    await expect(page.getByText(/^Your email address is as it was/)).toBeVisible();
    await page.getByRole('link', { name: 'Choose a new password' }).click();
    await expect(page).toHaveURL(/\/forgot-password$/);
    await page.goto(link);
    await page.getByRole('button', { name: 'Take the change back' }).click();
    await expect(page.getByText(/^The change has already been taken back/)).toBeVisible();
    const login = { email: oldEmail, password };
    expect((await page.request.post(`${world.url}/api/login/web`, { data: login })).status()).toBe(200);
  });
});

test('[P2.4] a guest who confirms a new address is led to the login, with a notice', async ({ page, browser }) => {
  await registerAndConfirm(page, world, 'Zoe Example', 'zoe@example.org');
  await open(page);
  await page.getByLabel('Email').fill('zoe.new@example.org');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await dialog(page).getByLabel('Password', { exact: true }).fill(password);
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  const phone = await (await browser.newContext()).newPage();
  await phone.goto(linkIn(await mailTo(world, 'zoe.new@example.org', /new email address/)));
  await phone.getByRole('button', { name: 'Confirm my new email address' }).click();
  await expect(phone).toHaveURL(/\/login\?notice=email-confirmed$/);
  await expect(phone.getByText('Your email address has been confirmed.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('zoe.new@example.org', { timeout: 15_000 });
  await expect(page.getByText('One press is missing')).toHaveCount(0);
});

test('[P2.3] a mistyped address can be changed on the page that waits for its confirmation, which then continues by itself', async ({
  page,
  browser,
}) => {
  await register(page, world, 'Ida Example', 'idda@example.org');
  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByLabel('The right email address').fill('ida@example.org');
  await page.getByRole('button', { name: 'Save and send the email' }).click();
  await dialog(page).getByLabel('Password', { exact: true }).fill(password);
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText(/^We sent an email to i••@example\.org\. Press the button in it, on any device/)).toBeVisible();
  const phone = await (await browser.newContext()).newPage();
  await phone.goto(linkIn(await mailTo(world, 'ida@example.org', /new email address/)));
  await phone.getByRole('button', { name: 'Confirm my new email address' }).click();
  await expect(page.getByRole('heading', { name: 'Choose your plan' })).toBeVisible({ timeout: 15_000 });
  await page.getByRole('link', { name: 'Profile', exact: true }).click();
  await expect(page.getByLabel('Email')).toHaveValue('ida@example.org');
});
