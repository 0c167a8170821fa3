// Tier: fast. The journey of section P9 and P10, incidents and the gate.
import { expect, type Page } from '@playwright/test';
import { brand } from '@porchlight/contract/brand.ts';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { inviteGuardian } from './lib/guardians.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The tests build on each other. */
test.describe.configure({ mode: 'serial' });

const phone = { width: 390, height: 844 };
let world: World;
let ann: Person;
let annPage: Page;
let bobPage: Page;
/** The address of Bob's page without the key of its link. */
let bobUrl: string;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async ({ browser }) => {
  ann = await registeredPerson(world);
  await linkedDevice(world, ann, 'Den PC');
  annPage = await pageOf(browser, world, ann);
  bobPage = await pageOf(browser, world, null, { viewport: phone });
  await inviteGuardian(bobPage, world, ann, 'Bob', 'bob@example.org');
  await expect(bobPage.getByRole('heading', { level: 1, name: 'Everyone is protected' })).toBeVisible();
  bobUrl = bobPage.url();
});

const openIncidents = async () =>
  (await call(world.url, 'GET /web/incidents', { token: ann.token, query: {} })).items.filter(({ state }) => state === 'open');
const bobsDialog = () => bobPage.getByRole('dialog');
const banner = (words: RegExp) => annPage.getByRole('status').filter({ hasText: words });

test('[P10.6] Ann chooses on her page of guardians that Bob may cut the internet', async () => {
  await annPage.goto(`${world.dashboardUrl}/profile/guardians`);
  const may = annPage.getByRole('switch', { name: 'May cut the internet there' });
  await expect(may).toHaveAccessibleDescription('Not chosen yet: Bob can do it only on a computer that someone else uses.');
  await may.click();
  await expect(may).toBeChecked();
  await checkScreen(annPage);
});

test('[P10.6] on a calm day the part is collapsed, and a link with stop asks and presses nothing', async () => {
  await expect(bobPage.getByRole('button', { name: 'Stop this' })).toBeHidden();
  await bobPage.getByRole('heading', { name: 'Do something now' }).click();
  await expect(bobPage.getByRole('button', { name: 'Stop this' })).toBeVisible();
  await checkScreen(bobPage);
  await checkScreenZoomed(bobPage);
  await bobPage.setViewportSize(phone);
  await bobPage.goto(`${bobUrl}?stop=1`);
  await expect(bobsDialog().getByRole('button', { name: 'Cancel' })).toBeFocused();
  await bobPage.keyboard.press('Escape');
  await expect(bobPage.getByRole('button', { name: 'Stop this' })).toBeFocused();
  expect(await openIncidents()).toEqual([]);
});

test('[P10.6] Bob presses Stop this on his phone, and reads until when it stays so', async () => {
  await bobPage.goto(`${bobUrl}?stop=1`);
  await bobsDialog().getByRole('button', { name: 'Stop this' }).click();
  await expect(bobPage.getByRole('status').filter({ hasText: /^You stopped everything at \d/ })).toBeFocused();
  await expect(bobPage.getByRole('status').filter({ hasText: /It stays so until tomorrow / })).toBeVisible();
  await expect(bobPage.getByRole('link', { name: /^See what happened/ })).toBeVisible();
  await checkScreen(bobPage);
  await bobPage.setViewportSize(phone);
});

