import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { addGuardian, linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The tests build on each other. */
test.describe.configure({ mode: 'serial' });

const bobEmail = 'bob@example.org';
let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let ann: Person;
let device: { uuid: string; token: string };
let annPage: Page;
let bobPage: Page;
/** The address of Bob's page without the key of its link. */
let bobUrl: string;
let incident: string;
let pin: string;
test.beforeAll(async ({ browser }) => {
  ann = await registeredPerson(world);
  device = await linkedDevice(world, ann);
  annPage = await pageOf(browser, world, ann);
  bobPage = await pageOf(browser, world, null);
  await addGuardian(annPage, world, 'Bob', bobEmail);
  await bobPage.goto(linkIn(await mailTo(world, bobEmail, /guardian/)));
  await bobPage.getByRole('button', { name: 'I will look out' }).click();
  await expect(bobPage.getByRole('heading', { level: 1, name: 'Everyone is protected' })).toBeVisible();
  bobUrl = bobPage.url();
  pin = (await call(world.url, 'GET /web/bypasspassword', { token: ann.token })).bypass_password;
});

const happened = (page: Page) => page.getByRole('region', { name: 'What happened' });
const firstThing = (page: Page) => page.getByRole('region', { name: 'What to do first' });
const requestsOfIncident = async () =>
  (await call(world.url, 'GET /web/incidents/:uuid', { token: ann.token, params: { uuid: incident } })).requests;

test('while an incident is open, the home screen leads to its page, even before it has read the list of incidents again, and the page begins with one thing to do and is short', async () => {
  await annPage.route('**/api/web/incidents?*', (route) => route.fulfill({ json: { items: [], older: false } }));
  await annPage.goto(world.dashboardUrl);
  await reportAlert(world, device);
  await annPage.getByRole('link', { name: 'See what happened' }).click({ timeout: 30_000 });
  await expect(annPage).toHaveURL(/\/dashboard\/incident\/[\w-]{36}$/);
  incident = new URL(annPage.url()).pathname.split('/').at(-1) ?? '';
  await annPage.unroute('**/api/web/incidents?*');
  await expect(annPage.getByRole('heading', { level: 1 })).toContainText('AnyDesk');
  await expect(firstThing(annPage)).toContainText('If someone is on the phone with you, hang up now.');
  await expect(happened(annPage).getByRole('listitem').first()).toContainText('AnyDesk');
  const main = await annPage.getByRole('main').innerText();
  const words = (main.split('What happened')[0] ?? '').split(/\s+/).filter((word) => /\w/.test(word));
  expect(words.length).toBeGreaterThan(10);
  expect(words.length).toBeLessThan(60);
  await checkScreen(annPage);
  await checkScreenZoomed(annPage);
});

test('[P18.2] a tick that Ann sets is on Bob’s page as from her account, and his own is on hers; Ann reads that Bob is on it', async () => {
  await annPage.getByRole('checkbox', { name: 'Hang up' }).check();
  await annPage.getByRole('checkbox', { name: /^Hang up.*From your account/ }).waitFor();
  await bobPage.goto(`${bobUrl}?incident=${incident}`);
  const step = bobPage.getByRole('checkbox', { name: /^Get Ann off the phone.*From Ann’s account/ });
  await expect(step).not.toBeChecked();
  await checkScreen(bobPage);
  await step.check();
  await expect(annPage.getByRole('checkbox', { name: /^Hang up.*Bob/ })).toBeChecked({ timeout: 20_000 });
  await expect(annPage.getByRole('checkbox', { name: /^Hang up/ })).toBeDisabled();
  await expect(firstThing(bobPage)).toContainText('Call Ann now, on the number you know.');
  await bobPage.getByRole('button', { name: 'I’m on it' }).click();
  await expect(bobPage.getByRole('status').filter({ hasText: 'The others can see that you’re on it.' })).toBeFocused();
  await expect(annPage.getByRole('region', { name: 'Who knows' })).toContainText('Bob is on it', { timeout: 20_000 });
  await checkScreen(bobPage);
});

test('a tick that does not arrive is taken back, and the error is beside it', async () => {
  await annPage.route('**/api/web/incidents/*/steps', (route) => route.abort());
  const box = annPage.getByRole('checkbox', { name: 'Report it' });
  await box.click();
  await expect(box).toHaveAccessibleDescription('Failed to connect to API.');
  await expect(box).not.toBeChecked();
  await annPage.unroute('**/api/web/incidents/*/steps');
});

test('a change that waits is the first question on Bob’s page, No before Yes, and the preview has neither', async () => {
  const allow = { type: 'definition', identifier: 'anydesk' } as const;
  const change = call(world.url, 'POST /web/devices/:id/v2/exceptions', { token: ann.token, params: { id: device.uuid }, body: allow });
  await expect(change).rejects.toMatchObject({ code: 'held' });
  const [request] = await requestsOfIncident();
  await bobPage.goto(`${bobUrl}?request=${request?.uuid}`);
  const question = bobPage.getByRole('heading', { level: 1, name: /AnyDesk/ });
  await expect(question).toBeFocused();
  expect(await bobPage.getByRole('button', { name: /^(No, stop this|Yes, it is all right)$/ }).allTextContents()).toEqual([
    'No, stop this',
    'Yes, it is all right',
  ]);
  const region = bobPage.getByRole('region', { name: 'Ann wants to allow AnyDesk' });
  // From tomorrow on the holder's password is enough.
  await expect(region).toContainText(/Without an answer, nothing changes until tomorrow at \d+:\d\d [AP]M\./);
  const words = (await region.innerText()).split(/\s+/);
  expect(words.filter((word) => /\w/.test(word)).length).toBeLessThan(60);
  await checkScreen(bobPage);
  await annPage.goto(`${world.dashboardUrl}/profile/guardians`);
  await annPage.getByRole('link', { name: 'Show me what Bob sees' }).click();
  const frame = annPage.getByRole('region', { name: 'The page of Bob' });
  await expect(frame.getByText('You look out for Ann', { exact: true })).toBeVisible();
  await expect(frame.getByRole('button')).toHaveCount(0);
  await expect(frame.getByText(/wants to allow/)).toHaveCount(0);
});

test('Bob’s no is confirmed in a dialog, and Ann reads it on the page of the incident', async () => {
  await bobPage.getByRole('button', { name: 'No, stop this' }).click();
  const dialog = bobPage.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'No, stop this' }).click();
  await expect(bobPage.getByRole('status').filter({ hasText: 'You said no. Call them' })).toBeFocused();
  await annPage.goto(`${world.dashboardUrl}/incident/${incident}`);
  await expect(annPage.getByRole('region', { name: 'Changes asked for' })).toContainText('Bob said no');
});

