import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from '../lib/accessibility.ts';
import { pageOf, reportAlert, unconfirmedPerson } from '../lib/accounts.ts';
import { endIncidents } from '../lib/incidents.ts';
import { confirmedPerson, linkedDevice, registeredPerson } from '../lib/people.ts';
import { linkIn, mailTo } from '../lib/screens.ts';
import { withWorld } from '../lib/setup.ts';
import { test } from '../lib/test.ts';

let world: World;
const people: Record<'ann' | 'fresh' | 'planless', Person | null> & { guest: null } = {
  guest: null,
  ann: null,
  fresh: null,
  planless: null,
};
const ids = { device: '', pending: '', code: '', guardian: '' };

withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async () => {
  const ann = await registeredPerson(world);
  const device = await linkedDevice(world, ann);
  await reportAlert(world, device);
  // In an incident, a new guardian, another phone number and the Admin PIN wait.
  await endIncidents(world);
  const pending = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Mum’s laptop' } });
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email: 'bob@example.org' } });
  await call(world.url, 'PATCH /web/profile', {
    token: ann.token,
    body: { name: 'Ann Example', email: ann.email, current_password: ann.password, phone_number: '+12025550123' },
  });
  people.ann = ann;
  people.fresh = await unconfirmedPerson(world);
  people.planless = await confirmedPerson(world);
  ids.device = device.uuid;
  ids.pending = pending.uuid;
  ids.code = pending.login_code;
  ids.guardian = linkIn(await mailTo(world, 'bob@example.org', /guardian/)).split('/guardian/')[1] ?? '';
});

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click();
const logInWrongly = async (page: Page) => {
  await page.getByLabel('Email').fill('nobody@example.org');
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await press('Log in')(page);
};
const lookFor = (name: string) => (page: Page) => page.getByLabel('Name of a program or page').fill(name);
const nameNothing = async (page: Page) => {
  await page.getByLabel('Device name').fill('');
  await press('Continue')(page);
};
const newEmail = async (page: Page) => {
  await page.getByLabel('Email').fill('ann.new@example.org');
  await press('Save Profile')(page);
};
const otherVersion = async (page: Page) => {
  await page.route('**/app_version.json?*', (route) => route.fulfill({ json: { v: '1000.0.0' } }));
  await page.reload();
  await expect(page.getByRole('button', { name: 'New version available, click to update!' })).toBeVisible();
};
const noPin = async (page: Page) => {
  await page.route('**/api/web/bypasspassword', (route) => route.fulfill({ status: 403, json: { error: 'Not now.' } }));
  await page.reload();
};
type Screen = [name: string, who: keyof typeof people, path: () => string, ready: string, first?: (page: Page) => Promise<unknown>];
const screens: Screen[] = [
  ['login', 'guest', () => '/dashboard/login?expired=1', 'Your login has expired. Please login again.'],
  ['login, refused', 'guest', () => '/dashboard/login', 'do not go together', logInWrongly],
  ['register', 'guest', () => '/dashboard/register', 'Confirm Password'],
  ['forgot password', 'guest', () => '/dashboard/forgot-password', 'Send the email'],
  ['reset password', 'guest', () => '/dashboard/reset-password/x', 'Save new password'],
  ['confirm email', 'guest', () => '/dashboard/confirm-email/x', 'Confirm my email address'],
  ['confirm another email', 'guest', () => '/dashboard/confirm-email-change/x', 'Confirm my new email address'],
  ['take another email back', 'guest', () => '/dashboard/confirm-email-change/x?undo=1', 'Someone entered another email address'],
  ['keep the account', 'guest', () => '/dashboard/keep-account/x', 'Someone asked us to delete this account'],
  ['remove a way to log in', 'guest', () => '/dashboard/remove-sign-in/x', 'This link no longer works'],
  ['not found', 'guest', () => '/dashboard/nowhere', 'Page Not Found.'],
  ['a newer version', 'guest', () => '/dashboard/login', 'Forgot your password?', otherVersion],
  ['what we recognise', 'guest', () => '/dashboard/what-we-recognise', 'We do not know “zzz” by name', lookFor('zzz')],
  ['help now', 'guest', () => '/dashboard/help-now', 'Call a relative you trust'],
  ['terms', 'guest', () => '/terms-of-service', 'Template for the operator.'],
  ['privacy policy', 'guest', () => '/privacy-policy', 'Template for the operator.'],
  ['share', 'guest', () => `/dashboard/share/${ids.code}`, 'Three steps'],
  ['share, unknown code', 'guest', () => '/dashboard/share/ABCD-EFGH', 'We do not know this code'],
  ['guardian, dead link', 'guest', () => '/dashboard/guardian/11111111-1111-4111-8111-111111111111/x', 'This link no longer works'],
  ['guardian, invited', 'guest', () => `/dashboard/guardian/${ids.guardian}`, 'I will look out'],
  ['verify email', 'fresh', () => '/dashboard/verify-email', 'The right email address', press('Change address')],
  ['profile, unconfirmed', 'fresh', () => '/dashboard/profile', 'Your email address is not verified.'],
  ['dashboard', 'ann', () => '/dashboard', 'See what happened'],
  ['subscribe', 'planless', () => '/dashboard/subscribe', 'Start Subscription'],
  ['after the payment', 'planless', () => '/dashboard/stripe/success', 'Please wait...'],
  ['profile', 'ann', () => '/dashboard/profile', 'Save Profile'],
  ['profile, password asked', 'ann', () => '/dashboard/profile', 'Confirm with your password', newEmail],
  ['profile, phone asked', 'ann', () => '/dashboard/profile?verify-phone', 'The six digits'],
  ['password', 'ann', () => '/dashboard/profile/password', 'this browser'],
  ['password, log out everywhere asked', 'ann', () => '/dashboard/profile/password', 'Log out everywhere?', press('Log out everywhere')],
  ['how you log in', 'ann', () => '/dashboard/profile/log-in', 'You get them when you add a passkey'],
  ['how you log in, password asked', 'ann', () => '/dashboard/profile/log-in', 'Before we set up an app', press('Set up an app')],
  ['Admin PIN', 'ann', () => '/dashboard/profile/admin-pin', 'Press the number to copy it.'],
  ['Admin PIN, asked', 'ann', () => '/dashboard/profile/admin-pin', 'Reset Admin PIN?', press('Reset Admin PIN')],
  ['Admin PIN, not loaded', 'ann', () => '/dashboard/profile/admin-pin', 'Not now.', noPin],
  ['your data', 'ann', () => '/dashboard/profile/account', 'not refunded automatically'],
  ['your data, password asked', 'ann', () => '/dashboard/profile/account', 'You then have 7 days', press('Delete the account')],
  ['guardians', 'ann', () => '/dashboard/profile/guardians', 'Add a Guardian'],
  ['guardians, asked', 'ann', () => '/dashboard/profile/guardians', 'Remove Guardian?', press('Remove')],
  ['guardians, refused', 'ann', () => '/dashboard/profile/guardians', 'The name is required', press('Add Guardian')],
  ['add device: machine', 'ann', () => '/dashboard/add-device', 'Another device'],
  ['add device: policy', 'ann', () => '/dashboard/add-device?step=policy', 'Please enter a device name', nameNothing],
  ['device, not installed', 'ann', () => `/dashboard/devices/${ids.pending}`, 'This device isn’t installed yet'],
  ['alert history', 'ann', () => `/dashboard/devices/${ids.device}/detections`, 'AnyDesk was blocked'],
  ['remove device', 'ann', () => `/dashboard/devices/${ids.device}/remove-device`, 'I understand that this will remove protection'],
];

for (const [name, viewer, path, readyText, prepare] of screens) {
  test(`${name}: passes axe in light and dark, and loses nothing at 320 px or at 400 %`, async ({ browser }) => {
    const page = await pageOf(browser, world, people[viewer]);
    await page.goto(`${world.url}${path()}`);
    await prepare?.(page);
    await expect(page.getByText(readyText).first()).toBeVisible();
    if (name === 'alert history') await page.locator('summary').first().click();
    await checkScreen(page);
    await checkScreenZoomed(page);
  });
}
