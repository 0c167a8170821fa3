import { randomUUID } from 'node:crypto';
import { expect, type Locator } from '@playwright/test';
import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import { call } from '@porchlight/dev/call.ts';
import { checkScreen } from './lib/accessibility.ts';
import { reportAlert } from './lib/accounts.ts';
import { addPasskey, passkeyDevice } from './lib/passkey-device.ts';
import { linkedDevice } from './lib/people.ts';
import { withAnn } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** Where the password is asked again, a passkey answers as well (P13.1). */

type SignedIn = Parameters<Parameters<typeof withAnn>[0]>[0];
let signedIn: SignedIn;
let device: Awaited<ReturnType<typeof passkeyDevice>>;
withAnn(
  (started) => {
    signedIn = started;
  },
  { once: true },
);
test.beforeAll(async () => {
  const { page, world, ann } = signedIn;
  device = await passkeyDevice(page);
  await addPasskey(page, world, ann);
  await page.getByRole('button', { name: 'I have saved them' }).click();
});

const usePasskey = (within: Locator) => within.getByRole('button', { name: 'Use a passkey' }).click();
const bodyOf = (path: string) =>
  signedIn.page
    .waitForRequest((request) => request.url().endsWith(path) && request.method() !== 'GET')
    .then((request) => request.postDataJSON());

test('[P13.1] another email address is confirmed with a passkey, and not without the user', async () => {
  const { page, world, ann } = signedIn;
  await page.goto(`${world.dashboardUrl}/profile`);
  await page.getByLabel('Email').fill(`new-${ann.email}`);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm with your password' });
  await expect(dialog.getByRole('button', { name: 'Use a passkey' })).toBeVisible();
  await checkScreen(page);
  await device.refuse();
  await usePasskey(dialog);
  await expect(dialog.getByRole('status').filter({ hasText: 'No passkey was used. Try again, or use another way.' })).toBeVisible();
  await device.accept();
  const sent = bodyOf('/api/web/profile');
  await usePasskey(dialog);
  await expect(page.getByText('Your profile has been updated.', { exact: true })).toBeVisible();
  await expect(page.getByText(`We sent an email to new-${ann.email}.`)).toBeVisible();
  expect(await sent).toMatchObject({ email: `new-${ann.email}`, passkey: { type: 'public-key' } });
  expect(await sent).not.toHaveProperty('current_password');
});

test('[P13.1] a new password is saved with a passkey once it is entered twice', async () => {
  const { page, world, ann } = signedIn;
  const password = 'a second long password';
  await page.goto(`${world.dashboardUrl}/profile/password`);
  const save = page.getByRole('button', { name: 'Save with a passkey' });
  await save.click();
  await expect(page.getByRole('alert')).toHaveText('Your password must be at least 12 characters.');
  await page.getByLabel('New Password', { exact: true }).fill(password);
  await save.click();
  await expect(page.getByRole('alert')).toHaveText('Your new password and new password confirmation must match.');
  await page.getByLabel('Confirm New Password', { exact: true }).fill(password);
  await save.click();
  await expect(page.getByText('Your password has been updated.', { exact: true })).toBeVisible();
  const logIn = (word: string) => page.request.post(`${world.url}/api/login/web`, { data: { email: ann.email, password: word } });
  expect(await (await logIn(password)).json()).toMatchObject({ code: 'second_step_needed' });
  expect(await (await logIn(ann.password)).json()).toMatchObject({ code: 'login_wrong' });
  ann.password = password;
});

test('[P13.1] an incident is ended with a passkey where the password is asked', async () => {
  const { page, world, ann } = signedIn;
  const { token } = await linkedDevice(world, ann);
  await reportAlert(world, { token });
  let incident = '';
  await expect
    .poll(async () => {
      const { items } = await call(world.url, 'GET /web/incidents', { token: ann.token, query: { offset: 0, length: 1 } });
      incident = items[0]?.uuid ?? '';
      return incident;
    })
    .not.toBe('');
  // As on another person's computer, three days after it was named, with a password given long ago.
  let over = false;
  await page.route(`**/api/web/incidents/${incident}`, async (route) => {
    if (route.request().method() !== 'GET') over = true;
    const answer = await route.fetch({ method: 'GET' });
    const json = (await answer.json()) as object;
    await route.fulfill({ response: answer, json: { ...json, may_end: { may: 'password' }, ...(over ? { state: 'watched' } : {}) } });
  });
  await page.goto(`${world.dashboardUrl}/incident/${incident}`);
  await page.getByRole('button', { name: 'It’s over' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Your password')).toBeFocused();
  const sent = bodyOf('/api/web/reauthenticate');
  const accepted = page.waitForResponse('**/api/web/reauthenticate');
  await usePasskey(dialog);
  expect(await sent).toMatchObject({ passkey: { type: 'public-key' } });
  expect((await accepted).status()).toBe(200);
  await expect(dialog).toHaveCount(0);
  expect(over).toBe(true);
});

test('[P13.1] a change that nobody answered passes with a passkey, where the password is enough', async () => {
  const { page, world } = signedIn;
  const [time, passes, until] = [-2, -1, 24].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString()) as [
    string,
    string,
    string,
  ];
  const waiting: HeldRequest = {
    ...{ uuid: randomUUID(), incident: null, state: 'open', wants: ['You want to make a new Admin PIN.'], device: null, device_name: null },
    ...{ activities: [{ kind: 'pin_reset', device: '', what: '' }], who: 'You', cause: 'incident', rule: 'day' },
    ...{
      time,
      passes,
      until,
      answers: [],
      lifted: null,
      asked: ['Bob'],
      unproven: false,
      because: 'There was trouble.',
      may_last: false,
      by_server: false,
      mine: { may: 'no', reason: 'own_computer', from: null, why: 'Someone else must answer.' },
    },
  };
  // A fake of the server's gate: the call passes once the holder is proven.
  let proven = false;
  await page.route(`**/api/web/requests/${waiting.uuid}`, (route) => route.fulfill({ json: waiting }));
  await page.route('**/api/web/bypasspassword', (route) => {
    if (proven || route.request().method() === 'GET') return route.fulfill({ json: { bypass_password: proven ? '654321' : '123456' } });
    const json = {
      code: 'held',
      error: 'Nothing has changed yet.',
      request: waiting.uuid,
      until: passes,
      asked: ['Bob'],
      because: waiting.because,
    };
    return route.fulfill({ status: 409, json });
  });
  await page.goto(`${world.dashboardUrl}/profile/admin-pin`);
  await expect(page.getByRole('button', { name: '123456: copy the Admin PIN' })).toBeVisible();
  await page.getByRole('button', { name: 'Reset Admin PIN' }).click();
  await page.getByRole('dialog', { name: 'Reset Admin PIN?' }).getByRole('button', { name: 'Confirm' }).click();
  const dialog = page.getByRole('dialog', { name: 'We asked Bob' });
  await expect(dialog).toContainText('Nobody has answered. Your password or a passkey is enough now.');
  const sent = bodyOf('/api/web/reauthenticate');
  const accepted = page.waitForResponse('**/api/web/reauthenticate');
  // Known before the page has the answer, and repeats its call.
  await page.route('**/api/web/reauthenticate', async (route) => {
    const response = await route.fetch();
    proven = response.ok();
    await route.fulfill({ response });
  });
  await usePasskey(dialog);
  expect(await sent).toMatchObject({ passkey: { type: 'public-key' } });
  expect((await accepted).status()).toBe(200);
  await expect(page.getByRole('button', { name: '654321: copy the Admin PIN' })).toBeVisible();
});
