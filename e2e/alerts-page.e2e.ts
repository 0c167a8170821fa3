import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { linkedDevice } from './lib/people.ts';
import { logIn, mailTo } from './lib/screens.ts';
import { withAnn } from './lib/setup.ts';
import { test } from './lib/test.ts';

test.describe.configure({ mode: 'serial' });

let world: World;
let ann: Person;
let page: Page;
withAnn(
  (signedIn) => {
    ({ world, ann, page } = signedIn);
  },
  { once: true },
);

const section = (name: string) => page.getByRole('region', { name });
const open = () => page.goto(`${world.dashboardUrl}/profile/alerts`);

test('the dashboard and the guardians tab link to the alerts page, which has a title', async () => {
  await page.goto(world.dashboardUrl);
  await page.getByRole('link', { name: 'Alerts', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible();
  await expect(page).toHaveTitle(/^Alerts · /);
  await page.getByRole('link', { name: 'Back to guardians' }).click();
  await page.getByRole('link', { name: 'Practice alert, and how we reach you' }).click();
  await expect(page).toHaveURL(/\/profile\/alerts$/);
  await expect(section('What was changed')).toContainText('Nothing has been changed so far.');
  await checkScreen(page);
  await checkScreenZoomed(page);
});

test('a practice alert is sent only after a confirmation, by keyboard alone, and shows its deliveries', async () => {
  const practiceButton = page.getByRole('button', { name: 'Send a practice alert' });
  const dialog = page.getByRole('dialog', { name: 'Send a practice alert?' });
  await practiceButton.focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('It says that nothing happened.');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(practiceButton).toBeFocused();
  await expect(section('Practice')).not.toContainText('Who was reached');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Send it' }).click();
  await expect(section('Practice').getByRole('listitem')).toHaveText([/^You by email\s*Arrived$/]);
  await expect(section('Practice').getByRole('status').getByText('Everyone was reached.')).toBeVisible();
  expect((await mailTo(world, ann.email, /practice/i)).text).toMatch(/practice/i);
  await checkScreen(page);
});

test('a practice alert that did not arrive shows the failure and its reason', async () => {
  const delivery = (name: string, guardian: string | null, channel: string, state: string, reason: string | null = null) => ({
    name,
    guardian,
    channel,
    state,
    time: new Date().toISOString(),
    reason,
  });
  const bob = '11111111-1111-4111-8111-111111111111';
  const deliveries = [
    delivery('You', null, 'mail', 'sent'),
    delivery('Bob', bob, 'mail', 'failed', 'The address does not exist.'),
    delivery('Bob', bob, 'sms', 'waiting'),
  ];
  const drill = { uuid: bob, time: new Date().toISOString(), reached: deliveries };
  await page.route('**/api/web/fire-drill', (route) => route.fulfill({ json: { drill } }));
  await open();
  await expect(section('Practice').getByRole('listitem')).toHaveText([
    /^You by email\s*Arrived$/,
    /^Bob by email\s*Not reached\s*The address does not exist\.$/,
    /^Bob by text\s*On its way$/,
  ]);
  await expect(section('Practice').getByText(/did not arrive/)).toHaveCount(0);
  await checkScreen(page);
  drill.reached = deliveries.slice(0, 2);
  await expect(section('Practice').getByRole('status').getByText('1 of these did not arrive.')).toBeVisible();
  await page.unrouteAll();
});

test('the alert settings are saved, survive a reload, and always include a channel', async () => {
  await open();
  const form = page.getByRole('form', { name: 'How we reach you' });
  const save = form.getByRole('button', { name: 'Save' });
  const [weekly, everyWeek] = [form.getByRole('checkbox', { name: /^On Sundays/ }), form.getByRole('checkbox', { name: /^Every Sunday/ })];
  await expect(weekly).toBeChecked();
  await expect(everyWeek).not.toBeChecked();
  await everyWeek.check();
  await weekly.uncheck();
  // Without reports there is nothing to choose about quiet weeks.
  await expect(everyWeek).toHaveCount(0);
  await form.getByRole('radio', { name: '7 days' }).check();
  await save.click();
  await expect(form.getByText('Your alert settings have been saved.')).toBeVisible();
  await page.reload();
  await expect(weekly).not.toBeChecked();
  await weekly.check();
  await expect(everyWeek).toBeChecked();
  await weekly.uncheck();
  await expect(form.getByRole('radio', { name: '7 days' })).toBeChecked();
  await form.getByRole('checkbox', { name: 'By email' }).uncheck();
  await form.getByRole('checkbox', { name: /^By text/ }).uncheck();
  await save.click();
  const channelNeeded = 'Keep at least one on, emails or texts, so that we can reach you.';
  await expect(form.getByRole('alert')).toHaveText(channelNeeded);
  await expect(form.getByRole('alert')).toBeFocused();
  await expect(form.getByRole('checkbox', { name: 'By email' })).toHaveAccessibleDescription(channelNeeded);
  await checkScreen(page);
  expect(await call(world.url, 'GET /web/alert-settings', { token: ann.token })).toEqual({
    notify_after_days: 7,
    weekly: false,
    every_week: true,
    mail: true,
    sms: true,
  });
});

test('the activity log lists what weakened protection in words, newest first', async () => {
  const device = await linkedDevice(world, ann);
  await call(world.url, 'POST /web/bypasspassword', { token: ann.token });
  await call(world.url, 'POST /web/devices/:uuid', {
    token: ann.token,
    params: { uuid: device.uuid },
    body: { name: 'Den PC', policy: 'permissive' },
  });
  await open();
  await expect(section('What was changed').getByRole('listitem').first()).toHaveText(
    /^Ann put Den PC on Permissive.*(?:today|yesterday) at \d{1,2}:\d\d [AP]MTake back$/,
  );
  await expect(section('What was changed').getByRole('listitem').nth(1)).toHaveText(
    /^Ann made a new Admin PIN\.\s*(?:today|yesterday) at \d{1,2}:\d\d [AP]MRenew the PIN$/,
  );
  await checkScreen(page);
});

const activityRow = (text: RegExp) => section('What was changed').getByRole('listitem').filter({ hasText: text });

test('each entry that can be undone has a button, by keyboard too; afterwards the button is gone and a message confirms it', async () => {
  const device = await linkedDevice(world, ann, 'Back PC');
  const params = { id: device.uuid };
  const body = { type: 'domain', identifier: 'example.com', lasts: null } as const;
  await call(world.url, 'POST /web/devices/:id/v2/exceptions', { token: ann.token, params, body });
  await call(world.url, 'POST /web/devices/:id/v2/exceptions', {
    ...{ token: ann.token, params },
    body: { ...body, identifier: 'stays.example.com' },
  });
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Mallory', email: 'm@example.org' } });
  const until = new Date(Date.now() + 30 * 60_000).toISOString();
  await call(world.url, 'POST /agent/goodbye', { token: device.token, body: { reason: 'paused', until } });
  await open();
  await checkScreen(page);

  const resume = activityRow(/Back PC was paused/).getByRole('button', { name: 'Resume protection' });
  await expect(resume).toHaveAccessibleDescription(/^Protection on Back PC was paused until/);
  await resume.focus();
  await page.keyboard.press('Enter');
  await expect(activityRow(/Back PC was paused/).getByRole('status')).toHaveText(
    'We told the computer. It protects again as soon as it’s online.',
  );
  await call(world.url, 'POST /agent/goodbye', { token: device.token, body: { reason: 'resumed' } });
  await expect(resume).toHaveCount(0);

  await activityRow(/allowed example\.com/)
    .getByRole('button', { name: 'Take back' })
    .click();
  await expect(activityRow(/allowed example\.com/).getByRole('button')).toHaveCount(0);
  await expect(activityRow(/allowed stays\.example\.com/).getByRole('button', { name: 'Take back' })).toBeVisible();
  const remainingEntries = await call(world.url, 'GET /web/devices/:id/v2/exceptions', { token: ann.token, params });
  expect(remainingEntries.items.map(({ identifier }) => identifier)).toEqual(['stays.example.com']);

  const malloryRow = activityRow(/asked Mallory to be a guardian/);
  await malloryRow.getByRole('button', { name: 'Remove this guardian' }).click();
  await page.getByRole('dialog', { name: 'Remove Guardian?' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(malloryRow.getByRole('button')).toBeVisible();
  await malloryRow.getByRole('button', { name: 'Remove this guardian' }).click();
  await page.getByRole('dialog', { name: 'Remove Guardian?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(malloryRow.getByRole('button')).toHaveCount(0);
  await checkScreen(page);
  await checkScreenZoomed(page);
});

test('the link in an email leads to its activity-log entry, also through the login', async ({ browser }) => {
  const mail = await mailTo(world, ann.email, /^You allowed stays\.example\.com/);
  const [link = ''] = /\S+\/profile\/alerts\?act=\S+/.exec(mail.text) ?? [];
  const guest = await pageOf(browser, world, null);
  await guest.goto(link);
  await logIn(guest, ann);
  await expect(guest).toHaveURL(link);
  const row = guest.getByRole('listitem').filter({ hasText: 'allowed stays.example.com' });
  await expect(row).toBeFocused();
  await expect(row.getByRole('button', { name: 'Take back' })).toBeInViewport();
});

test('the dashboard distinguishes a computer that was switched off from a paused, a stopped and an uninstalled one', async () => {
  const device = await linkedDevice(world, ann, 'Attic PC');
  const sendGoodbye = (reason: 'shutdown' | 'stopped' | 'paused' | 'uninstalled', until?: string) =>
    call(world.url, 'POST /agent/goodbye', { token: device.token, body: { reason, ...(until ? { until } : {}) } });
  const row = page.getByRole('listitem').filter({ hasText: 'Attic PC' });
  const sentence = page.getByRole('region', { name: 'Is everyone safe?' });
  const inHalfAnHour = new Date(Date.now() + 30 * 60_000).toISOString();
  for (const [sendEvent, tag, rowText, sentenceText] of [
    [
      () => sendGoodbye('shutdown'),
      'Switched off',
      /^Attic PC was switched off (?:today|yesterday) at \d{1,2}:\d\d [AP]M, and has not been on since\.$/,
      /^Everyone is protected$/,
    ],
    [
      () => sendGoodbye('paused', inHalfAnHour),
      'Paused',
      /^Attic PC is not protected: someone paused it (?:today|yesterday) at \d{1,2}:\d\d [AP]M, until \d{1,2}:\d\d [AP]M\.$/,
      /^Attic PC is not protected: someone paused it/,
    ],
    [
      () => sendGoodbye('uninstalled'),
      'Uninstalled',
      /^Attic PC is not protected: Porchlight was uninstalled (?:today|yesterday)/,
      /^Attic PC is not protected: Porchlight was uninst/,
    ],
  ] as const) {
    await sendEvent();
    await page.goto(world.dashboardUrl);
    await expect(row.getByText(tag, { exact: true })).toBeVisible();
    await expect(row.getByText(rowText)).toBeVisible();
    await expect(sentence.getByRole('heading')).toHaveText(sentenceText);
    await checkScreen(page);
  }
});
