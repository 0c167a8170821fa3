import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decryptPush } from '@porchlight/simulators/push/decrypt.ts';
import { vapidError } from '@porchlight/simulators/push/vapid.ts';
import { afterEach, expect, test } from 'vitest';
import { noPush } from '../integrations/push/push.ts';
import { webPush } from '../integrations/push/web-push.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Seen {
  url: string | undefined;
  headers: Record<string, unknown>;
  body: Buffer;
}

async function fakeService(answer: (reply: ServerResponse) => void) {
  const requests: Seen[] = [];
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks) });
    answer(reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const origin = 'https://push.example.org';
const message = { title: 'Call Ann now', body: 'A scammer may be on the phone. 🙂', url: 'https://x.example/a', tag: 'alert:1' };

function browser() {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const auth = randomBytes(16);
  const keys = { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') };
  return { pair, auth, subscription: { endpoint: `${origin}/id/1`, keys } };
}

function senderTo(address: string, timeout?: number) {
  const { x = '', y = '', d = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url');
  const keys = { public_key: point, private_key: d };
  const sender = webPush({ keys, subject: 'mailto:help@example.org', services: [], simulator: { origin, address } }, timeout);
  closers.push(sender.close);
  return sender;
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (reply: ServerResponse) =>
    reply.writeHead(code, headers).end();

test('[P11.6] a message is encrypted for the browser alone, padded, signed for its service, and says how long it is of use', async () => {
  const { address, requests } = await fakeService(status(201));
  const { pair, auth, subscription } = browser();
  await senderTo(address).send({ subscription, message, ttl: 3_599_001, urgency: 'high' });
  const [request] = requests;
  expect(request).toMatchObject({ url: '/id/1', headers: { ttl: '3600', urgency: 'high', 'content-encoding': 'aes128gcm' } });
  expect(String(request?.headers.topic)).toMatch(/^[\w-]{32}$/);
  expect(vapidError(String(request?.headers.authorization), origin, new Date())).toBeNull();
  const decrypted = decryptPush(request?.body ?? Buffer.alloc(0), { pair, auth });
  expect([JSON.parse(decrypted.toString()), decrypted.length]).toEqual([message, 1024]);
  expect(() => decryptPush(request?.body ?? Buffer.alloc(0), browser())).toThrow();
});

async function resultOf(
  address: string,
  { timeout, subscription = browser().subscription }: { timeout?: number; subscription?: object } = {},
) {
  const push = { subscription: subscription as ReturnType<typeof browser>['subscription'], message, ttl: 60_000, urgency: 'high' } as const;
  return senderTo(address, timeout)
    .send(push)
    .then(
      () => 'taken',
      (err: Error & { retry_after?: number }) => [err.constructor.name, err.message, err.retry_after].filter(Boolean).join(': '),
    );
}

test.each([
  ['that there is no such subscription', status(404), 'PushGone: the subscription has ended (404)'],
  ['that it has ended', status(410), 'PushGone: the subscription has ended (410)'],
  ['that it is not right', status(400), 'PushRefused: the message was refused (400)'],
  ['that it is too long', status(413), 'PushRefused: the message was refused (413)'],
  ['that our token is not right', status(403), 'PushFailed: the push service did not take it (403)'],
  ['to come back in a minute', status(429, { 'retry-after': '60' }), 'PushFailed: the push service did not take it (429): 60000'],
  ['to come back in a year', status(429, { 'retry-after': '31536000' }), 'PushFailed: the push service did not take it (429): 3600000'],
  [
    'to come back at a time that has passed',
    status(503, { 'retry-after': 'Sat, 01 Jan 2000 00:00:00 GMT' }),
    'PushFailed: the push service did not take it (503)',
  ],
  ['that something broke', status(500), 'PushFailed: the push service did not take it (500)'],
  ['to go elsewhere', status(307, { location: '/' }), 'PushFailed: the push service did not take it'],
  ['nothing and cuts the line', (reply: ServerResponse) => reply.destroy(), 'PushFailed: the push service did not take it'],
])('the sender reports the right error when a push service answers %s', async (_what, answer, outcome) => {
  const { address, requests } = await fakeService(answer);
  const result = await resultOf(address);
  expect(result.startsWith(outcome)).toBe(true);
  expect(result).not.toContain('/id/1');
  expect(requests.length).toBe(1);
});

test('a message may be retried after a timeout and when the push service cannot be reached', async () => {
  const { address } = await fakeService(() => {});
  expect(await resultOf(address, { timeout: 50 })).toBe('PushFailed: the push service did not take it (TimeoutError)');
  expect(await resultOf('http://127.0.0.1:1')).toMatch(/^PushFailed: the push service did not take it/);
});

test('[P11.6] nothing is sent to an endpoint of an unknown service, or for keys that are none', async () => {
  const { address, requests } = await fakeService(status(201));
  const { subscription } = browser();
  const elsewhere = { ...subscription, endpoint: address.replace('http:', 'https:') };
  expect(await resultOf(address, { subscription: elsewhere })).toBe('PushRefused: the push service is not known');
  const noPoint = { ...subscription, keys: { ...subscription.keys, p256dh: 'B'.repeat(87) } };
  expect(await resultOf(address, { subscription: noPoint })).toBe('PushRefused: the keys of the subscription are not valid');
  expect(requests).toEqual([]);
  await expect(noPush.send({ subscription, message, ttl: 1, urgency: 'high' })).rejects.toThrow('push is switched off');
  expect(noPush.serviceOf('https://fcm.googleapis.com/x')).toBeNull();
});
