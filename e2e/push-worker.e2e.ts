import { expect, type Page, type Worker } from '@playwright/test';
import { browserFlags, findFullBrowser } from '@porchlight/dev/browser.ts';
import type { World } from '@porchlight/dev/world.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/**
 * The real service worker in a real browser: DevTools deliver the message that a push service would. These tests are skipped where there is only
 * a headless shell, which shows no notifications.
 */
const executablePath = findFullBrowser();
test.use({ launchOptions: { ...(executablePath ? { executablePath } : {}), args: browserFlags } });

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

interface PushPage {
  page: Page;
  worker: Worker;
  deliver(message: string): Promise<void>;
  shown(): Promise<{ title: string; body: string; tag: string; requireInteraction: boolean }[]>;
}

const scope = '/dashboard/guardian/11111111-1111-4111-8111-111111111111';

async function openPushPage(page: Page): Promise<PushPage> {
  await page.context().grantPermissions(['notifications'], { origin: world.url });
  await page.goto(`${world.url}${scope}`);
  test.skip((await page.evaluate(() => Notification.permission)) !== 'granted', 'This Chromium shows no notifications.');
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('ServiceWorker.enable');
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const registration = registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${world.url}${scope}` && !isDeleted);
      if (registration) resolve(registration.registrationId);
    });
  });
  const started = page.context().waitForEvent('serviceworker');
  await page.evaluate(async (ofGuardian) => {
    await navigator.serviceWorker.register('/dashboard/service-worker.js', { scope: ofGuardian });
    const { active } = await navigator.serviceWorker.ready;
    while (active?.state !== 'activated') await new Promise((resolve) => active?.addEventListener('statechange', resolve, { once: true }));
  }, scope);
  const registrationId = await registered;
  const worker = await started;
  return {
    page,
    worker,
    async deliver(data) {
      await noteShown(worker);
      await cdp.send('ServiceWorker.deliverPushMessage', { origin: world.url, registrationId, data });
      await worker.evaluate(() => (self as unknown as Noting).shown);
    },
    shown: () =>
      page.evaluate(async (ofGuardian) => {
        const registration = await navigator.serviceWorker.getRegistration(ofGuardian);
        const notifications = (await registration?.getNotifications()) ?? [];
        return notifications.map(({ title, body, tag, requireInteraction }) => ({ title, body, tag, requireInteraction }));
      }, scope),
  };
}

interface Noting {
  registration: { showNotification(...shown: unknown[]): Promise<void> };
  /** Resolves when the next notification is shown. */
  shown: Promise<void>;
}

/** A question for the notifications while one is being shown may make Chromium forget it: it drops what it has stored and not shown yet. */
const noteShown = (worker: Worker): Promise<void> =>
  worker.evaluate(() => {
    const scope = self as unknown as Noting;
    const { registration } = scope;
    const { showNotification } = Object.getPrototypeOf(registration) as Noting['registration'];
    scope.shown = new Promise((resolve, reject) => {
      registration.showNotification = (...shown) => {
        const showing = showNotification.apply(registration, shown);
        showing.then(resolve, reject);
        return showing;
      };
    });
  });

/** Presses the notification that is shown. Only a person may open windows from it, so this returns what the worker does instead. */
function press({ worker }: PushPage): Promise<{ focused: string[]; opened: string[]; left: number }> {
  return worker.evaluate(async () => {
    interface Client {
      url: string;
    }
    const scope = self as unknown as {
      registration: ServiceWorkerRegistration;
      clients: { openWindow(url: string): Promise<void> };
      WindowClient: { prototype: { focus(): Promise<void> } };
      NotificationEvent: new (type: string, init: { notification: Notification | undefined }) => Event;
    };
    const [focused, opened]: string[][] = [[], []];
    scope.clients.openWindow = async (url) => void opened?.push(url);
    scope.WindowClient.prototype.focus = async function (this: Client) {
      focused?.push(this.url);
    };
    const [notification] = await scope.registration.getNotifications();
    const event = new scope.NotificationEvent('notificationclick', { notification });
    let work: Promise<unknown> = Promise.resolve();
    Object.assign(event, { waitUntil: (promise: Promise<unknown>) => (work = promise) });
    self.dispatchEvent(event);
    await work;
    return { focused: focused ?? [], opened: opened ?? [], left: (await scope.registration.getNotifications()).length };
  });
}

test('[P11.6] a push message is shown with its title and text; one with the same tag replaces it, one with another tag does not', async ({
  page,
}) => {
  const pushPage = await openPushPage(page);
  const alert = { title: 'We stopped AnyDesk', body: 'On Den PC. Call Ann.', tag: 'incident-1' };
  const deliver = (message: object) => pushPage.deliver(JSON.stringify({ ...message, url: `${world.url}${scope}` }));
  await deliver(alert);
  await expect.poll(pushPage.shown).toEqual([{ ...alert, requireInteraction: true }]);
  const second = { ...alert, body: 'Nobody has answered yet.' };
  await deliver(second);
  await expect.poll(pushPage.shown).toEqual([{ ...second, requireInteraction: true }]);
  await deliver({ ...alert, tag: 'incident-2' });
  await expect.poll(async () => (await pushPage.shown()).map(({ tag }) => tag).sort()).toEqual(['incident-1', 'incident-2']);
});

test('a notification opens its page, focuses a window that has it open, and disappears', async ({ page }) => {
  const pushPage = await openPushPage(page);
  for (const [url, result] of [
    [`${world.url}${scope}?incident=1`, { opened: [`${world.url}${scope}?incident=1`], focused: [], left: 0 }],
    [`${world.url}${scope}`, { opened: [], focused: [`${world.url}${scope}`], left: 0 }],
  ] as const) {
    await pushPage.deliver(JSON.stringify({ title: 'We stopped AnyDesk', body: '', url, tag: 'a' }));
    await expect.poll(async () => (await pushPage.shown()).length).toBe(1);
    expect(await press(pushPage)).toEqual(result);
  }
});

for (const [what, url] of [
  ['of another site', 'https://scam.example/dashboard/'],
  ['that looks like ours', 'http://localhost@scam.example/dashboard/'],
  ['that is a script', 'javascript:alert(1)'],
  ['that is missing', undefined],
] as const) {
  test(`a notification with an address ${what} opens the start page`, async ({ page }) => {
    const pushPage = await openPushPage(page);
    await page.goto(`${world.dashboardUrl}/help-now`);
    await pushPage.deliver(JSON.stringify({ title: 'We stopped AnyDesk', body: 'On Den PC.', url, tag: 'a' }));
    await expect.poll(async () => (await pushPage.shown()).length).toBe(1);
    expect(await press(pushPage)).toEqual({ opened: [`${world.url}${scope}`], focused: [], left: 0 });
  });
}

for (const message of ['', 'no json', 'null', '{"title":1,"body":"x"}']) {
  test(`a push message that is ${message || 'empty'} is shown in general words`, async ({ page }) => {
    const pushPage = await openPushPage(page);
    await pushPage.deliver(message);
    const general = { title: 'Porchlight', body: 'Open Porchlight to see what happened.', tag: '', requireInteraction: true };
    await expect.poll(pushPage.shown).toEqual([general]);
  });
}

test('the service worker answers no request, and stores no page', async ({ page }) => {
  const { worker } = await openPushPage(page);
  await page.reload();
  expect(await page.evaluate(async () => (await caches.keys()).length)).toBe(0);
  const answer = await page.request.get(`${world.dashboardUrl}/service-worker.js`);
  expect(answer.headers()).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/javascript; charset=utf-8' });
  expect(await answer.text()).not.toMatch(/fetch|caches|import/);
  expect(worker.url()).toBe(`${world.dashboardUrl}/service-worker.js`);
});
