import { expect, type Page, type Request } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { type Person, registeredPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { linkIn, logIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** How the pages call the server: what is sent, how long is waited, and what counts as a success. */

let world: World;
let ann: Person;
withWorld((its) => {
  world = its;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
});

const forgot = '**/api/forgot-password';
const sent = (page: Page) => page.getByText(/^If there is an account with this address/);
const calls = (page: Page) => {
  const list: Request[] = [];
  page.on('request', (request) => new URL(request.url()).pathname.startsWith('/api/') && list.push(request));
  return list;
};

async function askForMail(page: Page): Promise<void> {
  await page.goto(`${world.dashboardUrl}/forgot-password`);
  await page.getByLabel('Email').fill(ann.email);
  await page.getByRole('button', { name: 'Send the email' }).click();
}

test('[7.43] what is sent is JSON, and what sends nothing has no body', async ({ page }) => {
  const made = calls(page);
  await page.goto(`${world.dashboardUrl}/login`);
  await logIn(page, ann);
  await expect(page.getByText(`Signed in as ${ann.email}`)).toBeVisible();
  const [login, ...rest] = made;
  expect([login?.method(), new URL(login?.url() ?? '').pathname]).toEqual(['POST', '/api/login/web']);
  expect(login?.headers()['content-type']).toBe('application/json');
  expect(JSON.parse(login?.postData() ?? '')).toEqual({ email: ann.email, password: ann.password });
  expect(rest.length).toBeGreaterThan(3);
  for (const request of rest) {
    expect(request.method()).toBe('GET');
    expect(request.headers()).toMatchObject({ accept: 'application/json' });
    expect(request.headers()['content-type']).toBeUndefined();
    expect(request.postData()).toBeNull();
  }
});

test('[7.43] the cookie XSRF-TOKEN comes back in the header X-XSRF-TOKEN, read as it was meant; without it there is no header', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, ann);
  const made = calls(page);
  await page.goto(`${world.dashboardUrl}/profile`);
  await expect(page.getByLabel('Email')).toHaveValue(ann.email);
  expect(made.length).toBeGreaterThan(0);
  for (const request of made) expect(request.headers()['x-xsrf-token']).toBeUndefined();

  await page.context().addCookies([
    { name: 'NOT-XSRF-TOKEN', value: 'wrong', url: world.url },
    { name: 'XSRF-TOKEN', value: 'a%2Fb%3D', url: world.url },
  ]);
  made.length = 0;
  await page.getByLabel('Name').fill('Ann Sample');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Your profile has been updated.')).toBeVisible();
  expect(made.map((request) => request.method())).toContain('PATCH');
  for (const request of made) expect(request.headers()['x-xsrf-token']).toBe('a/b=');
});

test("[7.43] the server asks a guardian's page for the header, and the page sends what the server's cookie says", async ({ browser }) => {
  const page = await pageOf(browser, world, null);
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email: 'bob@example.org' } });
  await page.goto(linkIn(await mailTo(world, 'bob@example.org', /guardian/)));
  const accepted = page.waitForResponse(/\/accept$/);
  await page.getByRole('button', { name: 'I will look out' }).click();
  expect((await accepted).status()).toBeLessThan(300);
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  expect(cookie).toMatch(/^\S{16,}$/);
  expect((await accepted).request().headers()['x-xsrf-token']).toBe(cookie);
});

for (const [status, good] of [
  [200, true],
  [204, true],
  [299, true],
  [300, false],
  [400, false],
  [500, false],
] as const) {
  test(`[7.43] an answer with status ${status} counts as ${good ? 'a success' : 'a failure'}`, async ({ page }) => {
    await page.route(forgot, (route) => route.fulfill({ status, ...(status === 204 ? {} : { json: {} }) }));
    await askForMail(page);
    if (good) await expect(sent(page)).toBeVisible();
    else await expect(page.getByRole('alert')).toHaveText('Something went wrong. Please try again in a moment.');
    await expect(good ? page.getByRole('alert') : sent(page)).toHaveCount(0);
  });
}

test('[7.43] however long an answer takes, it is waited for and counts', async ({ page }) => {
  await page.clock.install();
  // The browser's own way to give up after a time would not follow the clock of the test.
  await page.addInitScript(() => {
    AbortSignal.timeout = (ms) => {
      const late = new AbortController();
      setTimeout(() => late.abort(), ms);
      return late.signal;
    };
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(forgot, async (route) => {
    await held;
    await route.continue();
  });
  const failed: string[] = [];
  page.on('requestfailed', (request) => failed.push(request.url()));
  const asked = page.waitForRequest(forgot);
  await askForMail(page);
  await asked;
  await page.clock.runFor('30:00');
  await expect(page.getByRole('button', { name: 'Send the email' })).toBeDisabled();
  await expect(page.getByRole('alert')).toHaveCount(0);
  release();
  await expect(sent(page)).toBeVisible();
  expect(failed).toEqual([]);
});

test('[7.42] the profile and the devices are kept in one place for all screens: what is saved on one shows on the others', async ({
  browser,
}) => {
  const kim = await registeredPerson(world, 'Kim Example');
  const page = await pageOf(browser, world, kim);
  const made = calls(page);
  const go = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: /^Good .*, Kim$/ })).toBeVisible();
  await go('Profile');
  await page.getByLabel('Name').fill('Kimberly Example');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Your profile has been updated.')).toBeVisible();
  // From now on nothing is answered: what the screens show they have from the store.
  await page.route('**/api/web/{profile,devices}', (route) => route.abort());
  await go('Dashboard');
  await expect(page.getByRole('heading', { name: /^Good .*, Kimberly$/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your devices (0 of 5)' })).toBeVisible();
  const asked = made.map((request) => `${request.method()} ${new URL(request.url()).pathname}`);
  for (const path of ['GET /api/web/profile', 'PATCH /api/web/profile', 'GET /api/web/devices']) expect(asked).toContain(path);
  await page.context().close();
});
