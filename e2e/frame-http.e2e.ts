// Tier: fast. The journey of section 7, the calls it makes.
import { expect, type Page, type Request } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { registeredPerson } from './lib/people.ts';
import { linkIn, logIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
});

const forgotPasswordUrl = '**/api/forgot-password';
const sentMessage = (page: Page) => page.getByText(/^If there is an account with this address/);
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

test('[7.43] request bodies are JSON, and requests without data have no body', async ({ page }) => {
  const madeRequests = calls(page);
  await page.goto(`${world.dashboardUrl}/login`);
  await logIn(page, ann);
  await expect(page.getByText(`Signed in as ${ann.email}`)).toBeVisible();
  // The dashboard sends the rest of its requests after this text is there.
  await expect.poll(() => madeRequests.length).toBeGreaterThan(4);
  const [login, ...laterRequests] = madeRequests;
  expect([login?.method(), new URL(login?.url() ?? '').pathname]).toEqual(['POST', '/api/login/web']);
  expect(login?.headers()['content-type']).toBe('application/json');
  expect(JSON.parse(login?.postData() ?? '')).toEqual({ email: ann.email, password: ann.password });
  expect(laterRequests.length).toBeGreaterThan(3);
  for (const request of laterRequests) {
    expect(request.method()).toBe('GET');
    expect(request.headers()).toMatchObject({ accept: 'application/json' });
    expect(request.headers()['content-type']).toBeUndefined();
    expect(request.postData()).toBeNull();
  }
});

test('[7.43] the decoded cookie XSRF-TOKEN is sent as the header X-XSRF-TOKEN; without the cookie there is no header', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, ann);
  const madeRequests = calls(page);
  await page.goto(`${world.dashboardUrl}/profile`);
  await expect(page.getByLabel('Email')).toHaveValue(ann.email);
  expect(madeRequests.length).toBeGreaterThan(0);
  for (const request of madeRequests) expect(request.headers()['x-xsrf-token']).toBeUndefined();

  await page.context().addCookies([
    { name: 'NOT-XSRF-TOKEN', value: 'wrong', url: world.url },
    { name: 'XSRF-TOKEN', value: 'a%2Fb%3D', url: world.url },
  ]);
  madeRequests.length = 0;
  await page.getByLabel('Name').fill('Ann Sample');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Your profile has been updated.')).toBeVisible();
  expect(madeRequests.map((request) => request.method())).toContain('PATCH');
  for (const request of madeRequests) expect(request.headers()['x-xsrf-token']).toBe('a/b=');
});

test('[7.43] the server requires the XSRF header from a guardian’s page, which sends the value of the server’s cookie', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, null);
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email: 'bob@example.org' } });
  await page.goto(linkIn(await mailTo(world, 'bob@example.org', /guardian/)));
  const acceptResponse = page.waitForResponse(/\/accept$/);
  await page.getByRole('button', { name: 'I will look out' }).click();
  expect((await acceptResponse).status()).toBeLessThan(300);
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  expect(cookie).toMatch(/^\S{16,}$/);
  expect((await acceptResponse).request().headers()['x-xsrf-token']).toBe(cookie);
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
    await page.route(forgotPasswordUrl, (route) => route.fulfill({ status, ...(status === 204 ? {} : { json: {} }) }));
    await askForMail(page);
    if (good) await expect(sentMessage(page)).toBeVisible();
    else await expect(page.getByRole('alert')).toHaveText('Something went wrong. Please try again in a moment.');
    await expect(good ? page.getByRole('alert') : sentMessage(page)).toHaveCount(0);
  });
}

test('[7.43] a slow answer never times out, and counts', async ({ page }) => {
  await page.clock.install();
  // `AbortSignal.timeout` would not follow the test's clock.
  await page.addInitScript(() => {
    AbortSignal.timeout = (ms) => {
      const abortController = new AbortController();
      setTimeout(() => abortController.abort(), ms);
      return abortController.signal;
    };
  });
  let release = () => {};
  const releasePromise = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(forgotPasswordUrl, async (route) => {
    await releasePromise;
    await route.continue();
  });
  const failedUrls: string[] = [];
  page.on('requestfailed', (request) => failedUrls.push(request.url()));
  const requestPromise = page.waitForRequest(forgotPasswordUrl);
  await askForMail(page);
  await requestPromise;
  await page.clock.runFor('30:00');
  await expect(page.getByRole('button', { name: 'Send the email' })).toBeDisabled();
  await expect(page.getByRole('alert')).toHaveCount(0);
  release();
  await expect(sentMessage(page)).toBeVisible();
  expect(failedUrls).toEqual([]);
});

test('[7.42] all screens share the profile and the devices: a change on one screen shows on the others', async ({ browser }) => {
  const kim = await registeredPerson(world, 'Kim Example');
  const page = await pageOf(browser, world, kim);
  const madeRequests = calls(page);
  const go = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: /^Good .*, Kim$/ })).toBeVisible();
  await go('Profile');
  await page.getByLabel('Name').fill('Kimberly Example');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Your profile has been updated.')).toBeVisible();
  // From now on every call fails, so the screens show cached data.
  await page.route('**/api/web/{profile,devices}', (route) => route.abort());
  await go('Dashboard');
  await expect(page.getByRole('heading', { name: /^Good .*, Kimberly$/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your devices (0 of 5)' })).toBeVisible();
  const requestedPaths = madeRequests.map((request) => `${request.method()} ${new URL(request.url()).pathname}`);
  for (const path of ['GET /api/web/profile', 'PATCH /api/web/profile', 'GET /api/web/devices']) expect(requestedPaths).toContain(path);
  await page.context().close();
});
