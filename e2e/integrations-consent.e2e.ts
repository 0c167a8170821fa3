// Its own server: it calls services of the test.
import { expect, type Page } from '@playwright/test';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import {
  answer,
  banner,
  type IntegrationsWorld,
  listenForTrouble,
  runOurs,
  startIntegrationsWorld,
  switches,
} from './lib/integrations/integrations-world.ts';
import { registeredPerson } from './lib/people.ts';
import { logIn } from './lib/screens.ts';
import { test } from './lib/test.ts';
import { startTestWorld } from './lib/worlds.ts';

let plainWorld: World;
let integrations: IntegrationsWorld;
let ann: Person;
test.beforeAll(async () => {
  [plainWorld, integrations] = await Promise.all([startTestWorld(), startIntegrationsWorld()]);
  ann = await registeredPerson(integrations.world);
});
test.afterAll(async () => {
  await plainWorld?.close();
  await integrations?.close();
});
test.beforeEach(() => {
  for (const { asked } of [integrations.chat, integrations.errors, integrations.collector]) asked.length = 0;
});

const noRequests = { chat: 0, errors: 0, collector: 0 };
const choices = (page: Page) => page.getByRole('button', { name: 'Privacy choices' });
const greeting = (page: Page) => page.getByRole('heading', { name: /^Good / });
const storedConsent = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('porchlight_consent') ?? '{}') as unknown);
const allConsents = { chat: true, errors: true, analytics: true };
const noConsents = { chat: false, errors: false, analytics: false };
const service = (page: Page, name: RegExp) => banner(page).getByRole('checkbox', { name });
const counted = () => integrations.collector.events().map(({ url }) => new URL(url).pathname.replace('/dashboard', ''));
const go = (page: Page, where: 'Dashboard' | 'Profile') =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: where }).click();

/** Throws an uncaught error in our own script. */
const throwError = (page: Page, world: World, message: string) => runOurs(page, world, `throw new TypeError("${message}")`);

/** Expects all three services to work; earlier requests have then arrived. */
async function expectAllServices(page: Page, message: string): Promise<void> {
  await expect(page.getByRole('button', { name: 'Chat with support' })).toBeVisible();
  await expect.poll(() => integrations.chat.people()).toContainEqual({ identifier: ann.email, email: ann.email, name: 'Ann Example' });
  await expect.poll(counted).toContain('/');
  await expect
    .poll(async () => {
      await throwError(page, integrations.world, message);
      return integrations.errors.errors();
    })
    .toContain(`TypeError: ${message}`);
}

test('[P7.2] without configured services no page contacts, permits or mentions a third party', async ({ page }) => {
  const foreignUrls: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(plainWorld.url)) foreignUrls.push(request.url());
  });
  const firstResponse = await page.goto(`${plainWorld.dashboardUrl}/login`);
  expect(firstResponse?.headers()['content-security-policy']).not.toMatch(/frame-src|script-src/);
  await page.evaluate(() => localStorage.setItem('porchlight_consent', JSON.stringify({ chat: true, errors: true, analytics: true })));
  await page.reload();
  await logIn(page, await registeredPerson(plainWorld));
  await expect(greeting(page)).toBeVisible();
  await throwError(page, plainWorld, 'unheard');
  await go(page, 'Profile');
  await expect(page.getByRole('heading', { level: 1, name: 'Profile', exact: true })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
  await expect(choices(page)).toHaveCount(0);
  expect(foreignUrls).toEqual([]);
});

for (const [when, openPage] of [
  ['before the question is answered', async () => {}],
  [
    'after a no, which is remembered',
    async (page: Page) => {
      await answer(page, false);
      expect(await storedConsent(page)).toEqual(noConsents);
      await page.reload();
      await expect(choices(page)).toBeVisible();
      await expect(banner(page)).toHaveCount(0);
    },
  ],
] as const) {
  test(`[P7.2] no third party’s code is loaded and nothing is sent ${when}`, async ({ page }) => {
    await page.goto(`${integrations.world.dashboardUrl}/login`);
    await openPage(page);
    await logIn(page, ann);
    await expect(greeting(page)).toBeVisible();
    await throwError(page, integrations.world, 'before the yes');
    await go(page, 'Profile');
    await expect(page.getByRole('heading', { level: 1, name: 'Profile', exact: true })).toBeVisible();
    await go(page, 'Dashboard');
    await expect(greeting(page)).toBeVisible();
    expect(integrations.asked()).toEqual(noRequests);
    // After the consent only later events are sent.
    if (!(await banner(page).isVisible())) await choices(page).click();
    await answer(page, true);
    await expectAllServices(page, 'after the yes');
    expect(new Set(counted())).toEqual(new Set(['/']));
    expect(integrations.errors.errors()).not.toContain('TypeError: before the yes');
  });
}

