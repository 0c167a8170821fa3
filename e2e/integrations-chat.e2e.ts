import { expect, type Page } from '@playwright/test';
import { type Person, registeredPerson } from '@porchlight/dev/people.ts';
import { porchlight } from '@porchlight/server/testing/command.ts';
import { checkScreenZoomed } from './lib/accessibility.ts';
import { answer, type IntegrationsWorld, listenForTrouble, startIntegrationsWorld } from './lib/integrations/integrations-world.ts';
import { logIn } from './lib/screens.ts';
import { test } from './lib/test.ts';

/** The support chat: for whom, in which words, and what becomes of it. */

let outside: IntegrationsWorld;
let ann: Person;
const people: Person[] = [];
test.beforeAll(async () => {
  outside = await startIntegrationsWorld();
  for (let i = 0; i < 3; i++) people.push(await registeredPerson(outside.world));
});
test.afterAll(() => outside?.close());
// Each test comes from a place of its own, and they take turns with the people, so that none uses up the tries of another.
let turn = 0;
test.beforeEach(async ({ page }) => {
  turn += 1;
  ann = people[turn % people.length] ?? ann;
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': `198.18.2.${turn}` });
  outside.chat.asked.length = 0;
  outside.chat.breakWith(null);
});

const bubble = (page: Page) => page.getByRole('button', { name: 'Chat with support' });
const frame = (page: Page) => page.frameLocator('#chatwoot_live_chat_widget');
const greeting = (page: Page) => page.getByRole('heading', { name: /^Good / });
const go = (page: Page, where: 'Dashboard' | 'Profile') =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: where }).click();
const scripts = () => outside.chat.asked.filter(({ path }) => path === '/packs/js/sdk.js').length;
const cookies = async (page: Page) => (await page.context().cookies()).map(({ name }) => name).filter((name) => name.startsWith('cw_'));
const done = (page: Page) => page.evaluate(() => (window as { chatHeard?: string[] }).chatHeard ?? []);

async function agreeAndLogIn(page: Page, person = ann): Promise<void> {
  await page.goto(`${outside.world.dashboardUrl}/login`);
  await answer(page, true);
  await logIn(page, person);
  await expect(greeting(page)).toBeVisible();
}

/** Someone else helps this person: the operator's own command. */
async function support(...words: string[]): Promise<void> {
  expect(await porchlight(['support', ...words], { DATA_DIR: outside.world.dataDir })).toMatchObject({ code: 0, err: '' });
}

test('[1.5] [3.17] [7.33] whoever is logged in is welcomed, told the hours, introduced with a proof, and shown the chat alone', async ({
  page,
}) => {
  await agreeAndLogIn(page);
  await expect.poll(() => outside.chat.people()).toEqual([{ identifier: ann.email, email: ann.email, name: 'Ann Example' }]);
  expect(await done(page)).toEqual(['settings before the script', 'setUser']);
  await bubble(page).click();
  await expect(frame(page).getByRole('heading', { name: 'Hello. How can we help?' })).toBeVisible();
  await expect(frame(page).getByText('Write to us here. We’ll never ask you to tell us your password or your PIN.')).toBeVisible();
  await expect(frame(page).getByText('We are away. Our support hours are 9am to 8pm US Eastern Time.', { exact: true })).toBeVisible();
  await expect(frame(page).getByRole('button')).toHaveCount(0);
  await expect(frame(page).getByRole('tab')).toHaveCount(0);
  // It is there on the next page too, and is not loaded again.
  await go(page, 'Profile');
  await expect(bubble(page)).toBeVisible();
  expect(scripts()).toBe(1);
});

test('[1.5] nobody who is not logged in has it, nor a page that a link in a mail opens', async ({ page }) => {
  await page.goto(`${outside.world.dashboardUrl}/login`);
  await answer(page, true);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('button', { name: 'Send the email' })).toBeVisible();
  await page.goBack();
  expect(outside.chat.asked).toEqual([]);
  await logIn(page, ann);
  await expect(bubble(page)).toBeVisible();
  await expect.poll(() => outside.chat.heard('change-url')).toHaveLength(1);
  outside.chat.asked.length = 0;
  await page.goto(`${outside.world.dashboardUrl}/confirm-email/SECRET`);
  await expect(page.getByRole('button', { name: 'Confirm my email address' })).toBeVisible();
  // Whatever the answers lead to is on the page when the browser has nothing left to do.
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
  await expect(page.locator('script[src$="/packs/js/sdk.js"]')).toHaveCount(0);
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(bubble(page)).toBeVisible();
  const places = () =>
    outside.chat.heard('change-url').map(({ referrerURL }) => String(referrerURL).replace(outside.world.dashboardUrl, ''));
  await expect.poll(places).toEqual(['/profile']);
  // Also where it is known who is logged in.
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Confirm my email address' })).toBeVisible();
  await expect(bubble(page)).toHaveCount(0);
  expect(places()).toEqual(['/profile']);
});

