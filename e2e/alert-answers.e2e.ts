import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { countPresses } from './lib/count-presses.ts';
import { answerRequest, endIncident, inviteGuardian } from './lib/guardians.ts';
import { endIncidents } from './lib/incidents.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const row = (page: Page, name: string) => page.locator('details.alert-row', { hasText: `${name} was blocked` });
const button = (page: Page, name: string) => page.locator('details[open]').getByRole('button', { name, exact: true });

/** Reports that AnyDesk and then Driver Support were blocked. With `bobPage`, Bob is a guardian before, and that page is his. */
async function holder(browser: Parameters<typeof pageOf>[0], bobPage?: Page) {
  const ann = await registeredPerson(world);
  const device = await linkedDevice(world, ann);
  const bobEmail = `bob-${randomUUID()}@example.org`;
  if (bobPage) await inviteGuardian(bobPage, world, ann, 'Bob Builder', bobEmail);
  const alert = await reportAlert(world, device);
  const utility = {
    ...{ uuid: randomUUID(), time: new Date().toISOString(), name: 'Driver Support', identifier: 'driver-support', details: '' },
    ...({ category: 'DeceptiveUtility', blocked: true, certainty: 'certain', why: '', start: 'person' } as const),
  };
  await call(world.url, 'POST /agent/detections', { token: device.token, body: { detections: [utility] } });
  const page = await pageOf(browser, world, ann);
  const open = (alertId = alert) => page.goto(`${world.dashboardUrl}/detection/${alertId}`);
  return { ann, device, alert, utility: utility.uuid, page, open, bobEmail };
}
const allowedIdentifiers = async ({ token }: Person, { uuid }: { uuid: string }) =>
  (await call(world.url, 'GET /web/devices/:id/v2/exceptions', { token, params: { id: uuid } })).items.map(({ name }) => name);

test('holder and guardian can both answer an alert, read each other’s answers, and only that alert turns calm', async ({
  browser,
  page: guardian,
}) => {
  const { page, open } = await holder(browser, guardian);
  await guardian.reload();
  const guardianRow = row(guardian, 'AnyDesk');
  await expect(guardianRow.locator('summary .tag')).toHaveClass(/look/);

  await open();
  await expect(row(page, 'AnyDesk').locator('.tag')).toHaveClass(/look/);
  await checkScreen(page);
  await button(page, 'It was me').click();
  await expect(button(page, 'It was me')).toHaveCount(0);
  await expect(page.locator('details[open]').getByText('Thank you. Everyone who can see this alert can read your answer.')).toBeFocused();
  await expect(row(page, 'AnyDesk').locator('summary')).toContainText(/You said: “It was me,” (?:today|yesterday)/);
  await expect(row(page, 'AnyDesk').locator('.tag')).toHaveClass(/safe/);
  await expect(row(page, 'Driver Support').locator('.tag')).toHaveClass(/look/);

  await guardian.reload();
  await expect(guardianRow.locator('summary .tag')).toHaveClass(/safe/);
  await expect(row(guardian, 'Driver Support').locator('summary .tag')).toHaveClass(/look/);
  // While another alert is open, past alerts are collapsed below the advice.
  await guardian.getByRole('heading', { name: 'What happened lately' }).click();
  await guardianRow.locator('summary').click();
  await expect(guardianRow.getByText(/Ann said: “It was me,” (?:today|yesterday)/)).toBeVisible();
  await guardianRow.getByRole('button', { name: 'This is sorted: AnyDesk' }).click();
  await expect(guardianRow.getByText(/You said this is sorted, (?:today|yesterday)/)).toBeVisible();
  await expect(guardianRow.getByRole('button', { name: 'This is sorted: AnyDesk' })).toHaveCount(0);
  await checkScreen(guardian);
  await page.reload();
  await expect(row(page, 'AnyDesk').locator('summary')).toContainText(/Bob Builder said this is sorted, (?:today|yesterday)/);
});

