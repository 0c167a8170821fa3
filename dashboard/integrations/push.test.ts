import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PushRecipient, recordOf } from './push-record.ts';

// The browser, which asks a push service on the internet, is the outside here. Keys of one byte are enough.
const oldKey = 'AQ';
const newKey = 'Ag';
const now = new Date('2026-11-21T14:05:00Z');

const browser = {
  subscription: null as null | { endpoint: string; key: number },
  made: 0,
  ended: [] as string[],
};

function subscriptionOf({ endpoint, key }: { endpoint: string; key: number }) {
  return {
    endpoint,
    options: { applicationServerKey: new Uint8Array([key]).buffer },
    toJSON: () => ({ keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => {
      browser.ended.push(endpoint);
      browser.subscription = null;
    },
  };
}

const pushManager = {
  getSubscription: async () => browser.subscription && subscriptionOf(browser.subscription),
  subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
    browser.made += 1;
    browser.subscription = { endpoint: `https://push.example/${browser.made}`, key: applicationServerKey === newKey ? 2 : 1 };
    return subscriptionOf(browser.subscription);
  },
};

const server: { started: string[]; ended: string[] } = { started: [], ended: [] };
const recipient = (owner = 'ann@example.org'): PushRecipient => ({
  scope: '/dashboard/',
  owner,
  start: async ({ endpoint }) => server.started.push(endpoint),
  end: async (endpoint) => server.ended.push(endpoint),
});

/** The page is loaded again, from a server with this key. */
async function load(public_key: string, permission = 'granted') {
  vi.resetModules();
  const stored = new Map<string, string>(Object.entries(storage));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => (storage[key] = value) && stored.set(key, value),
    removeItem: (key: string) => delete storage[key] && stored.delete(key),
  });
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify({ push: { public_key, simulator: null } }) }) });
  vi.stubGlobal('Notification', { permission, requestPermission: async () => permission });
  const registration = { active: {}, pushManager };
  vi.stubGlobal('navigator', { serviceWorker: { register: async () => registration, getRegistration: async () => undefined } });
  vi.stubGlobal('window', Object.assign(new EventTarget(), { PushManager: {}, Notification: {}, navigator }));
  return import('./push.ts');
}
let storage: Record<string, string> = {};

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  storage = {};
  Object.assign(browser, { subscription: null, made: 0, ended: [] });
  Object.assign(server, { started: [], ended: [] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const dayLater = () => vi.setSystemTime(now.getTime() + 25 * 3_600_000);

test('the same subscription is sent again a day later', async () => {
  await (await load(oldKey)).turnPushOn(recipient());
  dayLater();
  await (await load(oldKey)).renewPush(recipient());
  expect(server).toEqual({ started: ['https://push.example/1', 'https://push.example/1'], ended: [] });
  expect(browser.ended).toEqual([]);
});

test('a server with another key gets a new subscription, and the earlier one ends in the browser and on the server', async () => {
  await (await load(oldKey)).turnPushOn(recipient());
  dayLater();
  await (await load(newKey)).renewPush(recipient());
  expect(server).toEqual({ started: ['https://push.example/1', 'https://push.example/2'], ended: ['https://push.example/1'] });
  expect(browser.ended).toEqual(['https://push.example/1']);
});

test('an endpoint that the browser has replaced is sent a day later', async () => {
  await (await load(oldKey)).turnPushOn(recipient());
  browser.subscription = { endpoint: 'https://push.example/replaced', key: 1 };
  dayLater();
  await (await load(oldKey)).renewPush(recipient());
  expect(server).toEqual({ started: ['https://push.example/1', 'https://push.example/replaced'], ended: ['https://push.example/1'] });
});

test('someone else who logs in to the same browser has alerts off, and gets an endpoint of their own', async () => {
  const page = await load(oldKey);
  await page.turnPushOn(recipient());
  expect([page.pushState(recipient()), page.pushState(recipient('bea@example.org'))]).toEqual(['on', 'off']);
  await page.turnPushOn(recipient('bea@example.org'));
  expect(server.started).toEqual(['https://push.example/1', 'https://push.example/2']);
  expect(browser.ended).toEqual(['https://push.example/1']);
  expect(recordOf(recipient())).toBeNull();
});

test('without the permission nothing is sent, and what was on ends here', async () => {
  await (await load(oldKey)).turnPushOn(recipient());
  dayLater();
  const page = await load(oldKey, 'denied');
  await page.renewPush(recipient());
  expect(page.pushState(recipient())).toBe('denied');
  expect(recordOf(recipient())).toBeNull();
  expect(server.started).toHaveLength(1);
});
