// Its own server: it calls services of the test.
import { expect, type Page } from '@playwright/test';
import { answer, type IntegrationsWorld, startIntegrationsWorld } from './lib/integrations/integrations-world.ts';
import { registeredPerson } from './lib/people.ts';
import { addDevice, linkIn, logIn, mailTo, password, termsBox } from './lib/screens.ts';
import { test } from './lib/test.ts';

let integrations: IntegrationsWorld;
test.beforeAll(async () => {
  integrations = await startIntegrationsWorld();
});
test.afterAll(() => integrations?.close());
test.beforeEach(() => {
  integrations.collector.asked.length = 0;
});

const urlOf = (path: string) => `${integrations.world.dashboardUrl}${path}`;
const collectedEvents = () => integrations.collector.events();
const counted = () => collectedEvents().map(({ url }) => url.replace(integrations.world.dashboardUrl, ''));

async function agree(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('porchlight_consent', JSON.stringify({ chat: true, errors: true, analytics: true })));
}

test('[7.39] a page with a secret and a name in its address is counted by its route, and only the campaign’s query parameters are sent', async ({
  page,
}) => {
  await agree(page);
  await page.goto(urlOf('/reset-password/SECRET-1?utm_source=x&email=ann%40example.org&code=SECRET-2#SECRET-3'));
  await expect.poll(collectedEvents).toHaveLength(1);
  const { method, path, query, body, type } = integrations.collector.asked[0] ?? {};
  expect({ method, path, query: String(query), type }).toEqual({ method: 'POST', path: '/api/event', query: '', type: 'text/plain' });
  expect(JSON.parse(body ?? '')).toEqual({
    name: 'pageview',
    domain: 'www.example.org',
    url: urlOf('/reset-password/:resetToken?utm_source=x'),
  });
});

test('[7.39] the referrer is reported by its host alone, and our own pages are not reported as referrers', async ({ page }) => {
  await agree(page);
  await page.goto(urlOf('/register/SPRING?ref=club&source=mail&utm_medium=m&utm_campaign=c&utm_term=t&utm_content=k&gclid=SECRET'), {
    referer: 'https://search.example/find?q=SECRET',
  });
  await expect.poll(collectedEvents).toEqual([
    {
      name: 'pageview',
      domain: 'www.example.org',
      url: urlOf('/register/:promo?ref=club&source=mail&utm_medium=m&utm_campaign=c&utm_term=t&utm_content=k'),
      referrer: 'https://search.example',
    },
  ]);
  await page.goto(urlOf('/login'), { referer: urlOf('/share/SECRET') });
  await expect.poll(collectedEvents).toHaveLength(2);
  expect(collectedEvents()[1]).toEqual({ name: 'pageview', domain: 'www.example.org', url: urlOf('/login') });
});

test('[7.39] each opened page is counted once, in order, and a page that the guard redirects from is not', async ({ page }) => {
  const ann = await registeredPerson(integrations.world);
  await agree(page);
  // A page is counted a moment after it opens.
  const expectPageCount = (count: number) => expect.poll(counted).toHaveLength(count);
  await page.goto(urlOf('/'));
  await expectPageCount(1);
  await logIn(page, ann);
  await expectPageCount(2);
  await addDevice(page, 'Another device', 'Mum’s laptop');
  await expectPageCount(3);
  await page.getByRole('link', { name: 'Continue to dashboard' }).click();
  await expectPageCount(4);
  await page
    .getByRole('link', { name: /^Manage/ })
    .first()
    .click();
  await expect(page.getByRole('link', { name: 'Alert History' })).toBeVisible();
  await expectPageCount(5);
  await page.getByRole('link', { name: 'Alert History' }).click();
  await expectPageCount(6);
  await page.goBack();
  await expect(page.getByLabel('Device name')).toBeVisible();
  await expectPageCount(7);
  // A guest page while logged in: the guard redirects at once.
  await page.evaluate(() => {
    window.history.pushState({}, '', '/dashboard/login');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  await expectPageCount(8);
  await page.goto(urlOf('/nowhere/SECRET'));
  const expected = [
    '/login',
    '/',
    '/add-device',
    '/',
    '/devices/:deviceId',
    '/devices/:deviceId/detections',
    '/devices/:deviceId',
    '/',
    '/*',
  ];
  await expect.poll(counted).toEqual(expected);
  expect(new Set(collectedEvents().map(({ name }) => name))).toEqual(new Set(['pageview']));
});

test('[4.5] registering calls register and login, stores the token, sends the event, and then opens the dashboard', async ({ page }) => {
  await agree(page);
  await page.goto(urlOf('/register'));
  await expect.poll(counted).toEqual(['/register']);
  const order: string[] = [];
  let tokenAtEvent: unknown = null;
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/(register|login\/web|event|web\/profile)$/.test(pathname) && request.resourceType() === 'fetch') {
      order.push(pathname === '/api/event' ? JSON.parse(request.postData() ?? '').name : pathname.replace('/api', ''));
    }
  });
  await page.exposeFunction('keepToken', (token: unknown) => {
    tokenAtEvent = token;
  });
  // Records, when the event is sent, whether the token is stored and the form still open.
  await page.evaluate(() => {
    const send = window.fetch;
    window.fetch = (url, options) => {
      if (String(options?.body).includes('"Register"')) {
        void (window as unknown as { keepToken(state: unknown): Promise<void> }).keepToken([
          localStorage.getItem('porchlight_token')?.length,
          window.location.pathname,
        ]);
      }
      return send(url, options);
    };
  });
  await page.getByLabel('Name').fill('New Example');
  await page.getByLabel('Email').fill('new@example.org');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password', { exact: true }).fill(password);
  await termsBox(page).check();
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
  await page.goto(linkIn(await mailTo(integrations.world, 'new@example.org', /confirm/i)));
  await page.getByRole('button', { name: 'Confirm my email address' }).click();
  await expect(page.getByRole('heading', { name: 'Choose your plan' })).toBeVisible();
  // Playwright may report the first page view late, after the server has counted it.
  const withoutPageViews = () => order.filter((one) => one !== 'pageview').slice(0, 4);
  await expect.poll(withoutPageViews).toEqual(['/register', '/login/web', 'Register', '/web/profile']);
  expect(tokenAtEvent).toEqual([43, '/dashboard/register']);
  const events = collectedEvents().filter(({ name }) => name !== 'pageview');
  expect(events).toEqual([{ name: 'Register', domain: 'www.example.org', url: urlOf('/register') }]);
});

test('an unreachable collector causes no error on the page', async ({ page }) => {
  const errorMessages: string[] = [];
  page.on('pageerror', ({ message }) => errorMessages.push(message));
  await page.route(`${integrations.collector.url}/**`, (route) => route.abort());
  await page.goto(urlOf('/login'));
  const requestPromise = page.waitForRequest(`${integrations.collector.url}/api/event`);
  await answer(page, true);
  await requestPromise;
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('button', { name: 'Send the email' })).toBeVisible();
  expect(errorMessages).toEqual([]);
});
