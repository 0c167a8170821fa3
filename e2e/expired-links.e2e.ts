import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { type Person, validPassword } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, unconfirmedPerson } from './lib/accounts.ts';
import { expireAll } from './lib/expire.ts';
import { confirmedPerson, registeredPerson } from './lib/people.ts';
import { addDevice } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const create = (person: Person, name: string) =>
  call(world.url, 'POST /web/create-device', { token: person.token, body: { name, policy: null } });
const mailsTo = async (email: string) => (await world.mailbox()).filter(({ to }) => to.includes(email));
async function linkTo(email: string, marker: string): Promise<string> {
  const link = new RegExp(`http://\\S*${marker}\\S*`);
  await expect.poll(async () => (await mailsTo(email)).some(({ text }) => link.test(text)), { timeout: 15_000 }).toBe(true);
  return (await mailsTo(email)).flatMap(({ text }) => link.exec(text) ?? [])[0] ?? '';
}
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

test('[2.54] [2.56] [P3.1] an expired code offers a new one on its row and on its own page, and a valid code is unaffected', async ({
  browser,
}) => {
  const ann = await registeredPerson(world);
  const expiredDevice = await create(ann, 'Mum’s laptop');
  await create(ann, 'Attic PC');
  await expireAll(world, 'device_codes');
  const newDevice = await create(ann, 'Den PC');
  const page = await pageOf(browser, world, ann);
  await page.goto(world.dashboardUrl);
  const expiredRow = row(page, 'Mum’s laptop');
  await expect(expiredRow.getByText('Pending install', { exact: true })).toBeVisible();
  await expect(expiredRow.getByText('The code for this device has expired. Codes work for 7 days.')).toBeVisible();
  await expect(page.getByText(expiredDevice.login_code)).toHaveCount(0);
  await expect(expiredRow.getByRole('button', { name: 'Copy Share Link' })).toHaveCount(0);
  await expect(row(page, 'Den PC').getByText(newDevice.login_code, { exact: true })).toBeVisible();
  await expect(row(page, 'Den PC').getByRole('button', { name: /new code/ })).toHaveCount(0);
  await checkScreen(page);

  await expiredRow.getByRole('button', { name: 'Make a new code for Mum’s laptop' }).click();
  await expect(expiredRow.getByRole('button', { name: 'Copy Share Link' })).toBeVisible();
  await expect(expiredRow.getByText('has expired')).toHaveCount(0);
  await expect(expiredRow.locator('.pending')).toBeFocused();
  const { login_code } = await call(world.url, 'GET /web/devices/:id', { token: ann.token, params: { id: expiredDevice.uuid } });
  await expect(expiredRow.getByText(login_code ?? 'none', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Manage Attic PC' }).click();
  const connect = page.getByRole('region', { name: 'This device isn’t installed yet' });
  await expect(connect.getByText('The code for this device has expired.')).toBeVisible();
  await expect(page.locator('.code')).toHaveCount(0);
  await checkScreen(page);
  await connect.getByRole('button', { name: 'Make a new code for Attic PC' }).click();
  await expect(connect.locator('.code')).toHaveText(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/);
  await expect(connect.getByRole('heading', { level: 2, name: 'This device isn’t installed yet' })).toBeFocused();
  await expect(connect.getByText(/^Works once, until \w+, \w+ \d+\.$/)).toBeVisible();
});

test('[P3.1] after a new code on the last page of the set-up, its heading has the focus', async ({ browser }) => {
  const page = await pageOf(browser, world, await registeredPerson(world));
  await page.goto(world.dashboardUrl);
  const oldCode = await addDevice(page, 'Another device', 'Nan’s computer');
  await expireAll(world, 'device_codes');
  await page.getByRole('button', { name: 'Make a new code for Nan’s computer' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Protect Nan’s computer' })).toBeFocused();
  await expect(page.locator('.code')).not.toHaveText(oldCode);
});

test('[P3.5] the share page of an expired code names who can make a new one, and requests it with one press', async ({ page }) => {
  const ann = await registeredPerson(world, 'Ann Example');
  const { login_code, uuid } = await create(ann, 'Mum’s laptop');
  await expireAll(world, 'device_codes');
  await page.goto(`${world.dashboardUrl}/share/${login_code}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This code has expired');
  await expect(page.getByText('Codes work for 7 days. Ann can make a new one and send it to you.')).toBeVisible();
  await expect(page.locator('.code')).toHaveCount(0);
  await checkScreen(page);
  await page.getByRole('button', { name: 'Ask Ann for a new code' }).click();
  const confirmation = page.getByText('We emailed Ann. Wait for a new link, and open that one on this computer.');
  await expect(confirmation).toBeFocused();
  await expect(page.getByRole('button', { name: /new code/ })).toHaveCount(0);
  await checkScreen(page);
  expect(await linkTo(ann.email, `/devices/${uuid}`)).toBe(`${world.dashboardUrl}/devices/${uuid}`);

  await page.reload();
  await expect(page.getByRole('button', { name: 'Ask Ann for a new code' })).toBeVisible();
  await call(world.url, 'POST /web/devices/:uuid/code', { token: ann.token, params: { uuid } });
  await page.getByRole('button', { name: 'Ask Ann for a new code' }).click();
  await expect(page.getByText('This link no longer works. Ask Ann for a new one.')).toHaveClass('note look');
});

test('[2.15] [2.35] a dead confirmation link offers another email instead of its button, to a guest through the login', async ({
  browser,
}) => {
  const ann = await unconfirmedPerson(world, 'Ann Example');
  const link = await linkTo(ann.email, '/confirm-email/');
  await expireAll(world, 'email_links');
  const guest = await pageOf(browser, world, null);
  await guest.goto(link);
  await guest.getByRole('button', { name: 'Confirm my email address' }).click();
  await expect(guest.getByRole('alert')).toHaveText('This link has expired. Ask for a new email.');
  await expect(guest.getByRole('alert')).toBeFocused();
  await expect(guest.getByRole('button', { name: 'Confirm my email address' })).toHaveCount(0);
  await checkScreen(guest);
  await guest.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await guest.getByLabel('Email').fill(ann.email);
  await guest.getByLabel('Password', { exact: true }).fill(validPassword);
  await guest.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(guest.getByRole('button', { name: 'Send again' })).toBeVisible();

  const page = await pageOf(browser, world, ann);
  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm my email address' }).click();
  const mailsBefore = (await mailsTo(ann.email)).length;
  await page.getByRole('button', { name: 'Send a new email' }).click();
  await expect(page.getByText('Sent. The newest email is the one that works.')).toBeVisible();
  await expect.poll(async () => (await mailsTo(ann.email)).length, { timeout: 15_000 }).toBe(mailsBefore + 1);
  await checkScreen(page);
  await guest.getByRole('button', { name: 'Log out' }).click();
  await guest.goto(await linkTo(ann.email, '/confirm-email/'));
  await guest.getByRole('button', { name: 'Confirm my email address' }).click();
  await expect(guest.getByText('Your email address has been confirmed.')).toBeVisible();
  await expect(guest).toHaveURL(`${world.dashboardUrl}/login?notice=email-confirmed`);
});

test('[2.15] [P2.4] a dead link about a new address leads to where another email can be requested', async ({ browser }) => {
  const ann = await confirmedPerson(world, 'Ann Example');
  const newEmail = `new-${ann.email}`;
  await call(world.url, 'PATCH /web/profile', { token: ann.token, body: { email: newEmail, current_password: ann.password } });
  const confirm = await linkTo(newEmail, '/confirm-email-change/');
  await expireAll(world, 'email_links');
  const page = await pageOf(browser, world, ann);
  await page.goto(confirm);
  await page.getByRole('button', { name: 'Confirm my new email address' }).click();
  await expect(page.getByRole('alert')).toHaveText('This link has expired. Ask for a new email.');
  await expect(page.getByRole('button', { name: 'Confirm my new email address' })).toHaveCount(0);
  await checkScreen(page);
  await page.getByRole('link', { name: 'Go to your profile' }).click();
  await expect(page.getByRole('button', { name: 'Send again' })).toBeVisible();

  const bea = await confirmedPerson(world, 'Bea Example');
  const body = { email: `new-${bea.email}`, current_password: bea.password };
  await call(world.url, 'PATCH /web/profile', { token: bea.token, body });
  const token = (await linkTo(body.email, '/confirm-email-change/')).split('/confirm-email-change/')[1] ?? '';
  await call(world.url, 'POST /confirm-email-change', { body: { token } });
  const undo = await linkTo(bea.email, '/confirm-email-change/');
  await expireAll(world, 'email_links');
  const guest = await pageOf(browser, world, null);
  await guest.goto(undo);
  await guest.getByRole('button', { name: 'Take the change back' }).click();
  await expect(guest.getByRole('alert')).toHaveText('This link no longer works, so the change can’t be undone here.');
  await expect(guest.getByRole('button', { name: 'Take the change back' })).toHaveCount(0);
  await checkScreen(guest);
  await guest.getByRole('link', { name: 'Choose a new password' }).click();
  await expect(guest.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
});

test('[2.34] [P2.2] an expired reset link leads to the login with a notice, and a new link needs one press', async ({ browser }) => {
  const ann = await confirmedPerson(world);
  const guest = await pageOf(browser, world, null);
  const ask = async () => {
    await guest.getByLabel('Email').fill(ann.email);
    await guest.getByRole('button', { name: 'Send the email' }).click();
    await expect(guest.getByText('the email is on its way')).toBeVisible();
  };
  const choose = async (link: string) => {
    await guest.goto(link);
    await guest.getByLabel('New Password', { exact: true }).fill('another long phrase of hers');
    await guest.getByLabel('Confirm New Password', { exact: true }).fill('another long phrase of hers');
    await guest.getByRole('button', { name: 'Save new password' }).click();
  };
  await guest.goto(`${world.dashboardUrl}/forgot-password`);
  await ask();
  const firstLink = await linkTo(ann.email, '/reset-password/');
  await expireAll(world, 'email_links');
  await choose(firstLink);
  await expect(guest).toHaveURL(`${world.dashboardUrl}/login?notice=reset-key-expired`);
  await expect(guest.getByText('The password reset token has expired.', { exact: true })).toBeVisible();
  await checkScreen(guest);
  await guest.getByRole('link', { name: 'Get a new link' }).click();
  // The page before has a field of the same name.
  await expect(guest.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await ask();
  await expect.poll(async () => (await linkTo(ann.email, '/reset-password/')) !== firstLink, { timeout: 15_000 }).toBe(true);
  const secondLink = await linkTo(ann.email, '/reset-password/');
  await choose(secondLink);
  await expect(guest).toHaveURL(`${world.dashboardUrl}/login?notice=password-reset`);
  await expect(guest.getByText('Your password has been reset.', { exact: true })).toBeVisible();
  await expect(guest.getByRole('link', { name: 'Get a new link' })).toHaveCount(0);
  // [2.33] A used link is invalid.
  await choose(secondLink);
  await expect(guest).toHaveURL(`${world.dashboardUrl}/login?notice=invalid-reset-key`);
  await expect(guest.getByRole('link', { name: 'Get a new link' })).toBeVisible();
});

test('[2.6] [2.102] Forgot password on the profile logs out and leads to the request for a reset email', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await pageOf(browser, world, ann);
  await page.goto(`${world.dashboardUrl}/profile/password`);
  await expect(page.getByText('We log you out and email you a link to choose a new one.')).toBeVisible();
  await checkScreen(page);
  const logoutResponse = page.waitForResponse((answer) => answer.url().endsWith('/api/web/logout'));
  await page.getByRole('button', { name: 'Forgot my password' }).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/forgot-password`);
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await logoutResponse;
  expect(await page.evaluate(() => localStorage.getItem('porchlight_token'))).toBeNull();
  await page.goto(world.dashboardUrl);
  await expect(page).toHaveURL(`${world.dashboardUrl}/login`);
});

test('[2.10] [2.42] an address with a trailing slash shows the same page, and no link to a dashboard that does not exist yet', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, await unconfirmedPerson(world));
  for (const path of ['/verify-email', '/verify-email/']) {
    await page.goto(world.dashboardUrl + path);
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Profile' })).toBeVisible();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toHaveCount(0);
    await expect(page.locator('.banner')).toHaveCount(0);
  }
});
