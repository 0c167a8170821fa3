import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { endIncident } from './lib/guardians.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { addGuardian, linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The tests build on each other. */
test.describe.configure({ mode: 'serial' });

const bobEmail = 'bob@example.org';
const number = '+12025550143';
let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let ann: Person;
let device: { uuid: string; token: string };
let annPage: Page;
let bobPage: Page;
test.beforeAll(async ({ browser }) => {
  ann = await registeredPerson(world);
  device = await linkedDevice(world, ann);
  annPage = await pageOf(browser, world, ann);
  bobPage = await pageOf(browser, world, null);
});

const texts = async (pattern: RegExp) => (await world.texts()).filter(({ to, body }) => to === number && pattern.test(body));
const row = () => annPage.getByRole('listitem').filter({ hasText: bobEmail });
const history = () => annPage.goto(`${world.dashboardUrl}/devices/${device.uuid}/detections`);

test('Ann invites Bob, he accepts with one button, and her open page shows it', async () => {
  await addGuardian(annPage, world, 'Bob', bobEmail);
  await expect(row()).toContainText('Pending');
  await bobPage.goto(linkIn(await mailTo(world, bobEmail, /guardian/)));
  await bobPage.getByRole('button', { name: 'I will look out' }).click();
  await expect(bobPage.getByRole('heading', { level: 1, name: 'Everyone is protected' })).toBeVisible();
  await expect(row().getByText('Active', { exact: true })).toBeVisible({ timeout: 10_000 });
  await expect(row()).toContainText(/By email · Last looked (?:today|yesterday) at \d{1,2}:\d\d [AP]M/);
});

test('[6.6] Bob verifies his phone by the six digits of a text message', async () => {
  const reach = bobPage.getByRole('region', { name: 'How we reach you' });
  await reach.getByRole('button', { name: 'Add your phone number' }).click();
  await reach.getByLabel('Phone number', { exact: true }).fill(number);
  await bobPage.keyboard.press('Enter');
  await expect.poll(async () => (await texts(/\b\d{6}\b/)).length, { timeout: 15_000 }).toBe(1);
  // The form ignores Enter until the page has the answer about the text.
  await expect(reach.getByText(/^We texted six digits/)).toBeVisible();
  await reach.getByLabel('The six digits').fill(/\b\d{6}\b/.exec((await texts(/\b\d{6}\b/))[0]?.body ?? '')?.[0] ?? '');
  await bobPage.keyboard.press('Enter');
  await expect(reach.getByText(`Texts go to ${number}.`)).toBeVisible();
  await expect(reach.getByText('When nobody answers an alert, we call it too.')).toBeVisible();
  await annPage.reload();
  await expect(row()).toContainText('By email and text');
});

test('a practice alert reaches Ann by email, and Bob by email and text', async () => {
  await annPage.goto(`${world.dashboardUrl}/profile/alerts`);
  await annPage.getByRole('button', { name: 'Send a practice alert' }).click();
  await annPage.getByRole('button', { name: 'Send it' }).click();
  const deliveryRows = annPage.getByRole('region', { name: 'Practice' }).getByRole('listitem');
  await expect(deliveryRows.filter({ hasText: 'Arrived' })).toHaveCount(3, { timeout: 15_000 });
  await expect(deliveryRows).toContainText(['You by email', 'Bob by email', 'Bob by text']);
  await mailTo(world, bobEmail, /practice/i);
  await expect.poll(async () => (await texts(/practice/i)).length).toBe(1);
});

test('a blocked program sends Ann an email, Bob an email and a text, and both pages show the same sentence', async () => {
  await annPage.goto(world.dashboardUrl);
  await reportAlert(world, device);
  await mailTo(world, ann.email, /AnyDesk was blocked on Den PC/);
  await mailTo(world, bobEmail, /AnyDesk was blocked on Den PC/);
  await expect.poll(async () => (await texts(/AnyDesk/)).length, { timeout: 15_000 }).toBe(1);
  expect((await texts(/AnyDesk/))[0]?.body).toContain('Ann may need you. AnyDesk was blocked on Den PC');
  const sentence = /^We stopped AnyDesk on Den PC, (?:today|yesterday) at \d{1,2}:\d\d [AP]M$/;
  await expect(annPage.getByRole('region', { name: 'Is everyone safe?' }).getByRole('heading')).toHaveText(sentence, { timeout: 15_000 });
  await expect(bobPage.getByRole('heading', { level: 1 })).toHaveText(sentence, { timeout: 15_000 });
});

test('Bob presses “I’m on it” by keyboard alone, and within seconds Ann’s open page shows it', async () => {
  await expect(annPage.getByText(/Bob saw this/)).toHaveCount(0);
  const button = bobPage.getByRole('button', { name: 'I’m on it', exact: true });
  await button.focus();
  await bobPage.keyboard.press('Enter');
  const confirmation = bobPage
    .getByRole('status')
    .filter({ hasText: /^\s*You said you are on it, (?:today|yesterday) at \d{1,2}:\d\d [AP]M$/ });
  await expect(confirmation.first()).toBeFocused();
  await expect(button).toHaveCount(0);
  await checkScreen(bobPage);
  await expect(annPage.getByText(/^Bob saw this at \d{1,2}:\d\d [AP]M$/)).toBeVisible({ timeout: 10_000 });
});