test('[P10.6] Ann reads on every page who stopped what until when, and gets to the incident', async () => {
  await annPage.goto(world.dashboardUrl);
  const stopped = banner(/^Bob stopped everything on our list, on every computer, until tomorrow /);
  await expect(stopped).toBeVisible();
  await checkScreen(annPage);
  const answered = Promise.withResolvers<void>();
  await annPage.route('**/api/web/incidents?*', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await annPage.goto(`${world.dashboardUrl}/profile`);
  await expect(stopped).toBeVisible();
  await expect(stopped.getByRole('link')).toHaveCount(0);
  answered.resolve();
  await stopped.getByRole('link', { name: 'See what happened' }).click();
  const [incident] = await openIncidents();
  await expect(annPage).toHaveURL(`${world.dashboardUrl}/incident/${incident?.uuid}`);
  await expect(annPage.getByRole('heading', { level: 1 })).toBeVisible();
});

test('[P9.3] the incident says after a press of Stop this whom its notification reached', async () => {
  const knows = annPage.getByRole('region', { name: 'Who knows' });
  await expect(async () => {
    await annPage.reload();
    await expect(knows).toContainText('by email');
  }).toPass();
  await expect(knows).not.toContainText('Nobody');
});

test('[P9.3] the holder’s preview of Bob’s page has nothing to do at once', async () => {
  await annPage.goto(`${world.dashboardUrl}/profile/guardians`);
  await annPage.getByRole('link', { name: 'Show me what Bob sees' }).click();
  const frame = annPage.getByRole('region', { name: 'The page of Bob' });
  await expect(frame.getByText('You look out for Ann', { exact: true })).toBeVisible();
  await expect(frame.getByRole('button')).toHaveCount(0);
  await expect(frame.getByText('Do something now')).toHaveCount(0);
});

test('[P10.6] Bob cuts the internet on the page of the incident, and both pages show until when', async () => {
  const [incident] = await openIncidents();
  await bobPage.goto(`${bobUrl}?incident=${incident?.uuid}`);
  await bobPage.getByRole('button', { name: 'Cut the internet there for 15 minutes' }).click();
  await expect(bobsDialog()).toContainText('Video calls and email stop there, too.');
  await expect(bobsDialog()).not.toContainText('It also stops');
  await bobsDialog().getByRole('button', { name: 'Cut the internet' }).click();
  await expect(bobPage.getByRole('status').filter({ hasText: 'You cut the internet on Den PC.' })).toBeFocused();
  await checkScreen(bobPage);
  await bobPage.setViewportSize(phone);
  await annPage.goto(world.dashboardUrl);
  await expect(banner(/^Bob cut the internet on Den PC\. It comes back on its own (today|tomorrow) at \d/)).toBeVisible();
});

test('[P10.7] Bob opens a code for Den PC, reads it out, and closes it', async () => {
  await bobPage.goto(bobUrl);
  await bobPage.getByRole('button', { name: 'Open a code' }).click();
  await bobPage.getByRole('radio', { name: `Pause ${brand.name} there` }).check();
  await bobPage.getByRole('button', { name: 'Show the code' }).click();
  const code = bobPage.getByRole('status').filter({ hasText: /\d{4} \d{4}/ });
  await expect(code).toBeFocused();
  await expect(code).toContainText(/Works once, until (today|tomorrow) at \d+:\d\d [AP]M, to pause/);
  await expect(code).toContainText('Read it out only to Ann, on a call you started.');
  await checkScreen(bobPage);
  await bobPage.getByRole('button', { name: 'Close' }).click();
  await expect(bobPage.getByRole('button', { name: 'Open a code' })).toBeFocused();
  await expect(bobPage.getByText(/\d{4} \d{4}/)).toHaveCount(0);
});

test('[P9.5] I need help now is one press on the home screen: four lines, and the incident', async () => {
  await annPage.goto(world.dashboardUrl);
  await annPage.getByRole('button', { name: 'I need help now' }).click();
  const lines = annPage.getByRole('region', { name: 'Do these four things now' }).getByRole('listitem');
  await expect(lines).toHaveCount(4);
  await expect(lines.first()).toContainText('Hang up');
  await expect(lines.nth(3)).toContainText('We are trying to reach Bob');
  await checkScreen(annPage);
  const [incident] = await openIncidents();
  await annPage.getByRole('region', { name: 'Do these four things now' }).getByRole('link', { name: 'See what happened' }).click();
  await expect(annPage).toHaveURL(`${world.dashboardUrl}/incident/${incident?.uuid}`);
  await expect(annPage.getByRole('region', { name: 'What happened' })).toContainText('help');
  await expect(banner(/^Ann asked for help at Den PC\. /)).toBeVisible();
});

test('[P9.5] a stranger gets the four lines from any footer, and at their end the report form', async ({ browser }) => {
  for (const who of [null, ann]) {
    const page = await pageOf(browser, world, who);
    await page.goto(`${world.dashboardUrl}${who ? '/profile' : '/login'}`);
    await page.getByRole('contentinfo').getByRole('link', { name: 'I think I am being scammed' }).click();
    await expect(page).toHaveURL(`${world.dashboardUrl}/help-now`);
    await expect(page).toHaveTitle(/^I think I am being scammed/);
    await expect(page.getByRole('main').getByRole('listitem')).toHaveText([
      /^Hang up/,
      /^Did someone move the mouse\?/,
      /^Call the bank/,
      /^Call a relative you trust/,
    ]);
    await expect(page.getByRole('link', { name: 'Report the scam' })).toHaveAttribute('href', brand.scam_help_url);
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' })).toHaveCount(who ? 1 : 0);
  }
});
