import { expect, type Page } from '@playwright/test';
import { type Person, registeredPerson } from '@porchlight/dev/people.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';
import {
  answer,
  banner,
  type IntegrationsWorld,
  listenForTrouble,
  runOurs,
  startIntegrationsWorld,
  switches,
} from './lib/integrations/integrations-world.ts';
import { logIn } from './lib/screens.ts';
import { test } from './lib/test.ts';

/** Third parties: none unless configured, none before a yes, none after a no. */

let plain: World;
let outside: IntegrationsWorld;
let ann: Person;
test.beforeAll(async () => {
  [plain, outside] = await Promise.all([startWorld(), startIntegrationsWorld()]);
  ann = await registeredPerson(outside.world);
});
test.afterAll(async () => {
  await plain?.close();
  await outside?.close();
});
test.beforeEach(() => {
  for (const { asked } of [outside.chat, outside.errors, outside.collector]) asked.length = 0;
});

const nothing = { chat: 0, errors: 0, collector: 0 };
const choices = (page: Page) => page.getByRole('button', { name: 'Privacy choices' });
const greeting = (page: Page) => page.getByRole('heading', { name: /^Good / });
const kept = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('porchlight_consent') ?? '{}') as unknown);
const all = { chat: true, errors: true, analytics: true };
const none = { chat: false, errors: false, analytics: false };
const service = (page: Page, name: RegExp) => banner(page).getByRole('checkbox', { name });
const counted = () => outside.collector.events().map(({ url }) => new URL(url).pathname.replace('/dashboard', ''));
const go = (page: Page, where: 'Dashboard' | 'Profile') =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: where }).click();

/** Something of ours breaks, and nobody catches it. */
const fail = (page: Page, world: World, words: string) => runOurs(page, world, `throw new TypeError("${words}")`);

/** On the dashboard: all three are at work. What had been sent before has arrived by then, too. */
async function everythingWorks(page: Page, words: string): Promise<void> {
  await expect(page.getByRole('button', { name: 'Chat with support' })).toBeVisible();
  await expect.poll(() => outside.chat.people()).toContainEqual({ identifier: ann.email, email: ann.email, name: 'Ann Example' });
  await expect.poll(counted).toContain('/');
  // The reporting is loaded a moment after the rest.
  await expect
    .poll(async () => {
      await fail(page, outside.world, words);
      return outside.errors.errors();
    })
    .toContain(`TypeError: ${words}`);
}

test('[P7.2] where nothing is configured nothing outside is asked for, allowed, or asked about', async ({ page }) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(plain.url)) elsewhere.push(request.url());
  });
  const first = await page.goto(`${plain.dashboardUrl}/login`);
  expect(first?.headers()['content-security-policy']).not.toMatch(/frame-src|script-src/);
  await page.evaluate(() => localStorage.setItem('porchlight_consent', JSON.stringify({ chat: true, errors: true, analytics: true })));
  await page.reload();
  await logIn(page, await registeredPerson(plain));
  await expect(greeting(page)).toBeVisible();
  await fail(page, plain, 'unheard');
  await go(page, 'Profile');
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  await expect(choices(page)).toHaveCount(0);
  expect(elsewhere).toEqual([]);
});

for (const [when, before] of [
  ['before the question is answered', async () => {}],
  [
    'after a no, which is remembered',
    async (page: Page) => {
      await answer(page, false);
      expect(await kept(page)).toEqual(none);
      await page.reload();
      await expect(choices(page)).toBeVisible();
      await expect(banner(page)).toHaveCount(0);
    },
  ],
] as const) {
  test(`[P7.2] nothing is loaded and nothing leaves ${when}`, async ({ page }) => {
    await page.goto(`${outside.world.dashboardUrl}/login`);
    await before(page);
    await logIn(page, ann);
    await expect(greeting(page)).toBeVisible();
    await fail(page, outside.world, 'before the yes');
    await go(page, 'Profile');
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
    await go(page, 'Dashboard');
    await expect(greeting(page)).toBeVisible();
    expect(outside.asked()).toEqual(nothing);
    // Once there was a yes, what comes is of the time after it alone.
    if (!(await banner(page).isVisible())) await choices(page).click();
    await answer(page, true);
    await everythingWorks(page, 'after the yes');
    expect(new Set(counted())).toEqual(new Set(['/']));
    expect(outside.errors.errors()).not.toContain('TypeError: before the yes');
  });
}