test('[1.5] whoever is supported by someone else alone has none; beside us, or no longer, they have', async ({ page }) => {
  const kim = await registeredPerson(outside.world, 'Kim Example');
  const whose = ['--email', kim.email];
  const details = ['--title', 'Your bank', '--support-email', 'help@bank.example'];
  await support('set', ...whose, ...details, '--exclusive');
  await agreeAndLogIn(page, kim);
  await expect(page.getByText('Your bank').first()).toBeVisible();
  await go(page, 'Profile');
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
  await expect(bubble(page)).toHaveCount(0);
  expect(outside.chat.asked).toEqual([]);

  await support('set', ...whose, ...details);
  await page.reload();
  await expect(page.getByText('Your bank').first()).toBeVisible();
  await expect(bubble(page)).toBeVisible();
  // Only now: with the page open, and already in the chat.
  await support('set', ...whose, ...details, '--exclusive');
  await page.reload();
  await expect(page.getByText('Your bank').first()).toBeVisible();
  await expect(bubble(page)).toHaveCount(0);
  await support('clear', ...whose);
  await page.reload();
  await expect(bubble(page)).toBeVisible();
  expect(scripts()).toBe(2);
});

test('[1.5] a log-out ends the conversation: nothing of it is left, nothing breaks, and the next person is introduced', async ({
  page,
}) => {
  const trouble = listenForTrouble(page);
  await agreeAndLogIn(page);
  await expect.poll(() => outside.chat.people()).toHaveLength(1);
  expect((await cookies(page)).sort()).toEqual(['cw_conversation', 'cw_user_website-token-1']);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(bubble(page)).toHaveCount(0);
  expect(await done(page)).toEqual(['settings before the script', 'setUser', 'reset']);
  expect(await cookies(page)).toEqual([]);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.setViewportSize({ width: 900, height: 700 });
  await page.goBack();

  const eve = await registeredPerson(outside.world, 'Eve Example');
  outside.chat.asked.length = 0;
  await logIn(page, eve);
  await expect(bubble(page)).toBeVisible();
  await expect.poll(() => outside.chat.people()).toEqual([{ identifier: eve.email, email: eve.email, name: 'Eve Example' }]);
  const opened = outside.chat.asked.filter(({ path }) => path === '/widget');
  expect(opened.map(({ query }) => query.get('cw_conversation'))).toEqual([null]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await go(page, 'Profile');
  expect(trouble).toEqual([]);
});

test('a login that has expired elsewhere leaves nothing of the conversation either', async ({ page }) => {
  await agreeAndLogIn(page);
  await expect.poll(() => cookies(page)).toHaveLength(2);
  await page.evaluate(() => localStorage.removeItem('porchlight_token'));
  await page.reload();
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect.poll(() => cookies(page)).toEqual([]);
});

test('at 400 % the button of the chat lies over nothing that cannot be brought out from under it', async ({ page }) => {
  await agreeAndLogIn(page);
  await expect(bubble(page)).toBeVisible();
  await checkScreenZoomed(page);
});

for (const [what, breaks, why] of [
  ['its script is not found', () => outside.chat.breakWith(404), 'its script did not come'],
  ['its server is down', () => outside.chat.breakWith(503), 'its script did not come'],
  ['its script has no chat in it', () => outside.chat.breakWith(200), 'its script has no chat in it'],
  ['we cannot say who is asking', (page: Page) => page.route('**/api/web/support', (route) => route.fulfill({ status: 503 })), 'HTTP 503'],
] as [string, (page: Page) => unknown, string][]) {
  test(`[8.18] a chat that does not come is one warning on the console and nothing else: ${what}`, async ({ page }) => {
    const trouble = listenForTrouble(page);
    const warnings: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    await breaks(page);
    await agreeAndLogIn(page);
    await expect.poll(() => warnings).toHaveLength(1);
    expect(warnings[0]).toContain('The support chat could not be loaded.');
    expect(warnings[0]).toContain(why);
    await go(page, 'Profile');
    await expect(page.getByLabel('Name')).toHaveValue('Ann Example');
    await go(page, 'Dashboard');
    await expect(greeting(page)).toBeVisible();
    expect(warnings).toHaveLength(1);
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect(trouble).toEqual([]);
  });
}
