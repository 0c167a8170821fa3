import { createHash } from 'node:crypto';
import { encryptNotification, vapidHeaders } from '@block65/webcrypto-web-push';
import type { PushMessage } from '@porchlight/contract/push.ts';
import { PushFailed, PushGone, PushRefused, type PushSender } from './push.ts';
import { pushServiceOf } from './services.ts';

export interface WebPushSettings {
  /** VAPID key pair (RFC 8292): an uncompressed point of P-256, and its private number, in base64url. */
  keys: { public_key: string; private_key: string };
  /** Whom push services can ask about our messages: `mailto:`. */
  subject: string;
  /** Hosts, or `*.` with a domain. */
  services: readonly string[];
  /** Endpoints of this origin are reached at another address, which no service has. */
  simulator: { origin: string; address: string } | null;
}

/** Messages are padded to a multiple of it, so that their length says nothing; 4096 bytes would be too many for Firefox on Android. */
const paddedTo = 1024;
const retryAfterMax = 3_600_000;
/** Timeouts, rate limits, and tokens that are refused for our clock or our key: none of them is the browser's fault. */
const retryableStatuses = [401, 403, 408, 425, 429];

/** Sends to browsers by their push services: RFC 8030, encrypted by RFC 8291. `timeout`: in milliseconds, for one message. */
export function webPush({ keys, subject, services, simulator }: WebPushSettings, timeout = 10_000): PushSender {
  const knownServices = simulator ? [...services, new URL(simulator.origin).hostname] : services;
  const serviceOf = (endpoint: string) => pushServiceOf(endpoint, knownServices);
  const addressOf = (endpoint: string) => {
    const url = new URL(endpoint);
    return simulator && url.origin === simulator.origin ? new URL(url.pathname, simulator.address) : url;
  };
  const vapid = { subject, publicKey: keys.public_key, privateKey: keys.private_key };
  const closeController = new AbortController();
  return {
    public_key: keys.public_key,
    serviceOf,
    async send({ subscription, message, ttl, urgency }) {
      if (serviceOf(subscription.endpoint) === null) throw new PushRefused('the push service is not known');
      const recipient = { ...subscription, expirationTime: null };
      const [body, { headers }] = await Promise.all([
        encryptNotification(recipient, padded(message), { pad: false }).catch(() => {
          throw new PushRefused('the keys of the subscription are not valid');
        }),
        vapidHeaders(recipient, vapid),
      ]);
      const answer = await fetch(addressOf(subscription.endpoint), {
        method: 'POST',
        headers: {
          ...headers,
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(Math.ceil(ttl / 1000)),
          urgency,
          topic: topicOf(message.tag),
        },
        body,
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(timeout), closeController.signal]),
      }).catch((err: unknown) => {
        throw new PushFailed(reasonOf(err));
      });
      await answer.body?.cancel().catch(() => {});
      const error = errorOf(answer);
      if (error) throw error;
    },
    close: async () => closeController.abort(),
  };
}

function errorOf({ status, headers }: Response): Error | null {
  if (status >= 200 && status < 300) return null;
  if (status === 404 || status === 410) return new PushGone(`the subscription has ended (${status})`);
  if (status >= 400 && status < 500 && !retryableStatuses.includes(status)) return new PushRefused(`the message was refused (${status})`);
  return new PushFailed(status, retryAfter(headers.get('retry-after')));
}

/** In milliseconds. Seconds or a date (RFC 9110); 0 for neither. */
function retryAfter(header: string | null): number {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? Math.min(ms, retryAfterMax) : 0;
}

function padded(message: PushMessage): Buffer {
  const json = Buffer.from(JSON.stringify(message));
  // JSON may end with spaces.
  return Buffer.concat([json, Buffer.alloc(-json.length & (paddedTo - 1), ' ')]);
}

/** The push service delivers the newest of the messages with a topic that wait for a browser (RFC 8030): 32 characters at most. */
const topicOf = (tag: string) => createHash('sha256').update(tag).digest('base64url').slice(0, 32);

function reasonOf(err: unknown): string {
  const { name, cause } = err as { name: string; cause?: { code?: string } };
  return cause?.code ?? name;
}
