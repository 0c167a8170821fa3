import { expect, type Page } from '@playwright/test';
import type { GuardianEmergency } from '@porchlight/contract/emergency-stops.ts';
import type { ShownCode } from '@porchlight/contract/one-time-codes.ts';
import { checkScreen } from '../lib/accessibility.ts';
import { test } from './component.ts';

const denPc = '11111111-1111-4111-8111-111111111111';
const laptop = '22222222-2222-4222-8222-222222222222';
const uuid = '44444444-4444-4444-8444-444444444444';
/** The clock of these tests, at noon. */
const noon = new Date('2026-11-21T12:00:00');
const later = (minutes: number) => new Date(noon.getTime() + minutes * 60_000).toISOString();

const device = (change: Partial<GuardianEmergency['devices'][number]> = {}): GuardianEmergency['devices'][number] => ({
  ...{ uuid: denPc, name: 'Den PC', isolation: null, may_isolate: { may: 'yes' }, may_code: { may: 'yes' }, programs: [] },
  ...change,
});
const calm: GuardianEmergency = { emergency_stop: null, may_stop: { may: 'yes' }, devices: [device()] };
const stopped = { uuid, by: 'Bob', since: noon.toISOString(), until: later(24 * 60) };

/** Answers the part's calls. `bodies`: what was sent, by the last part of the address. */
async function answering(page: Page, state: GuardianEmergency, after: GuardianEmergency = state, code?: ShownCode) {
  const bodies: Record<string, unknown[]> = { stop: [], codes: [] };
  let current = state;
  await page.clock.install({ time: noon });
  await page.route('**/api/guardian/*/emergency', (route) => route.fulfill({ json: current }));
  await page.route('**/api/guardian/*/stop', (route) => {
    bodies.stop?.push(route.request().postDataJSON());
    current = after;
    return route.fulfill({ json: current });
  });
  await page.route('**/api/guardian/*/codes', (route) => {
    bodies.codes?.push(route.request().postDataJSON());
    return route.fulfill({ json: code });
  });
  return bodies;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

test('[P10.6] Stop this asks once and focuses Cancel; then the part is calm, has the focus, and reloads the page', async ({
  open,
  page,
}) => {
  const bodies = await answering(page, calm, { ...calm, emergency_stop: stopped });
  await open('do-now');
  await button(page, 'Stop this').click();
  await expect(dialog(page)).toHaveAccessibleDescription(
    'Everything on our list is stopped on all of Ann’s computers for 24 hours, even what was allowed. Ann sees that you did it.',
  );
  await expect(button(page, 'Cancel')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button(page, 'Stop this')).toBeFocused();
  expect(bodies.stop).toEqual([]);
  await button(page, 'Stop this').click();
  await dialog(page).getByRole('button', { name: 'Stop this' }).click();
  const result = page.getByRole('status').filter({ hasText: 'You stopped everything at 12:00 PM.' });
  await expect(result).toContainText('It stays so until tomorrow at 12:00 PM, or until someone presses “It’s over”.');
  await expect(result).toBeFocused();
  await expect(button(page, 'Stop this')).toHaveCount(0);
  await expect(page.getByText('Reloads: 1')).toBeVisible();
  expect(bodies.stop).toEqual([{}]);
  await checkScreen(page);
});

test('[P10.6] a link with stop opens the confirmation and presses nothing; with a stop in force its sentence has the focus instead', async ({
  open,
  page,
}) => {
  const bodies = await answering(page, calm);
  await open('do-now', '?stop=1');
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await button(page, 'Cancel').click();
  await expect(button(page, 'Stop this')).toBeFocused();
  expect(bodies.stop).toEqual([]);
  await page.route('**/api/guardian/*/emergency', (route) => route.fulfill({ json: { ...calm, emergency_stop: stopped } }));
  await page.reload();
  await expect(page.getByRole('status').filter({ hasText: 'Bob stopped everything at 12:00 PM.' })).toBeFocused();
  await expect(dialog(page)).toHaveCount(0);
});

test('[P10.6] a guardian who may not press reads why, and has no button for the internet either', async ({ open, page }) => {
  const no = { may: 'no', why: '', reason: 'alone', holder: '', device: '', pressed: later(-24 * 60), again: later(48 * 60) } as const;
  await answering(page, { ...calm, may_stop: no, devices: [device({ may_isolate: no })] });
  await open('do-now', '?stop=1');
  await expect(
    page.getByRole('status').filter({ hasText: 'You pressed Stop this yesterday at 12:00 PM, and we found nothing since.' }),
  ).toBeFocused();
  await expect(page.getByRole('button')).toHaveText(['Open a code']);
});

test('[P10.6] cutting the internet names the computer, the end and what stops with it, and then shows when it comes back', async ({
  open,
  page,
}) => {
  const forbidden = { reason: 'not_allowed', holder: 'Ann', device: 'Mum’s laptop', pressed: null, again: null } as const;
  const other = device({ uuid: laptop, name: 'Mum’s laptop', may_isolate: { may: 'no', why: '', ...forbidden } });
  const isolation = { uuid, by: 'Bob', until: later(15), may_end: true, in_force: true, put_back: 0 };
  const bodies = await answering(
    page,
    { ...calm, devices: [device(), other] },
    { ...calm, emergency_stop: stopped, devices: [device({ isolation }), other] },
  );
  await open('do-now');
  await expect(page.getByText('Ann has not allowed you to cut the internet on Mum’s laptop.')).toBeVisible();
  await button(page, 'Cut the internet there for 15 minutes: Den PC').click();
  await expect(dialog(page)).toHaveAccessibleDescription(
    'Den PC is offline for 15 minutes, and comes back on its own at 12:15 PM. Video calls and email stop there, too. It also stops everything on our list, on every computer, for 24 hours.',
  );
  await dialog(page).getByRole('button', { name: 'Cut the internet' }).click();
  const result = page.getByRole('status').filter({ hasText: 'You cut the internet on Den PC.' });
  await expect(result).toContainText('It comes back on its own at 12:15 PM. Someone at that computer can end it earlier.');
  await expect(result).toBeFocused();
  expect(bodies.stop).toEqual([{ minutes_offline: 15, device: denPc }]);
  await checkScreen(page);
});

test('[P10.6] a computer whose internet is not cut, or was turned on again there, is named so', async ({ open, page }) => {
  const isolation = { uuid, by: 'Bob', until: later(15), may_end: false };
  const lost = device({ isolation: { ...isolation, in_force: false, put_back: 2 } });
  const putBack = device({ uuid: laptop, name: 'Mum’s laptop', isolation: { ...isolation, in_force: true, put_back: 2 } });
  await answering(page, { ...calm, emergency_stop: stopped, devices: [lost, putBack] });
  await open('do-now');
  await expect(page.getByRole('status').filter({ hasText: 'Den PC' })).toHaveText(
    'The internet on Den PC is not cut right now. Something there keeps us from it. We keep trying. Call and have them turn Den PC off.',
  );
  const result = page.getByRole('status').filter({ hasText: 'Bob cut the internet on Mum’s laptop.' });
  await expect(result).toContainText('Something there turned the internet on again 2 times. We cut it again each time.');
  await checkScreen(page);
});

const shown: ShownCode = { code: '12345678', purpose: 'allow', device_name: 'Mum’s laptop', program: 'AnyDesk', until: later(20) };

test('[P10.7] a code is for a chosen computer, purpose and program, is shown once, and is gone when closed', async ({ open, page }) => {
  const programs = [
    { identifier: 'teamviewer', name: 'TeamViewer' },
    { identifier: 'anydesk', name: 'AnyDesk' },
  ];
  const bodies = await answering(
    page,
    { ...calm, devices: [device(), device({ uuid: laptop, name: 'Mum’s laptop', programs })] },
    calm,
    shown,
  );
  await open('do-now');
  await button(page, 'Open a code').click();
  await expect(page.getByRole('radio', { name: 'Den PC' })).toBeFocused();
  await expect(page.getByRole('radio', { name: 'Allow one program there for an hour' })).toHaveCount(0);
  await page.getByRole('radio', { name: 'Mum’s laptop' }).check();
  await page.getByRole('radio', { name: 'Allow one program there for an hour' }).check();
  await page.getByLabel('Which program?').selectOption('AnyDesk');
  await checkScreen(page);
  await button(page, 'Show the code').click();
  const result = page.getByRole('status').filter({ hasText: '1234 5678' });
  await expect(result).toBeFocused();
  await expect(result).toContainText('Works once, until today at 12:20 PM, to allow AnyDesk on Mum’s laptop for an hour.');
  await expect(result).toContainText(
    'Read it out only to Mum, on a call you started. We tell Ann and the other guardians that you opened it.',
  );
  expect(bodies.codes).toEqual([{ device: laptop, purpose: 'allow', identifier: 'anydesk' }]);
  await checkScreen(page);
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain('12345678');
  await button(page, 'Close').click();
  await expect(button(page, 'Open a code')).toBeFocused();
  expect(await page.content()).not.toMatch(/1234 ?5678|1 2 3 4 5 6 7 8/);
});

test('[P10.7] a code whose time has passed is shown as over', async ({ open, page }) => {
  await answering(page, calm, calm, { ...shown, purpose: 'pause', program: null });
  await open('do-now');
  await button(page, 'Open a code').click();
  await button(page, 'Show the code').click();
  await expect(page.getByText(/Works once, until today at 12:20 PM, to pause/)).toBeVisible();
  await page.clock.runFor(21 * 60_000);
  await expect(page.getByText('This code no longer works.')).toBeVisible();
});

test('[P10.2] beside the computer a code takes the six digits that were texted; who may not open one reads why', async ({ open, page }) => {
  const why = 'You are at a computer of this account, so someone else must answer.';
  const no = { may: 'no', reason: 'place', from: null, why } as const;
  const devices = [device({ may_code: { may: 'code' } }), device({ uuid: laptop, name: 'Mum’s laptop', may_code: no })];
  const bodies = await answering(page, { ...calm, devices }, calm, { ...shown, purpose: 'link', device_name: 'Den PC', program: null });
  await page.route('**/api/guardian/*/answer-code', (route) => route.fulfill({ json: {} }));
  await open('do-now');
  await button(page, 'Open a code').click();
  await page.getByRole('radio', { name: 'Mum’s laptop' }).check();
  await expect(page.getByText(why)).toBeVisible();
  await expect(button(page, 'Show the code')).toHaveCount(0);
  await page.getByRole('radio', { name: 'Den PC' }).check();
  await page.getByRole('radio', { name: 'Link that computer to another account' }).check();
  await button(page, 'Show the code').click();
  await expect(page.getByLabel('The six digits')).toBeFocused();
  await page.getByLabel('The six digits').fill('123456');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: '1234 5678' })).toBeFocused();
  expect(bodies.codes).toEqual([{ device: denPc, purpose: 'link', code: '123456' }]);
});

test('a press that fails shows the error, and the button stays', async ({ open, page }) => {
  await answering(page, calm);
  await page.route('**/api/guardian/*/stop', (route) => route.abort());
  await open('do-now');
  await button(page, 'Stop this').click();
  await dialog(page).getByRole('button', { name: 'Stop this' }).click();
  await expect(dialog(page).getByRole('alert')).toHaveText('Failed to connect to API.');
  await button(page, 'Cancel').click();
  await expect(button(page, 'Stop this')).toBeFocused();
});
