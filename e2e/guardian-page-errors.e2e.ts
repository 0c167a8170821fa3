import { randomUUID } from 'node:crypto';
import { expect, type Page, type Route } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { blockScript } from './lib/block-script.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
  await linkedDevice(world, ann, 'Den PC');
});
// An account has at most five guardians (P5.1).
test.afterEach(async () => {
  const { guardians } = await call(world.url, 'GET /web/guardians', { token: ann.token });
  for (const { uuid } of guardians) await call(world.url, 'DELETE /web/guardians/:uuid', { token: ann.token, params: { uuid } });
});

const exchangeUrl = '**/api/guardian/*/session';
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const alert = (page: Page) => page.getByRole('alert').getByRole('paragraph');
const retryButton = (page: Page) => page.getByRole('button', { name: 'Try again' });

async function invite(): Promise<{ link: string; uuid: string; email: string }> {
  const email = `bob-${randomUUID().slice(0, 8)}@example.org`;
  const { uuid } = await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email } });
  return { link: linkIn(await mailTo(world, email, /guardian/)), uuid, email };
}
async function acceptInvitation(page: Page): Promise<{ uuid: string; link: string }> {
  const invitation = await invite();
  await page.goto(invitation.link);
  await page.getByRole('button', { name: 'I will look out' }).click();
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  return invitation;
}

const busyError = { error: 'Not now.', code: 'busy' };
const failures: [what: string, answer: (route: Route) => Promise<void>, words: string][] = [
  ['a server that is busy', (route) => route.fulfill({ status: 503, json: busyError }), 'Not now.'],
  ['too many from one place', (route) => route.fulfill({ status: 429, json: busyError }), 'Not now.'],
  ['no connection', (route) => route.abort(), 'Failed to connect to API.'],
];
for (const [failure, answer, message] of failures) {
  test(`[2.16] the page of a new link that first meets ${failure} does not call the link dead, and opens as soon as possible`, async ({
    page,
  }) => {
    const { link } = await invite();
    await page.clock.install();
    await page.route(exchangeUrl, answer);
    await page.goto(link);
    await expect(alert(page)).toHaveText(message);
    await expect(heading(page)).toHaveCount(0);
    // The page's own poll must not open it before the press.
    await page.clock.pauseAt(new Date(Date.now() + 5_000));
    await page.unroute(exchangeUrl);
    await retryButton(page).click();
    // Parts of the page appear only while the clock runs.
    await page.clock.resume();
    await expect(heading(page)).toHaveText('Ann asks you to be a guardian');
    await page.reload();
    await expect(heading(page)).toHaveText('Ann asks you to be a guardian');
  });
}

test('[2.16] the guardian page polls, and exchanges its link’s key only until it has a cookie', async ({ page }) => {
  const { link } = await invite();
  await page.clock.install();
  let exchangeCount = 0;
  await page.route(exchangeUrl, (route) => {
    exchangeCount += 1;
    return exchangeCount === 1 ? route.fulfill({ status: 503, json: busyError }) : route.fallback();
  });
  await page.goto(link);
  await expect(alert(page)).toHaveText('Not now.');
  await page.clock.runFor(10_100);
  await expect(heading(page)).toHaveText('Ann asks you to be a guardian');
  const pagePolled = page.waitForResponse(/\/api\/guardian\/[^/]+$/);
  await page.clock.runFor(10_100);
  await pagePolled;
  expect(exchangeCount).toBe(2);
});

test('[2.16] the guardian page says that its link is dead, unless the cookie of an earlier visit is valid', async ({ page, browser }) => {
  const { link } = await acceptInvitation(page);
  const deadLink = link.replace(/[^/]+$/, randomUUID());
  await page.goto(deadLink);
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  const otherPage = await (await browser.newContext()).newPage();
  await otherPage.goto(deadLink);
  await expect(heading(otherPage)).toHaveText('This link no longer works');
});

test('[2.16] a part of the guardian page that fails to load leaves the rest intact, and can be loaded again', async ({ page }) => {
  await acceptInvitation(page);
  const blockedUrls = await blockScript(page, 'Where this page is open');
  await page.reload();
  await expect(alert(page)).toHaveText('An unknown error occurred');
  expect(blockedUrls.size).toBe(1);
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Computers' })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await checkScreen(page);
  await page.unrouteAll();
  await retryButton(page).click();
  await expect(page.getByRole('region', { name: 'How we reach you' })).toBeVisible();
});

test('[2.16] a phone field that fails to load leaves the guardian page and the Cancel button usable', async ({ page }) => {
  await acceptInvitation(page);
  const blockedUrls = await blockScript(page, 'country_calling_codes');
  await page.getByRole('button', { name: 'Add your phone number' }).click();
  await expect(alert(page)).toHaveText('An unknown error occurred');
  expect(blockedUrls.size).toBe(1);
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  await checkScreen(page);
  await page.getByRole('button', { name: 'Not Now', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Turn emails off' })).toBeVisible();
});

test('[2.16] if the screen for dead links fails to load, the guardian page shows a general error', async ({ page }) => {
  const { link } = await invite();
  const blockedUrls = await blockScript(page, 'POST /guardian-link');
  await page.goto(link.replace(/[^/]+$/, randomUUID()));
  await expect(alert(page)).toHaveText('An unknown error occurred');
  expect(blockedUrls.size).toBe(1);
  await expect(page.getByRole('contentinfo')).toBeVisible();
});

test('[P5.2] when the server is unreachable the guardian page says how old its data is', async ({ page }) => {
  const { uuid } = await acceptInvitation(page);
  await page.clock.install({ time: new Date() });
  await page.reload();
  const state = page.getByRole('region', { name: 'You look out for Ann' });
  await expect(state.getByRole('heading')).toHaveText('Everyone is protected');
  const staleNote = state.getByText(/^We cannot reach Porchlight\. This is how it was at \d{1,2}:\d\d [AP]M\.$/);
  await page.route(`**/api/guardian/${uuid}`, (route) => route.abort());
  await page.clock.runFor(15_000);
  await expect(staleNote).toHaveCount(0);
  await page.clock.runFor(20_000);
  await expect(staleNote).toBeVisible();
  await expect(state.locator('[fill="var(--lamp)"]')).toHaveCount(0);
  await checkScreen(page);
  // The wording for old data follows its age, however high.
  await page.clock.fastForward('48:00:00');
  await expect(state.getByText(/^We cannot reach Porchlight\. This is how it was /)).toBeVisible();
  await expect(state.getByRole('heading')).toHaveText('Everyone was protected');
  await page.unroute(`**/api/guardian/${uuid}`);
  await page.clock.runFor(11_000);
  await expect(state.getByText(/^We cannot reach/)).toHaveCount(0);
});
