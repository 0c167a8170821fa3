import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { day } from '@porchlight/contract/time.ts';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf, reportAlert, unconfirmedPerson } from './lib/accounts.ts';
import { answerRequest, inviteGuardian } from './lib/guardians.ts';
import { confirmedPerson, linkedDevice, registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const keep = 'Keep the account';
const stays = 'Your account stays. Nothing was deleted.';
const deletesOf = async ({ token }: Person) => (await call(world.url, 'GET /web/account/deletion', { token })).deletes;
const askForDeletion = ({ token, password }: Person) =>
  call(world.url, 'POST /web/account/deletion', { token, body: { current_password: password } });
/** As the page writes it: with the year in the last week of a year. */
const inWords = (time: string | null) => {
  const deletes = new Date(time ?? 0);
  const year = deletes.getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' as const };
  return new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', ...year }).format(deletes);
};

const download = (page: Page) => page.getByRole('region', { name: 'Download your data' });
/** Its heading changes while a deletion waits. */
const deletion = (page: Page) => page.getByRole('region', { name: /^(Delete the account|This account will be deleted)/ });
const banner = (page: Page) => page.locator('.banner').filter({ hasText: /This account will be deleted|Your account stays/ });
const openData = async (page: Page) => {
  await page.goto(`${world.dashboardUrl}/profile/account`);
  await expect(download(page)).toBeVisible();
  await expect(deletion(page)).toBeVisible();
};

async function enterPassword(page: Page, dialogName: string, password: string, button: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: dialogName });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: button }).click();
}

