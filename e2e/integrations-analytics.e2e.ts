import { expect, type Page } from '@playwright/test';
import { registeredPerson } from '@porchlight/dev/people.ts';
import { answer, type IntegrationsWorld, startIntegrationsWorld } from './lib/integrations/integrations-world.ts';
import { addDevice, linkIn, logIn, mailTo, password, termsBox } from './lib/screens.ts';
import { test } from './lib/test.ts';

/** What whoever counts pages is told: which page, by its route, and nothing about who. */

let outside: IntegrationsWorld;
test.beforeAll(async () => {
  outside = await startIntegrationsWorld();
});
test.afterAll(() => outside?.close());
test.beforeEach(() => {
  outside.collector.asked.length = 0;
});

const at = (path: string) => `${outside.world.dashboardUrl}${path}`;
const told = () => outside.collector.events();
/** The counted page addresses, below /dashboard. */
const counted = () => told().map(({ url }) => url.replace(outside.world.dashboardUrl, ''));

async function agree(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('porchlight_consent', JSON.stringify({ chat: true, errors: true, analytics: true })));
}

test('[7.39] of a page with a secret and a person in its address the route is told, and of the query the campaign alone', async ({
  page,
}) => {
  await agree(page);
  await page.goto(at('/reset-password/SECRET-1?utm_source=x&email=ann%40example.org&code=SECRET-2#SECRET-3'));
  await expect.poll(told).toHaveLength(1);
  const { method, path, query, body, type } = outside.collector.asked[0] ?? {};
  expect({ method, path, query: String(query), type }).toEqual({ method: 'POST', path: '/api/event', query: '', type: 'text/plain' });
  expect(JSON.parse(body ?? '')).toEqual({
    name: 'pageview',
    domain: 'www.example.org',
    url: at('/reset-password/:resetToken?utm_source=x'),
  });
});

test('[7.39] the page that led here is told by its host alone, and our own pages not at all', async ({ page }) => {
  await agree(page);
  await page.goto(at('/register/SPRING?ref=club&source=mail&utm_medium=m&utm_campaign=c&utm_term=t&utm_content=k&gclid=SECRET'), {
    referer: 'https://search.example/find?q=SECRET',
  });
  await expect.poll(told).toEqual([
    {
      name: 'pageview',
      domain: 'www.example.org',
      url: at('/register/:promo?ref=club&source=mail&utm_medium=m&utm_campaign=c&utm_term=t&utm_content=k'),
      referrer: 'https://search.example',
    },
  ]);
  await page.goto(at('/login'), { referer: at('/share/SECRET') });
  await expect.poll(told).toHaveLength(2);
  expect(told()[1]).toEqual({ name: 'pageview', domain: 'www.example.org', url: at('/login') });
});

test('[7.39] each page that is opened is counted once, in order, and one that the guard leads away from is not', async ({ page }) => {
  const ann = await registeredPerson(outside.world);
  await agree(page);
  // A page that is left before what counts is there is not counted: quicker than any person.
  const pages = (count: number) => expect.poll(counted).toHaveLength(count);
  await page.goto(at('/'));
  await pages(1);
  await logIn(page, ann);
  await pages(2);
  await addDevice(page, 'Another device', 'Mum’s laptop');
  await pages(3);
  await page.getByRole('link', { name: 'Continue to dashboard' }).click();
  await pages(4);
  await page
    .getByRole('link', { name: /^Manage/ })
    .first()
    .click();
  await expect(page.getByRole('link', { name: 'Alert History' })).toBeVisible();
  await pages(5);
  await page.getByRole('link', { name: 'Alert History' }).click();
  await pages(6);
  await page.goBack();
  await expect(page.getByLabel('Device name')).toBeVisible();
  await pages(7);
  // A guest page while logged in: the guard redirects at once.
  await page.evaluate(() => {
    window.history.pushState({}, '', '/dashboard/login');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  await pages(8);
  await page.goto(at('/nowhere/SECRET'));
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
  expect(new Set(told().map(({ name }) => name))).toEqual(new Set(['pageview']));
});

test('[4.5] registering is register, login, the token, the event, and then the dashboard', async ({ page }) => {
  await agree(page);
  await page.goto(at('/register'));
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
  // The moment the event leaves: is the token stored, and are we still on the form?
  await page.evaluate(() => {
    const send = window.fetch;
    window.fetch = (url, options) => {
      if (String(options?.body).includes('"Register"')) {
        void (window as unknown as { keepToken(what: unknown): Promise<void> }).keepToken([
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
  await page.goto(linkIn(await mailTo(outside.world, 'new@example.org', /confirm/i)));
  await page.getByRole('button', { name: 'Confirm my email address' }).click();
  await expect(page.getByRole('heading', { name: 'Choose your plan' })).toBeVisible();
  expect(order.slice(0, 4)).toEqual(['/register', '/login/web', 'Register', '/web/profile']);
  expect(tokenAtEvent).toEqual([43, '/dashboard/register']);
  const events = told().filter(({ name }) => name !== 'pageview');
  expect(events).toEqual([{ name: 'Register', domain: 'www.example.org', url: at('/register') }]);
});

test('a collector that is away is no one’s trouble', async ({ page }) => {
  const said: string[] = [];
  page.on('pageerror', ({ message }) => said.push(message));
  await page.route(`${outside.collector.url}/**`, (route) => route.abort());
  await page.goto(at('/login'));
  const tried = page.waitForRequest(`${outside.collector.url}/api/event`);
  await answer(page, true);
  await tried;
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('button', { name: 'Send the email' })).toBeVisible();
  expect(said).toEqual([]);
});