test('[7.41] after a yes all work under the policy of the page; taken back, all stop at once; given again, all are back', async ({
  page,
}) => {
  const trouble = listenForTrouble(page);
  await page.goto(`${outside.world.dashboardUrl}/login`);
  await answer(page, true);
  expect(await kept(page)).toEqual(all);
  await logIn(page, ann);
  await everythingWorks(page, 'first');

  await choices(page).click();
  for (const one of await switches(page)) await expect(one).toBeChecked();
  await answer(page, false);
  await expect(page.getByRole('button', { name: 'Chat with support' })).toHaveCount(0);
  for (const { asked } of [outside.chat, outside.errors, outside.collector]) asked.length = 0;
  await fail(page, outside.world, 'meanwhile');
  await go(page, 'Profile');
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
  await page.setViewportSize({ width: 900, height: 700 });
  await go(page, 'Dashboard');
  await expect(greeting(page)).toBeVisible();
  expect(outside.asked()).toEqual(nothing);

  await choices(page).click();
  for (const one of await switches(page)) await expect(one).not.toBeChecked();
  await answer(page, true);
  await everythingWorks(page, 'again');
  expect(new Set(counted())).toEqual(new Set(['/']));
  expect(new Set(outside.errors.errors())).toEqual(new Set(['TypeError: again']));
  expect(trouble.filter((what) => !/^not caught: (first|meanwhile|again)$/.test(what))).toEqual([]);
});

for (const [only, asked] of [
  [/^A chat window/, 'chat'],
  [/^A report to us/, 'errors'],
  [/^A count of which pages/, 'collector'],
] as const) {
  test(`[1.5] [7.41] a yes to ${asked} is a yes to nothing else, and is still so after a reload`, async ({ page }) => {
    await page.goto(`${outside.world.dashboardUrl}/login`);
    await service(page, only).check();
    await banner(page).getByRole('button', { name: 'Save my choices' }).click();
    await logIn(page, ann);
    await expect(greeting(page)).toBeVisible();
    await page.reload();
    await expect(greeting(page)).toBeVisible();
    await expect(banner(page)).toHaveCount(0);
    await expect
      .poll(async () => {
        await fail(page, outside.world, 'one alone');
        return outside[asked].asked.length;
      })
      .toBeGreaterThan(0);
    // Time for the others to come, were they loaded: what breaks now is told only where that was agreed to.
    await go(page, 'Profile');
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
    const others = Object.entries(outside.asked()).filter(([name]) => name !== asked);
    expect(others.map(([, times]) => times)).toEqual([0, 0]);
    await choices(page).click();
    await expect(banner(page).getByRole('checkbox', { checked: true })).toHaveCount(1);
    await expect(service(page, only)).toBeChecked();
  });
}

test('a yes of before, when all was one question, is asked again; a no of before still counts', async ({ page }) => {
  await page.goto(`${outside.world.dashboardUrl}/login`);
  await page.evaluate(() => localStorage.setItem('porchlight_consent', 'yes'));
  await page.reload();
  await expect(banner(page)).toBeVisible();
  for (const one of await switches(page)) await expect(one).not.toBeChecked();
  expect(outside.asked()).toEqual(nothing);
  await page.evaluate(() => localStorage.setItem('porchlight_consent', 'no'));
  await page.reload();
  await expect(choices(page)).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
});

test('[P7.2] an answer in one tab counts in the others', async ({ page }) => {
  await page.goto(`${outside.world.dashboardUrl}/login`);
  const other = await page.context().newPage();
  await other.goto(`${outside.world.dashboardUrl}/register`);
  await answer(page, true);
  await expect(banner(other)).toHaveCount(0);
  await expect.poll(counted).toContain('/register');
  await choices(page).click();
  await answer(page, false);
  outside.collector.asked.length = 0;
  await other.getByRole('link', { name: 'Log in' }).click();
  await other.getByRole('link', { name: 'Forgot your password?' }).click();
  await other.goBack();
  await expect(other.getByLabel('Email')).toBeVisible();
  await choices(other).click();
  await answer(other, true);
  await expect.poll(counted).toEqual(['/login', '/login']);
});
