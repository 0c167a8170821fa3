import { randomUUID } from 'node:crypto';
import { expect, type Page, type Route } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { linkedDevice, type Person, registeredPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { blockScript } from './lib/block-script.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The guardian's own page when the connection, the server or one of its files fails for a moment: a good link stays a good link. */

let world: World;
let ann: Person;
withWorld((its) => {
  world = its;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
  await linkedDevice(world, ann, 'Den PC');
});
// At most five at a time (P5.1).
test.afterEach(async () => {
  const { guardians } = await call(world.url, 'GET /web/guardians', { token: ann.token });
  for (const { uuid } of guardians) await call(world.url, 'DELETE /web/guardians/:uuid', { token: ann.token, params: { uuid } });
});

const exchange = '**/api/guardian/*/session';
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const alert = (page: Page) => page.getByRole('alert').getByRole('paragraph');
const again = (page: Page) => page.getByRole('button', { name: 'Try again' });

async function invite(): Promise<{ link: string; uuid: string; email: string }> {
  const email = `bob-${randomUUID().slice(0, 8)}@example.org`;
  const { uuid } = await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email } });
  return { link: linkIn(await mailTo(world, email, /guardian/)), uuid, email };
}
async function accepted(page: Page): Promise<{ uuid: string; link: string }> {
  const invited = await invite();
  await page.goto(invited.link);
  await page.getByRole('button', { name: 'I will look out' }).click();
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  return invited;
}

const busy = { error: 'Not now.', code: 'busy' };
const failures: [what: string, answer: (route: Route) => Promise<void>, words: string][] = [
  ['a server that is busy', (route) => route.fulfill({ status: 503, json: busy }), 'Not now.'],
  ['too many from one place', (route) => route.fulfill({ status: 429, json: busy }), 'Not now.'],
  ['no connection', (route) => route.abort(), 'Failed to connect to API.'],
];
for (const [what, answer, words] of failures) {
  test(`[2.16] a new link that meets ${what} is not called dead, and opens as soon as it can`, async ({ page }) => {
    const { link } = await invite();
    await page.route(exchange, answer);
    await page.goto(link);
    await expect(alert(page)).toHaveText(words);
    await expect(heading(page)).toHaveCount(0);
    await page.unroute(exchange);
    await again(page).click();
    await expect(heading(page)).toHaveText('Ann asks you to be a guardian');
    await page.reload();
    await expect(heading(page)).toHaveText('Ann asks you to be a guardian');
  });
}

test('[2.16] the page asks again by itself, and exchanges the key only until it has its cookie', async ({ page }) => {
  const { link } = await invite();
  await page.clock.install();
  let asked = 0;
  await page.route(exchange, (route) => {
    asked += 1;
    return asked === 1 ? route.fulfill({ status: 503, json: busy }) : route.fallback();
  });
  await page.goto(link);
  await expect(alert(page)).toHaveText('Not now.');
  await page.clock.runFor(10_100);
  await expect(heading(page)).toHaveText('Ann asks you to be a guardian');
  const looked = page.waitForResponse(/\/api\/guardian\/[^/]+$/);
  await page.clock.runFor(10_100);
  await looked;
  expect(asked).toBe(2);
});

test('[2.16] a link that is dead says so, unless an earlier visit still counts', async ({ page, browser }) => {
  const { link } = await accepted(page);
  const dead = link.replace(/[^/]+$/, randomUUID());
  await page.goto(dead);
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  const other = await (await browser.newContext()).newPage();
  await other.goto(dead);
  await expect(heading(other)).toHaveText('This link no longer works');
});

test('[2.16] a part of the page that does not come takes nothing else away, and can be tried again', async ({ page }) => {
  await accepted(page);
  const lost = await blockScript(page, 'phone_code_expired');
  await page.reload();
  await expect(alert(page)).toHaveText('An unknown error occurred');
  expect(lost.size).toBe(1);
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Computers' })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await checkScreen(page);
  await page.unrouteAll();
  await again(page).click();
  await expect(page.getByRole('region', { name: 'How we reach you' })).toBeVisible();
});

test('[2.16] a phone field that does not come leaves the page and the way back', async ({ page }) => {
  await accepted(page);
  const lost = await blockScript(page, 'country_calling_codes');
  await page.getByRole('button', { name: 'Add your phone number' }).click();
  await expect(alert(page)).toHaveText('An unknown error occurred');
  expect(lost.size).toBe(1);
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  await checkScreen(page);
  await page.getByRole('button', { name: 'Not Now' }).click();
  await expect(page.getByRole('button', { name: 'Turn emails off' })).toBeVisible();
});

test('[2.16] what a dead link leads to does not come: the page says that something went wrong', async ({ page }) => {
  const { link } = await invite();
  const lost = await blockScript(page, 'POST /guardian-link');
  await page.goto(link.replace(/[^/]+$/, randomUUID()));
  await expect(alert(page)).toHaveText('An unknown error occurred');
  expect(lost.size).toBe(1);
  await expect(page.getByRole('contentinfo')).toBeVisible();
});

test('[P5.2] when the server is not reached the page says of when its news is', async ({ page }) => {
  const { uuid } = await accepted(page);
  await page.clock.install({ time: new Date() });
  await page.reload();
  const state = page.getByRole('region', { name: 'You look out for Ann' });
  await expect(state.getByRole('heading')).toHaveText('Everyone is protected');
  const told = state.getByText(/^We cannot reach Porchlight\. This is how it was at \d{1,2}:\d\d [AP]M\.$/);
  await page.route(`**/api/guardian/${uuid}`, (route) => route.abort());
  await page.clock.runFor(15_000);
  await expect(told).toHaveCount(0);
  await page.clock.runFor(20_000);
  await expect(told).toBeVisible();
  await expect(state.locator('[fill="var(--lamp)"]')).toHaveCount(0);
  await checkScreen(page);
  // However long: what is old is not told with today's clock.
  await page.clock.fastForward('48:00:00');
  await expect(state.getByText(/^We cannot reach Porchlight\. This is how it was /)).toBeVisible();
  await expect(state.getByRole('heading')).toHaveText('Everyone was protected');
  await page.unroute(`**/api/guardian/${uuid}`);
  await page.clock.runFor(11_000);
  await expect(state.getByText(/^We cannot reach/)).toHaveCount(0);
});