test('from the alert, once the incident is over, the holder allows a blocked program for an hour with one press, and remote control after one more question', async ({
  browser,
  page: guardian,
}) => {
  const { ann, device, page, open, alert, utility } = await holder(browser, guardian);
  await endIncident(guardian, world, ann);
  const otherDevice = await linkedDevice(world, ann, 'Attic PC');
  const presses = await countPresses(page);
  await open(utility);
  await button(page, 'Allow for an hour').click();
  await expect(page.locator('details[open]').getByText(/^Driver Support is allowed on Den PC until (today|tomorrow) /)).toBeFocused();
  expect(presses()).toBe(1);
  expect(await allowedIdentifiers(ann, device)).toEqual(['Driver Support']);

  await open(alert);
  await button(page, 'Allow for an hour').click();
  const question = page.getByRole('dialog', { name: 'Allow AnyDesk?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  expect(await allowedIdentifiers(ann, device)).toEqual(['Driver Support']);
  await button(page, 'Allow for an hour').click();
  await question.getByRole('button', { name: 'Allow AnyDesk' }).click();
  await expect(button(page, 'Allow for an hour')).toHaveCount(0);
  expect(await allowedIdentifiers(ann, device)).toEqual(['AnyDesk', 'Driver Support']);
  expect(await allowedIdentifiers(ann, otherDevice)).toEqual([]);
});

/** What the dashboard reads of the allow list: a computer counts as somebody else's after days of use, and changes hands rarely. */
const reading = (page: Page, facts: object) =>
  page.route('**/v2/exceptions', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const reply = await route.fetch();
    return route.fulfill({ response: reply, json: { ...(await reply.json()), ...facts } });
  });

test('[P15.2] from the alert of somebody else’s computer the password is asked for first, and then the program may start at once', async ({
  browser,
}) => {
  const { ann, device, page, open, alert } = await holder(browser);
  await endIncidents(world);
  await reading(page, { remote_control: 'runs_with_password' });
  await open(alert);
  await button(page, 'Allow for an hour').click();
  const question = page.getByRole('dialog', { name: 'Allow AnyDesk?' });
  await expect(question).toContainText('It can start at once.');
  await question.getByRole('button', { name: 'Allow AnyDesk' }).click();
  await expect(page.locator('details[open]')).toContainText('Enter your password to allow AnyDesk.');
  await expect(page.getByLabel('Password')).toBeFocused();
  expect(await allowedIdentifiers(ann, device)).toEqual([]);
  await checkScreen(page);
  await page.getByLabel('Password').fill(ann.password);
  await button(page, 'Allow AnyDesk').click();
  await expect(page.locator('details[open]').getByText(/^AnyDesk is allowed on Den PC until/)).toBeFocused();
  await expect(page.locator('details[open]')).not.toContainText('null');
  expect(await allowedIdentifiers(ann, device)).toEqual(['AnyDesk']);
});

test('[P10.6] while everything is stopped an alert offers nothing for an hour, and the allow list says since when it counts; then both as before', async ({
  browser,
}) => {
  const { page, open, alert, device } = await holder(browser);
  const from = new Date(Date.now() + 3_600_000).toISOString();
  await reading(page, { suspended: { may: 'no', reason: 'stopped', from, why: '' } });
  const why = /Everything is stopped on this computer now\. Something can be allowed there (at|tomorrow at) .*, or once it’s over\./;
  await open(alert);
  await expect(page.locator('details[open]').getByText(why)).toBeVisible();
  await expect(button(page, 'Allow for an hour')).toHaveCount(0);
  await checkScreen(page);
  await page.goto(`${world.dashboardUrl}/devices/${device.uuid}/allowlist`);
  await expect(page.getByText(why)).toBeVisible();
  await page.unroute('**/v2/exceptions');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Add To Allow List' })).toBeVisible();
  await expect(page.getByText(why)).toHaveCount(0);
  await open(alert);
  await expect(button(page, 'Allow for an hour')).toBeVisible();
});

/** Somebody at the computer presses *I asked for this*. */
async function asksForAnyDesk({ token }: { token: string }): Promise<void> {
  const requestEvent = { uuid: randomUUID(), time: new Date().toISOString(), reported: { kind: 'asked' as const, name: 'AnyDesk' } };
  await call(world.url, 'POST /agent/events', { token, body: { events: [requestEvent] } });
}

test('a user’s request is a question to the guardian, whose yes allows the program for an hour, and the holder’s email leads to the incident', async ({
  browser,
  page: guardian,
}) => {
  const { ann, device, page, bobEmail } = await holder(browser, guardian);
  await asksForAnyDesk(device);
  await page.goto(linkIn(await mailTo(world, ann.email, /^Please wait: someone at Den PC wants to use AnyDesk$/)));
  const asked = page.getByRole('region', { name: 'Changes asked for' });
  await expect(asked).toContainText('Someone at Den PC wants to use AnyDesk.');
  expect(await allowedIdentifiers(ann, device)).toEqual([]);
  await answerRequest(guardian, world, bobEmail, /someone at Den PC wants to use AnyDesk/i, 'yes');
  expect(await allowedIdentifiers(ann, device)).toEqual(['AnyDesk']);
  await expect(asked).toContainText('Bob said yes');
});

test('without a guardian the email about a user’s request leads to the alert, where No keeps the program blocked, and Allow allows it for an hour', async ({
  browser,
}) => {
  const { ann, device, alert, page } = await holder(browser);
  await asksForAnyDesk(device);
  const link = linkIn(await mailTo(world, ann.email, /asked to use AnyDesk/));
  await page.goto(link);
  await expect(page).toHaveURL(`${world.dashboardUrl}/devices/${device.uuid}/detections?detectionId=${alert}&asked=1`);
  const question = page.getByText('Someone at Den PC asked to use AnyDesk. It is still blocked. Call them first, and ask who wants it.');
  await expect(question).toBeVisible();
  await checkScreen(page);
  await button(page, 'No').click();
  await expect(page.getByText('AnyDesk stays blocked on Den PC.')).toBeFocused();
  await expect(question).toHaveCount(0);
  await expect(page).toHaveURL(`${world.dashboardUrl}/devices/${device.uuid}/detections?detectionId=${alert}`);
  expect(await allowedIdentifiers(ann, device)).toEqual([]);

  await endIncidents(world);
  await page.goto(link);
  await expect(question).toBeVisible();
  await button(page, 'Allow for an hour').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Allow AnyDesk' }).click();
  await expect(page.getByText(/^AnyDesk is allowed on Den PC until/)).toBeVisible();
  await expect(question).toHaveCount(0);
  expect(await allowedIdentifiers(ann, device)).toEqual(['AnyDesk']);
});

test('the report for the bank and the police prints only the open alert, without tabs, links and buttons', async ({ browser }) => {
  const { page, open, alert } = await holder(browser);
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await open();
  const report = page.locator('details[open]').getByRole('heading', { name: 'Alert report from Porchlight' });
  await expect(report).toBeHidden();
  await button(page, 'Print').click();
  await expect(page.locator('body')).toHaveAttribute('data-printed');
  await page.emulateMedia({ media: 'print' });
  await expect(report).toBeVisible();
  for (const text of ['Alert number', alert, 'Den PC', 'What we did']) await expect(page.locator('details[open]')).toContainText(text);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('link')).toHaveCount(0);
  await expect(row(page, 'AnyDesk')).toBeVisible();
  await expect(row(page, 'Driver Support')).toBeHidden();
});

test('an alert can be reported as wrong once, with thanks; the other alert can still be reported', async ({ browser }) => {
  const { page, open, utility } = await holder(browser);
  await open();
  await button(page, 'This was wrong').click();
  const thanks = page
    .locator('details[open]')
    .getByText('Thank you for telling us. We will look at what we recognized. Nothing about you was sent.');
  await expect(thanks).toBeFocused();
  await expect(button(page, 'This was wrong')).toHaveCount(0);
  await page.reload();
  await expect(thanks).toBeVisible();
  await open(utility);
  await expect(button(page, 'This was wrong')).toBeVisible();
});
