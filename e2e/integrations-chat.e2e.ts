// Its own server: it calls services of the test.
import { expect, type Page } from '@playwright/test';
import type { Person } from '@porchlight/dev/people.ts';
import { checkScreenZoomed } from './lib/accessibility.ts';
import { answer, type IntegrationsWorld, listenForTrouble, startIntegrationsWorld } from './lib/integrations/integrations-world.ts';
import { registeredPerson } from './lib/people.ts';
import { logIn } from './lib/screens.ts';
import { commandIn } from './lib/subscribe.ts';
import { test } from './lib/test.ts';

let integrations: IntegrationsWorld;
let ann: Person;
const people: Person[] = [];
test.beforeAll(async () => {
  integrations = await startIntegrationsWorld();
  for (let i = 0; i < 3; i++) people.push(await registeredPerson(integrations.world));
});
test.afterAll(() => integrations?.close());
// Each test has its own client address and the accounts take turns, because of the login rate limit.
let turn = 0;
test.beforeEach(async ({ page }) => {
  turn += 1;
  ann = people[turn % people.length] ?? ann;
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': `198.18.2.${turn}` });
  integrations.chat.asked.length = 0;
  integrations.chat.breakWith(null);
});

const bubble = (page: Page) => page.getByRole('button', { name: 'Chat with support' });
const frame = (page: Page) => page.frameLocator('#chatwoot_live_chat_widget');
const greeting = (page: Page) => page.getByRole('heading', { name: /^Good / });
const go = (page: Page, where: 'Dashboard' | 'Profile') =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: where }).click();
const scripts = () => integrations.chat.asked.filter(({ path }) => path === '/packs/js/sdk.js').length;
const cookies = async (page: Page) => (await page.context().cookies()).map(({ name }) => name).filter((name) => name.startsWith('cw_'));
const chatEvents = (page: Page) => page.evaluate(() => (window as { chatLog?: string[] }).chatLog ?? []);

async function agreeAndLogIn(page: Page, person = ann): Promise<void> {
  await page.goto(`${integrations.world.dashboardUrl}/login`);
  await answer(page, true);
  await logIn(page, person);
  await expect(greeting(page)).toBeVisible();
}

async function support(...commandArguments: string[]): Promise<void> {
  expect(await commandIn(integrations.world, 'support', ...commandArguments)).toMatchObject({ code: 0, err: '' });
}

test('[1.5] [3.17] [7.33] a logged-in user is welcomed with the opening hours, identified with a proof, and sees only the chat', async ({
  page,
}) => {
  await agreeAndLogIn(page);
  await expect.poll(() => integrations.chat.people()).toEqual([{ identifier: ann.email, email: ann.email, name: 'Ann Example' }]);
  expect(await chatEvents(page)).toEqual(['settings before the script', 'setUser']);
  await bubble(page).click();
  await expect(frame(page).getByRole('heading', { name: 'Hello. How can we help?' })).toBeVisible();
  await expect(frame(page).getByText('Write to us here. We’ll never ask you to tell us your password or your PIN.')).toBeVisible();
  await expect(frame(page).getByText('We are away. Our support hours are 9am to 8pm US Eastern Time.', { exact: true })).toBeVisible();
  await expect(frame(page).getByRole('button')).toHaveCount(0);
  await expect(frame(page).getByRole('tab')).toHaveCount(0);
  await go(page, 'Profile');
  await expect(bubble(page)).toBeVisible();
  expect(scripts()).toBe(1);
});