test('the alert history names who takes care of the alert, and who was notified how', async () => {
  await history();
  await expect(annPage.getByText(/^Bob saw this at \d{1,2}:\d\d [AP]M$/)).toBeVisible();
  await annPage.locator('summary').first().click();
  await expect(annPage.getByText(/^Bob saw this (?:today|yesterday) at \d{1,2}:\d\d [AP]M$/)).toBeVisible();
  await expect(annPage.getByText('We wrote to you by email, Bob by email and text.')).toBeVisible();
  await checkScreen(annPage);
});

test('Ann’s preview shows Bob’s page, marked and read-only, and when he visited it', async () => {
  await annPage.goto(`${world.dashboardUrl}/profile/guardians`);
  await annPage.getByRole('link', { name: 'Show me what Bob sees' }).click();
  await expect(annPage.getByRole('heading', { level: 1, name: 'What Bob sees' })).toBeVisible();
  const frame = annPage.getByRole('region', { name: 'The page of Bob' });
  await expect(frame.getByText('You look out for Ann', { exact: true })).toBeVisible();
  // Ann's preview shows only as much of Bob's number as she needs to recognize it.
  await frame.getByRole('heading', { name: 'Your settings' }).click();
  await expect(frame.getByText(/^Texts go to \S+\.$/)).toBeVisible();
  await expect(frame).not.toContainText(number);
  const previewHeadings = await frame.getByRole('heading').allTextContents();
  // What Bob can do at once, and his sessions, are visible to him alone. His page polls every 10 s.
  const firstOwn = previewHeadings.indexOf('Computers');
  expect(firstOwn).toBeGreaterThan(0);
  await expect
    .poll(() => bobPage.getByRole('main').getByRole('heading').allTextContents(), { timeout: 20_000 })
    .toEqual([...previewHeadings.slice(0, firstOwn), 'Do something now', ...previewHeadings.slice(firstOwn), 'Where this page is open']);
  await expect(frame.getByRole('button')).toHaveCount(0);
  await expect(annPage.getByRole('region', { name: 'When Bob looked' }).getByRole('listitem')).toHaveText([
    /^(?:Today|Yesterday) at \d{1,2}:\d\d [AP]M$/,
  ]);
  await checkScreen(annPage);
  await checkScreenZoomed(annPage);
});

test('[P15.7] a practice alert is refused in words while that may still go on', async () => {
  await annPage.goto(`${world.dashboardUrl}/profile/alerts`);
  await annPage.getByRole('button', { name: 'Send a practice alert' }).click();
  await annPage.getByRole('button', { name: 'Send it' }).click();
  await expect(annPage.getByText('Not now: a practice could be taken for the real thing.')).toBeVisible();
  expect(await texts(/practice/i)).toHaveLength(1);
});

test('when Ann allows AnyDesk after Bob ended the incident, Bob is notified in words, and the activity log has an entry', async () => {
  await endIncident(bobPage, world, ann);
  await call(world.url, 'POST /web/devices/:id/v2/exceptions', {
    token: ann.token,
    params: { id: device.uuid },
    body: { type: 'definition', identifier: 'anydesk' },
  });
  const mail = await mailTo(world, bobEmail, /allowed AnyDesk on Den PC/);
  expect(mail.text).toContain('Call Ann');
  await mailTo(world, ann.email, /allowed AnyDesk on Den PC/);
  await annPage.reload();
  await expect(annPage.getByRole('region', { name: 'What was changed' }).getByRole('listitem').first()).toContainText(
    'Ann allowed AnyDesk on Den PC.',
  );
});

test('[6.6] Bob stops being a guardian, and Ann sees it', async () => {
  const stopButton = bobPage.getByRole('button', { name: 'Stop being a guardian' });
  // The fold is open or closed, and its content comes a moment later: a press at that moment would close it.
  await expect(async () => {
    if (!(await stopButton.isVisible())) await bobPage.getByRole('heading', { name: 'Your settings' }).click();
    await expect(stopButton).toBeVisible({ timeout: 2000 });
  }).toPass();
  await stopButton.click();
  await bobPage.getByRole('dialog').getByRole('button', { name: 'Stop being a guardian' }).click();
  await expect(bobPage.getByRole('heading', { level: 1, name: 'You are no longer a guardian' })).toBeVisible();
  await annPage.goto(`${world.dashboardUrl}/profile/guardians`);
  await expect(row()).toContainText('Stopped');
  await expect(row()).toContainText('is no longer a guardian');
  await checkScreen(annPage);
});
