import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
import { hour } from '@porchlight/contract/time.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import {
  at,
  because,
  bobs,
  later as laterButton,
  openGate,
  pressRenew as pressRenewOn,
  renew as renewButton,
  renewed,
  waitingDialog,
  withGate,
} from './lib/held-request-gate.ts';
import { withAnn } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
let page: Page;
// One Ann for all tests, because of the login rate limit.
withAnn(
  (signedIn) => {
    ({ world, ann, page } = signedIn);
  },
  { once: true },
);
test.afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

const renew = () => renewButton(page);
const dialog = () => waitingDialog(page);
const later = () => laterButton(page);
const pin = () => page.getByRole('button', { name: `${renewed}: copy the Admin PIN` });
const pressRenew = () => pressRenewOn(page);
const openDialog = (changes: Partial<HeldRequest> = {}) => openGate(page, world.dashboardUrl, ann.password, changes);

test('a call that has to wait opens a dialog: the phone warning first and focused, the names and the reason, under 60 words', async () => {
  await openDialog();
  await expect(dialog()).toBeVisible();
  const warning = dialog().getByText('If someone on the phone told you to do this, hang up.');
  await expect(page.locator('dialog.held-request p').first()).toBeFocused();
  await expect(warning).toBeVisible();
  await expect(dialog()).toContainText(because);
  await expect(dialog()).toContainText('Nothing has changed yet. We do it when Bob says yes.');
  await expect(dialog().getByRole('status')).toHaveText('Waiting…');
  await expect(dialog().getByLabel('Password')).toHaveCount(0);
  const words = (await dialog().innerText()).split(/\s+/).filter((word) => word !== '');
  expect(words.length).toBeLessThan(60);
  await checkScreen(page);
  await checkScreenZoomed(page);
});

test('after a yes, the dialog repeats the same call, closes, announces the yes, and the form shows its result', async () => {
  const gate = await openDialog();
  await expect(dialog()).toBeVisible();
  expect(gate.attempts).toBe(1);
  gate.open = true;
  gate.request = { ...gate.request, state: 'yes', answers: bobs('yes') };
  await expect(dialog()).toHaveCount(0);
  await expect(pin()).toBeVisible();
  await expect(page.getByText('Your Admin PIN has been reset.')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Bob said yes.' })).toHaveCount(1);
  await expect(renew()).toBeFocused();
  expect(gate.attempts).toBe(2);
});

test('a repeated call that has to wait for another request keeps the dialog open, which then waits for that one', async () => {
  const gate = await openDialog();
  await expect(dialog()).toBeVisible();
  const first = gate.request;
  await page.route(`**/api/web/requests/${first.uuid}`, (route) =>
    route.fulfill({ json: { ...first, state: 'yes', answers: bobs('yes') } }),
  );
  gate.request = { ...first, uuid: randomUUID(), asked: ['Sue', 'Tim'] };
  const second = page.getByRole('dialog', { name: 'We asked Sue and Tim' });
  await expect(second).toContainText('We do it when one of them says yes.');
  expect(gate.attempts).toBe(2);
  gate.open = true;
  gate.request = { ...gate.request, state: 'yes', answers: bobs('yes') };
  await expect(second).toHaveCount(0);
  await expect(pin()).toBeVisible();
  expect(gate.attempts).toBe(3);
});

test('a no shows whose it is and when to ask again, repeats nothing, and the form shows that nothing changed', async () => {
  const gate = await openDialog();
  await expect(dialog()).toBeVisible();
  gate.request = { ...gate.request, state: 'no', answers: bobs('no') };
  const ended = page.getByRole('dialog', { name: 'Bob said no' });
  await expect(ended.getByRole('status')).toHaveText('Bob said no. Nothing has changed.');
  await expect(ended).toContainText(/You can ask again after tomorrow at \d+:\d\d [AP]M\./);
  await checkScreen(page);
  await ended.getByRole('button', { name: 'OK' }).click();
  await expect(page.getByRole('alert')).toHaveText('Bob said no. Nothing has changed.');
  expect(gate.attempts).toBe(1);
});

test('when nothing waits any more, because somebody ended the incident, the call is repeated by itself', async () => {
  const gate = await openDialog();
  await expect(dialog()).toBeVisible();
  gate.open = true;
  gate.request = { ...gate.request, state: 'free' };
  await expect(pin()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: 'This no longer has to wait.' })).toBeAttached();
  expect(gate.attempts).toBe(2);
});