async function savedFile(page: Page, button: string, password: string): Promise<{ name: string; text: string }> {
  await download(page).getByRole('button', { name: button }).click();
  const saved = page.waitForEvent('download');
  await enterPassword(page, 'Download your data', password, 'Download');
  const file = await saved;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

test('[P13.2] an account is saved as a page and as a file for programs, after its password, with its data and nobody else’s', async ({
  browser,
}) => {
  const ann = await registeredPerson(world, 'Ann Example');
  const bea = await registeredPerson(world, 'Bea Example');
  await linkedDevice(world, ann, 'Den PC');
  await linkedDevice(world, bea, 'Attic PC');
  const page = await pageOf(browser, world, ann);
  await openData(page);
  await checkScreen(page);
  await checkScreenZoomed(page);

  const button = download(page).getByRole('button', { name: 'A page to read' });
  await button.click();
  await enterPassword(page, 'Download your data', 'not my password', 'Download');
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('That is not your current password. Try again.');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(download(page).getByText('Action Cancelled')).toBeVisible();
  await expect(button).toBeFocused();

  const readable = await savedFile(page, 'A page to read', ann.password);
  expect(readable.name).toMatch(/^porchlight-account-\d{4}-\d{2}-\d{2}\.html$/);
  await expect(download(page).getByText(`We saved ${readable.name}. You find it in your downloads.`)).toBeVisible();
  const forPrograms = await savedFile(page, 'A file for programs', ann.password);
  expect(forPrograms.name).toBe(readable.name.replace('.html', '.json'));
  expect(JSON.parse(forPrograms.text)).toMatchObject({ format: 'porchlight-account', account: { email: ann.email } });
  for (const text of [readable.text, forPrograms.text]) {
    expect(text).toContain(ann.email);
    expect(text).toContain('Den PC');
    expect(text).not.toContain(bea.email);
    expect(text).not.toContain('Attic PC');
  }
  const reader = await (await browser.newContext()).newPage();
  await reader.setContent(readable.text);
  await expect(reader.getByRole('heading', { level: 1 })).toContainText(`stores about ${ann.email}`);
});

test('[P13.2] a deletion is asked with the password; every page then shows its day, and one press on any of them keeps the account', async ({
  browser,
}) => {
  const ann = await registeredPerson(world, 'Ann Example');
  const page = await pageOf(browser, world, ann);
  await openData(page);
  await expect(banner(page)).toHaveCount(0);
  await deletion(page).getByRole('button', { name: 'Delete the account' }).click();
  await enterPassword(page, 'Delete the account?', 'not my password', 'Delete the account');
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('That is not your current password. Try again.');
  expect(await deletesOf(ann)).toBeNull();
  await enterPassword(page, 'Delete the account?', ann.password, 'Delete the account');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const deletes = await deletesOf(ann);
  expect((new Date(deletes ?? 0).getTime() - Date.now()) / day).toBeCloseTo(7, 2);
  const sentence = `This account will be deleted on ${inWords(deletes)}`;
  await expect(deletion(page).getByRole('heading', { level: 2 })).toHaveText(sentence);
  await expect(deletion(page)).toBeFocused();
  await expect(deletion(page).getByRole('button', { name: 'Delete the account' })).toHaveCount(0);
  await expect(deletion(page)).toContainText(`You can keep the account until ${inWords(deletes)}, `);
  await checkScreen(page);
  await checkScreenZoomed(page);

  for (const [path, readyHeading] of [
    ['', /^Good /],
    ['/profile', 'Profile'],
    ['/history', 'Alert History'],
    ['/policies', 'Protection profiles'],
  ] as const) {
    await page.goto(`${world.dashboardUrl}${path}`);
    await expect(page.getByRole('heading', { level: 1, name: readyHeading })).toBeVisible();
    await expect(banner(page)).toContainText(`${sentence}.`);
  }
  await checkScreen(page);
  await banner(page).getByRole('button', { name: keep }).click();
  await expect(banner(page)).toHaveText(stays);
  await expect(page.getByRole('main')).toBeFocused();
  expect(await deletesOf(ann)).toBeNull();

  await openData(page);
  await expect(deletion(page).getByRole('button', { name: 'Delete the account' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  await deletion(page).getByRole('link', { name: 'Our privacy policy says how long.' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy policy' })).toBeVisible();
  await expect(page.getByText('you can take that back for 7 days')).toBeVisible();
  await expect(page.getByText('That takes up to 14 days')).toBeVisible();
});

test('the page of the data keeps the account too, and a press that fails leaves the deletion waiting', async ({ browser }) => {
  const ann = await unconfirmedPerson(world);
  await askForDeletion(ann);
  const page = await pageOf(browser, world, ann);
  await openData(page);
  await page.route('**/api/web/account/deletion/stop', (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', error: 'We are busy right now. Please try again in a moment.' } }),
  );
  await deletion(page).getByRole('button', { name: keep }).click();
  await expect(deletion(page).getByRole('alert')).toHaveText('We are busy right now. Please try again in a moment.');
  await banner(page).getByRole('button', { name: keep }).click();
  await expect(page.locator('.banner').filter({ hasText: 'We are busy right now.' })).toBeVisible();
  expect(await deletesOf(ann)).not.toBeNull();

  await page.unroute('**/api/web/account/deletion/stop');
  await deletion(page).getByRole('button', { name: keep }).click();
  await expect(deletion(page).getByRole('status')).toHaveText(stays);
  await expect(deletion(page).getByRole('button', { name: 'Delete the account' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  expect(await deletesOf(ann)).toBeNull();
});

test('[P13.2] the link of the email keeps the account without a login, by its button and not by opening it', async ({ browser }) => {
  const ann = await confirmedPerson(world, 'Ann Example');
  const bea = await confirmedPerson(world, 'Bea Example');
  await askForDeletion(ann);
  await askForDeletion(bea);
  const link = linkIn(await mailTo(world, ann.email, /will be deleted/));
  expect(link).toMatch(/\/dashboard\/keep-account\/./);
  const guest = await pageOf(browser, world, null);
  const requests: string[] = [];
  guest.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await guest.goto(link);
  await expect(guest.getByRole('button', { name: keep })).toBeVisible();
  await checkScreen(guest);
  await checkScreenZoomed(guest);
  expect(requests).not.toContain('/api/keep-account');
  expect(await deletesOf(ann)).not.toBeNull();

  await guest.getByRole('button', { name: keep }).click();
  const note = guest.getByRole('status').filter({ hasText: stays });
  await expect(note).toBeFocused();
  await expect(guest.getByRole('button', { name: keep })).toHaveCount(0);
  await checkScreen(guest);
  expect(await deletesOf(ann)).toBeNull();
  expect(await deletesOf(bea)).not.toBeNull();
  expect(requests).toContain('/api/keep-account');
  await guest.getByRole('link', { name: 'Choose a new password' }).click();
  await expect(guest.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
});

test('a link that no longer keeps an account leads to the page that shows whether it stays, through the login', async ({ browser }) => {
  const ann = await confirmedPerson(world, 'Ann Example');
  const guest = await pageOf(browser, world, null);
  await guest.goto(`${world.dashboardUrl}/keep-account/no-such-link`);
  await guest.getByRole('button', { name: keep }).click();
  const note = guest.getByRole('alert');
  await expect(note).toHaveText('This link no longer works. The account may be safe already, or its seven days are over.');
  await expect(note).toBeFocused();
  await expect(guest.getByRole('button', { name: keep })).toHaveCount(0);
  await checkScreen(guest);
  await guest.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await guest.getByLabel('Email').fill(ann.email);
  await guest.getByLabel('Password', { exact: true }).fill(ann.password);
  await guest.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(deletion(guest).getByRole('button', { name: 'Delete the account' })).toBeVisible();

  const page = await pageOf(browser, world, ann);
  await page.goto(`${world.dashboardUrl}/keep-account/no-such-link`);
  await page.getByRole('button', { name: keep }).click();
  await page.getByRole('link', { name: 'Go to “Your data”' }).click();
  await expect(download(page)).toBeVisible();
});

test('a deletion that is due but waits, as in an incident, can still be stopped', async ({ browser }) => {
  const ann = await confirmedPerson(world, 'Ann Example');
  await askForDeletion(ann);
  const page = await pageOf(browser, world, ann);
  await page.route('**/api/web/account/deletion', (route) =>
    route.fulfill({ json: { deletes: new Date(Date.now() - day).toISOString() } }),
  );
  await openData(page);
  await expect(deletion(page).getByRole('heading', { level: 2 })).toHaveText('This account will be deleted soon');
  await expect(banner(page)).toContainText('This account will be deleted soon.');
  await deletion(page).getByRole('button', { name: keep }).click();
  await expect(deletion(page).getByRole('status')).toHaveText(stays);
  expect(await deletesOf(ann)).toBeNull();
});

test('[P10.1] in an incident a deletion waits for the guardian’s yes, and the page shows its day once that came', async ({ browser }) => {
  const ann = await registeredPerson(world, 'Ann Example');
  const device = await linkedDevice(world, ann, 'Den PC');
  const bobEmail = `bob-${ann.email}`;
  const bob = await pageOf(browser, world, null);
  await inviteGuardian(bob, world, ann, 'Bob', bobEmail);
  await reportAlert(world, device);
  await expect.poll(async () => (await call(world.url, 'GET /web/incidents', { token: ann.token, query: {} })).items.length).toBe(1);
  const page = await pageOf(browser, world, ann);
  await openData(page);
  await deletion(page).getByRole('button', { name: 'Delete the account' }).click();
  await enterPassword(page, 'Delete the account?', ann.password, 'Delete the account');
  const waiting = page.getByRole('dialog', { name: 'We asked Bob' });
  await expect(waiting).toContainText('Nothing has changed yet. We do it when Bob says yes.');
  await checkScreen(page);
  expect(await deletesOf(ann)).toBeNull();

  await answerRequest(bob, world, bobEmail, /Ann wants to have the account deleted/, 'yes');
  await expect(waiting).toHaveCount(0, { timeout: 15_000 });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(deletion(page).getByRole('heading', { level: 2 })).toHaveText(
    `This account will be deleted on ${inWords(await deletesOf(ann))}`,
  );
});