test('the page for the bank and the police has facts and blanks, no PIN, and prints only at a button', async () => {
  await annPage.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await annPage.reload();
  await annPage.getByRole('link', { name: 'Print this for the bank and the police' }).click();
  const sheet = annPage.getByRole('article');
  await expect(sheet).toContainText('Den PC');
  await expect(sheet).toContainText('Ann Example');
  await expect(sheet).toContainText('Case number');
  await expect(sheet).toContainText(/\d{1,2}:\d\d:\d\d [AP]M \S+/);
  await expect(sheet).not.toContainText(pin);
  await expect(annPage.locator('body')).not.toHaveAttribute('data-printed');
  await annPage.getByRole('button', { name: 'Print' }).click();
  await expect(annPage.locator('body')).toHaveAttribute('data-printed');
  await annPage.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(annPage.getByRole('button', { name: 'Print' })).toBeHidden();
  expect(await sheet.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(255, 255, 255)');
  await annPage.emulateMedia({ media: null, colorScheme: null });
  await checkScreen(annPage);
});

test('[P15.4] Bob says that it’s over with one press, since nothing is allowed then, and both pages are calm', async () => {
  await bobPage.goto(`${bobUrl}?incident=${incident}`);
  await bobPage.getByRole('button', { name: 'It’s over' }).click();
  await expect(firstThing(bobPage)).toContainText('It’s over. We watch Den PC closely until');
  await annPage.goto(`${world.dashboardUrl}/incident/${incident}`);
  await expect(firstThing(annPage)).toContainText('Bob said it’s over');
  await checkScreen(annPage);
});

test('the history lists the incident, and the alert’s row leads to it', async () => {
  await annPage.goto(`${world.dashboardUrl}/history`);
  const list = annPage.getByRole('region', { name: 'Incidents' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await annPage.locator('summary').first().click();
  await annPage.getByRole('link', { name: 'See what else happened, and what to do' }).click();
  await expect(annPage).toHaveURL(`${world.dashboardUrl}/incident/${incident}`);
  await annPage.goto(`${world.dashboardUrl}/incident/00000000-0000-4000-8000-000000000000`);
  await expect(annPage.getByText(/^We could not find that\./)).toBeVisible();
});

test('[P18.2] Bob reads of a new computer that he does not know it, says so once, and takes it back', async () => {
  await linkedDevice(world, ann, 'Phone');
  await bobPage.goto(bobUrl);
  const row = bobPage.getByRole('listitem').filter({ hasText: /^Phone/ });
  await expect(row).toContainText('New in Ann’s account.');
  await expect(bobPage.getByRole('listitem').filter({ hasText: /^Den PC/ })).not.toContainText('New in');
  await checkScreen(bobPage);
  await row.getByRole('button', { name: 'I don’t know it' }).click();
  const dialog = bobPage.getByRole('dialog');
  await expect(dialog).toContainText('You don’t know Phone?');
  await dialog.getByRole('button', { name: 'I don’t know it' }).click();
  await expect(row).toContainText('You said you don’t know it.');
  await checkScreen(bobPage);
  await row.getByRole('button', { name: 'I know Phone now' }).click();
  await expect(row).toContainText('New in Ann’s account.');
});