test('[1.5] a visitor without a login has no chat, and neither has a page that an emailed link opens', async ({ page }) => {
  await page.goto(`${integrations.world.dashboardUrl}/login`);
  await answer(page, true);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('button', { name: 'Send the email' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  expect(integrations.chat.asked).toEqual([]);
  await logIn(page, ann);
  await expect(bubble(page)).toBeVisible();
  await expect.poll(() => integrations.chat.received('change-url')).toHaveLength(1);
  integrations.chat.asked.length = 0;
  await page.goto(`${integrations.world.dashboardUrl}/confirm-email/SECRET`);
  await expect(page.getByRole('button', { name: 'Confirm my email address' })).toBeVisible();
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
  await expect(page.locator('script[src$="/packs/js/sdk.js"]')).toHaveCount(0);
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(bubble(page)).toBeVisible();
  const places = () =>
    integrations.chat.received('change-url').map(({ referrerURL }) => String(referrerURL).replace(integrations.world.dashboardUrl, ''));
  await expect.poll(places).toEqual(['/profile']);
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Confirm my email address' })).toBeVisible();
  await expect(bubble(page)).toHaveCount(0);
  expect(places()).toEqual(['/profile']);
});

test('[1.5] a user with exclusive third-party support has no chat; with additional support, or after its removal, the chat is there', async ({
  page,
}) => {
  const kim = await registeredPerson(integrations.world, 'Kim Example');
  const accountArguments = ['--email', kim.email];
  const details = ['--title', 'Your bank', '--support-email', 'help@bank.example'];
  await support('set', ...accountArguments, ...details, '--exclusive');
  await agreeAndLogIn(page, kim);
  await expect(page.getByText('Your bank').first()).toBeVisible();
  await go(page, 'Profile');
  await expect(page.getByRole('heading', { level: 1, name: 'Profile', exact: true })).toBeVisible();
  await expect(bubble(page)).toHaveCount(0);
  expect(integrations.chat.asked).toEqual([]);

  await support('set', ...accountArguments, ...details);
  await page.reload();
  await expect(page.getByText('Your bank').first()).toBeVisible();
  await expect(bubble(page)).toBeVisible();
  await support('set', ...accountArguments, ...details, '--exclusive');
  await page.reload();
  await expect(page.getByText('Your bank').first()).toBeVisible();
  await expect(bubble(page)).toHaveCount(0);
  await support('clear', ...accountArguments);
  await page.reload();
  await expect(bubble(page)).toBeVisible();
  expect(scripts()).toBe(2);
});

test('[1.5] a log-out removes the whole conversation without an error, and the chat then identifies the next user', async ({ page }) => {
  const problems = listenForTrouble(page);
  await agreeAndLogIn(page);
  await expect.poll(() => integrations.chat.people()).toHaveLength(1);
  expect((await cookies(page)).sort()).toEqual(['cw_conversation', 'cw_user_website-token-1']);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(bubble(page)).toHaveCount(0);
  expect(await chatEvents(page)).toEqual(['settings before the script', 'setUser', 'reset']);
  expect(await cookies(page)).toEqual([]);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.setViewportSize({ width: 900, height: 700 });
  await page.goBack();

  const eve = await registeredPerson(integrations.world, 'Eve Example');
  integrations.chat.asked.length = 0;
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await logIn(page, eve);
  await expect(bubble(page)).toBeVisible();
  await expect.poll(() => integrations.chat.people()).toEqual([{ identifier: eve.email, email: eve.email, name: 'Eve Example' }]);
  const openedWidgets = integrations.chat.asked.filter(({ path }) => path === '/widget');
  expect(openedWidgets.map(({ query }) => query.get('cw_conversation'))).toEqual([null]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await go(page, 'Profile');
  expect(problems).toEqual([]);
});

test('a login that expires elsewhere also removes the conversation', async ({ page }) => {
  await agreeAndLogIn(page);
  await expect.poll(() => cookies(page)).toHaveLength(2);
  await page.evaluate(() => localStorage.removeItem('porchlight_token'));
  await page.reload();
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect.poll(() => cookies(page)).toEqual([]);
});

test('at 400 % the chat button covers nothing that cannot be scrolled out from under it', async ({ page }) => {
  await agreeAndLogIn(page);
  await expect(bubble(page)).toBeVisible();
  await checkScreenZoomed(page);
});

for (const [failure, breakChat, warningText] of [
  ['its script is not found', () => integrations.chat.breakWith(404), 'its script did not come'],
  ['its server is down', () => integrations.chat.breakWith(503), 'its script did not come'],
  ['its script has no chat in it', () => integrations.chat.breakWith(200), 'its script has no chat in it'],
  ['we cannot say who is asking', (page: Page) => page.route('**/api/web/support', (route) => route.fulfill({ status: 503 })), 'HTTP 503'],
] as [string, (page: Page) => unknown, string][]) {
  test(`[8.18] a chat that fails to load is one warning on the console and nothing else: ${failure}`, async ({ page }) => {
    const problems = listenForTrouble(page);
    const warnings: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    await breakChat(page);
    await agreeAndLogIn(page);
    await expect.poll(() => warnings).toHaveLength(1);
    expect(warnings[0]).toContain('The support chat could not be loaded.');
    expect(warnings[0]).toContain(warningText);
    await go(page, 'Profile');
    await expect(page.getByLabel('Name')).toHaveValue('Ann Example');
    await go(page, 'Dashboard');
    await expect(greeting(page)).toBeVisible();
    expect(warnings).toHaveLength(1);
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect(problems).toEqual([]);
  });
}
