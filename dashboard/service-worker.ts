import { brand } from '@porchlight/contract/brand.ts';
import type { PushMessage } from '@porchlight/contract/push.ts';

const messages = {
  /** Browsers require a notification for each push, even for an unreadable message. */
  unreadable: { title: brand.name, body: `Open ${brand.name} to see what happened.` },
} as const;

/**
 * Shows Web Push messages (P11.6). It neither caches nor answers any request: a stored page would say that everyone is safe when nobody is.
 */

/** What TypeScript declares only for workers, whose library does not go together with that of pages. */
interface Worker {
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<{ url: string; focus(): Promise<unknown> }[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install', listener: (event: Extendable) => void): void;
  addEventListener(type: 'push', listener: (event: Extendable & { data: { text(): string } | null }) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: Extendable & { notification: Notification }) => void): void;
}
interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}
/** `renotify` makes a message that replaces another one sound again; not every browser has it. */
type Options = NotificationOptions & { renotify: boolean };

const worker = self as unknown as Worker;

// A newer worker replaces an older one at once: there is no cache that pages depend on.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('push', (event) => event.waitUntil(show(messageIn(event.data?.text() ?? ''))));
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { url } = (event.notification.data ?? {}) as { url?: unknown };
  event.waitUntil(open(ownUrl(url)));
});

function messageIn(text: string): PushMessage {
  const { title, body, url, tag } = parse(text);
  const isMessage = typeof title === 'string' && typeof body === 'string' && title !== '';
  return {
    ...(isMessage ? { title, body } : messages.unreadable),
    url: typeof url === 'string' ? url : '',
    tag: typeof tag === 'string' ? tag : '',
  };
}

function parse(text: string): Partial<Record<keyof PushMessage, unknown>> {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    return {};
  }
}

function show({ title, body, url, tag }: PushMessage): Promise<void> {
  const options: Options = {
    body,
    tag,
    // Browsers refuse to repeat the sound of what has no tag.
    renotify: tag !== '',
    // An alert waits until somebody has seen it.
    requireInteraction: true,
    icon: '/dashboard/icon-192.png',
    badge: '/dashboard/badge-96.png',
    data: { url },
  };
  return worker.registration.showNotification(title, options);
}

/** The address if it is one of our pages, else the start page of this worker: the dashboard, or the guardian's own page. */
function ownUrl(url: unknown): string {
  const { scope } = worker.registration;
  const target = typeof url === 'string' && url !== '' ? URL.parse(url, scope) : null;
  return target?.origin === new URL(scope).origin ? target.href : scope;
}

async function open(url: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const openWindow = windows.find((window) => window.url === url);
  await (openWindow ? openWindow.focus() : worker.clients.openWindow(url));
}