test('a request that lapsed, is done already, or is gone ends the wait with a sentence', async () => {
  const gate = await openDialog();
  await expect(dialog()).toBeVisible();
  gate.request = { ...gate.request, state: 'lapsed' };
  await expect(page.getByRole('dialog', { name: 'Nobody answered in time' })).toContainText('You can try again.');
  gate.request = { ...gate.request, answers: bobs('yes') };
  await expect(page.getByRole('dialog', { name: 'This was not done in time' })).toContainText('Nothing has changed.');
  gate.request = { ...gate.request, state: 'done' };
  await expect(page.getByRole('dialog', { name: 'It is done' })).toBeVisible();
  gate.request = { ...gate.request, state: 'impossible', because: 'The allow list of this device is full. Remove something first.' };
  await expect(page.getByRole('dialog', { name: 'It could not be done any more' })).toContainText('The allow list of this device is full.');
  gate.request = { ...gate.request, uuid: randomUUID() };
  await expect(page.getByRole('dialog', { name: 'This request has ended' })).toContainText('You can try again.');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert')).toContainText('This request has ended. Nothing has changed.');
  expect(gate.attempts).toBe(1);
});

test('Escape and the button leave the request waiting, and the form says that doing the same again later finishes it', async () => {
  const gate = await openDialog();
  const words = 'Nothing has changed yet. Bob still has to answer. Do the same again later to finish it.';
  await expect(dialog()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog()).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: words })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(renew()).toBeFocused();
  await pressRenew();
  await expect(dialog()).toBeVisible();
  await later().click();
  await expect(page.getByRole('status').filter({ hasText: words })).toBeVisible();
  gate.open = true;
  await pressRenew();
  await expect(pin()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a visit to another page closes the dialog without an error', async () => {
  await page.goto(`${world.dashboardUrl}/profile`);
  await page.getByRole('link', { name: 'Admin PIN' }).click();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await withGate(page, ann.password);
  await pressRenew();
  await expect(dialog()).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/profile$/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByLabel('Email')).toBeVisible();
  expect(errors).toEqual([]);
});

test('when the time is over the password lets the call pass, after a wrong one an error', async () => {
  const gate = await openDialog({ passes: at(-1000) });
  const password = dialog().getByLabel('Password');
  await expect(dialog()).toContainText('Nobody has answered. Your password or a passkey is enough now.');
  await checkScreen(page);
  await dialog().getByRole('button', { name: 'Do it now' }).click();
  await expect(dialog().getByRole('alert')).toHaveText('Please enter your password.');
  await password.fill('not my password');
  await password.press('Enter');
  await expect(dialog().getByRole('alert')).toHaveText('The error password_wrong.');
  await password.fill(ann.password);
  await password.press('Enter');
  await expect(dialog().getByRole('alert')).toHaveText('There is still no answer, so this has to wait longer.');
  expect(gate.attempts).toBe(2);
  gate.open = true;
  await password.fill(ann.password);
  await password.press('Enter');
  await expect(dialog()).toHaveCount(0);
  await expect(pin()).toBeVisible();
});

test('for somebody else’s computer the holder’s own yes is enough', async () => {
  const gate = await openDialog({ mine: { may: 'yes' } });
  await dialog().getByRole('button', { name: 'Yes, it is all right' }).click();
  await expect(pin()).toBeVisible();
  expect(gate.answers).toEqual([{ answer: 'yes' }]);
});

for (const may of ['password', 'yes'] satisfies MayAnswer['may'][])
  test(`the holder’s own yes takes the password and then a code, where the request offers ${may} and the server asks for more`, async () => {
    const gate = await openDialog({ mine: { may } });
    gate.answer = ({ code }) => {
      if (code === '123456') return null;
      if (code !== undefined) return { status: 400, code: 'phone_code_wrong' };
      return { status: 403, code: gate.answers.length === 1 && may === 'yes' ? 'password_needed' : 'code_needed' };
    };
    const yes = dialog().getByRole('button', { name: 'Yes, it is all right' });
    if (may === 'yes') await yes.click();
    await dialog().getByLabel('Password').fill(ann.password);
    await yes.click();
    await dialog().getByRole('button', { name: 'Text me a code' }).click();
    const code = dialog().getByLabel('The six digits');
    await checkScreen(page);
    await code.fill('12');
    await yes.click();
    await expect(dialog().getByRole('alert')).toHaveText('The code has 6 digits. Enter all of them.');
    await code.fill('000000');
    await yes.click();
    await expect(dialog().getByRole('alert')).toHaveText('The error phone_code_wrong.');
    await code.fill('123456');
    await yes.click();
    await expect(pin()).toBeVisible();
    expect(gate.codes).toBe(1);
    expect(gate.answers.at(-1)).toEqual({ answer: 'yes', code: '123456' });
  });

test('without anybody to ask, the dialog names nobody', async () => {
  await openDialog({ asked: [], passes: at(hour) });
  const waits = page.getByRole('dialog', { name: 'This has to wait' });
  await expect(waits).toContainText('Nothing has changed yet.');
  await later().click();
  const words = 'Nothing has changed yet. This still has to wait. Do the same again later to finish it.';
  await expect(page.getByRole('status').filter({ hasText: words })).toBeVisible();
});