test('[7.41] all services work under the page’s policy after consent, stop at once when it is withdrawn, and return when it is given again', async ({
  page,
}) => {
  const problems = listenForTrouble(page);
  await page.goto(`${integrations.world.dashboardUrl}/login`);
  await answer(page, true);
  expect(await storedConsent(page)).toEqual(allConsents);
  await logIn(page, ann);
  await expectAllServices(page, 'first');

  await choices(page).click();
  for (const serviceSwitch of await switches(page)) await expect(serviceSwitch).toBeChecked();
  await answer(page, false);
  await expect(page.getByRole('button', { name: 'Chat with support' })).toHaveCount(0);
  for (const { asked } of [integrations.chat, integrations.errors, integrations.collector]) asked.length = 0;
  await throwError(page, integrations.world, 'meanwhile');
  await go(page, 'Profile');
  await expect(page.getByRole('heading', { level: 1, name: 'Profile', exact: true })).toBeVisible();
  await page.setViewportSize({ width: 900, height: 700 });
  await go(page, 'Dashboard');
  await expect(greeting(page)).toBeVisible();
  expect(integrations.asked()).toEqual(noRequests);

  await choices(page).click();
  for (const serviceSwitch of await switches(page)) await expect(serviceSwitch).not.toBeChecked();
  await answer(page, true);
  await expectAllServices(page, 'again');
  expect(new Set(counted())).toEqual(new Set(['/']));
  expect(new Set(integrations.errors.errors())).toEqual(new Set(['TypeError: again']));
  expect(problems.filter((problem) => !/^not caught: (first|meanwhile|again)$/.test(problem))).toEqual([]);
});

for (const [only, allowedService] of [
  [/^A chat window/, 'chat'],
  [/^A report to us/, 'errors'],
  [/^A count of which pages/, 'collector'],
] as const) {
  test(`[1.5] [7.41] consent to ${allowedService} alone covers nothing else, also after a reload`, async ({ page }) => {
    await page.goto(`${integrations.world.dashboardUrl}/login`);
    await service(page, only).check();
    await banner(page).getByRole('button', { name: 'Save my choices' }).click();
    await logIn(page, ann);
    await expect(greeting(page)).toBeVisible();
    await page.reload();
    await expect(greeting(page)).toBeVisible();
    await expect(banner(page)).toHaveCount(0);
    await expect
      .poll(async () => {
        await throwError(page, integrations.world, 'one alone');
        return integrations[allowedService].asked.length;
      })
      .toBeGreaterThan(0);
    // Time for the other services to load; errors are reported only with consent to error reporting.
    await go(page, 'Profile');
    await expect(page.getByRole('heading', { level: 1, name: 'Profile', exact: true })).toBeVisible();
    const otherRequests = Object.entries(integrations.asked()).filter(([name]) => name !== allowedService);
    expect(otherRequests.map(([, requestCount]) => requestCount)).toEqual([0, 0]);
    await choices(page).click();
    await expect(banner(page).getByRole('checkbox', { checked: true })).toHaveCount(1);
    await expect(service(page, only)).toBeChecked();
  });
}

test('an old consent to all services at once is asked again, and an old refusal still counts', async ({ page }) => {
  await page.goto(`${integrations.world.dashboardUrl}/login`);
  await page.evaluate(() => localStorage.setItem('porchlight_consent', 'yes'));
  await page.reload();
  await expect(banner(page)).toBeVisible();
  for (const serviceSwitch of await switches(page)) await expect(serviceSwitch).not.toBeChecked();
  expect(integrations.asked()).toEqual(noRequests);
  await page.evaluate(() => localStorage.setItem('porchlight_consent', 'no'));
  await page.reload();
  await expect(choices(page)).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
});

test('[P7.2] an answer to the consent banner in one tab counts in all tabs', async ({ page }) => {
  await page.goto(`${integrations.world.dashboardUrl}/login`);
  const otherPage = await page.context().newPage();
  await otherPage.goto(`${integrations.world.dashboardUrl}/register`);
  await answer(page, true);
  await expect(banner(otherPage)).toHaveCount(0);
  await expect.poll(() => counted().toSorted()).toEqual(['/login', '/register']);
  await choices(page).click();
  await otherPage.evaluate(() => window.addEventListener('storage', () => document.body.setAttribute('data-notified', ''), { once: true }));
  await answer(page, false);
  await expect(otherPage.locator('[data-notified]')).toHaveCount(1);
  integrations.collector.asked.length = 0;
  await otherPage.getByRole('link', { name: 'Log in' }).click();
  await otherPage.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(otherPage.getByRole('button', { name: 'Send the email' })).toBeVisible();
  await otherPage.goBack();
  await expect(otherPage.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await choices(otherPage).click();
  await answer(otherPage, true);
  await expect.poll(counted).toEqual(['/login', '/login']);
});
