import type { PushSubscriptionBody } from '@porchlight/contract/push.ts';
import { config } from '../lib/config.ts';
import { endPushHere } from './push-end.ts';
import { isOnHomeScreen } from './push-offer.ts';
import { type PushRecipient, recordOf, storeRecord } from './push-record.ts';

/** Web Push in this browser (P11.6, https://www.w3.org/TR/push-api/). */

/**
 * `unsupported`: nothing can be done in this browser. `home_screen`: an iPhone or iPad, where only a page on the home screen may notify.
 * `denied`: only the browser's own settings can allow it again.
 */
export type PushState = 'unsupported' | 'home_screen' | 'denied' | 'off' | 'on';

const DAY_MS = 24 * 3_600_000;

export function pushState(recipient: PushRecipient): PushState {
  if (!config.push) return 'unsupported';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return isApple() && !isOnHomeScreen() ? 'home_screen' : 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return recordOf(recipient) && Notification.permission === 'granted' ? 'on' : 'off';
}

/** An iPad claims to be a Mac, which has no touch screen. */
function isApple(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}

/** Asks for the permission, which browsers allow only when something was pressed. `off`: the question was closed without an answer. */
export async function turnPushOn(recipient: PushRecipient): Promise<PushState> {
  const permission = await Notification.requestPermission();
  if (permission === 'granted') await sendSubscription(recipient);
  reportChange();
  return pushState(recipient);
}

export async function turnPushOff(recipient: PushRecipient): Promise<void> {
  const record = recordOf(recipient);
  if (record) await recipient.end(record.endpoint);
  await endPushHere(recipient);
  reportChange();
}

const change = 'porchlight:push';
const reportChange = () => window.dispatchEvent(new Event(change));

/** Also reports changes in other tabs. Returns the function that stops it. */
export function onPushChange(notify: () => void): () => void {
  for (const event of [change, 'storage']) window.addEventListener(event, notify);
  return () => {
    for (const event of [change, 'storage']) window.removeEventListener(event, notify);
  };
}

/** Sends the subscription again, once a day at most: browsers replace endpoints, and the server may have another key. */
export async function renewPush(recipient: PushRecipient): Promise<void> {
  const record = recordOf(recipient);
  if (!record || Date.now() - record.sent < DAY_MS) return;
  // Without the permission the push service has ended the subscription.
  if (pushState(recipient) === 'on') await sendSubscription(recipient);
  else await endPushHere(recipient);
}

async function sendSubscription(recipient: PushRecipient): Promise<void> {
  const before = recordOf(recipient)?.endpoint;
  const subscription = await subscriptionOf(recipient);
  await recipient.start(subscription);
  storeRecord(recipient, subscription.endpoint);
  // The push service has ended the earlier endpoint; that the server learns it now only saves it a message.
  if (before && before !== subscription.endpoint) await recipient.end(before).catch(() => {});
}

/** The browser's subscription for the server's key and this recipient, a new one if there is none. */
async function subscriptionOf(recipient: PushRecipient): Promise<PushSubscriptionBody> {
  if (!config.push) throw new Error('The server has no Web Push');
  const { public_key, simulator } = config.push;
  const { pushManager } = await runningWorker(recipient.scope);
  if (simulator) return simulatedSubscription(simulator);
  const found = await pushManager.getSubscription();
  if (found && recordOf(recipient) && keyOf(found) === public_key) return bodyOf(found);
  await found?.unsubscribe();
  return bodyOf(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key }));
}

/** A worker can have a subscription once it is active. */
async function runningWorker(scope: string): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register('/dashboard/service-worker.js', { scope, updateViaCache: 'none' });
  const worker = registration.installing ?? registration.waiting;
  if (registration.active || !worker) return registration;
  return new Promise((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve(registration);
      if (worker.state === 'redundant') reject(new Error('The service worker could not be started'));
    });
  });
}

/** The local simulator of a push service gives out subscriptions instead of the browser. */
async function simulatedSubscription(url: string): Promise<PushSubscriptionBody> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  if (!answer.ok) throw new Error(`The push simulator answered ${answer.status}`);
  return (await answer.json()) as PushSubscriptionBody;
}

function bodyOf(subscription: PushSubscription): PushSubscriptionBody {
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {};
  return { endpoint: subscription.endpoint, keys: { p256dh, auth } };
}

/** In base64url without padding, as the server has it. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer());
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
