import { createECDH, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentInMemory } from '../testing/stored.ts';
import { decryptPush } from './decrypt.ts';
import { browserKeys } from './keys.ts';
import { newPushState, openPushSimulator, type PushSimulator } from './push.ts';
import { vapidError } from './vapid.ts';

/** RFC 8291, appendix A. */
const example = {
  receiver_private: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

test('[P11.6] the example of RFC 8291 is decrypted to its plaintext, and a changed byte is noticed', () => {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(example.receiver_private, 'base64url'));
  const keys = { pair, auth: Buffer.from(example.auth, 'base64url') };
  const body = Buffer.from(example.body, 'base64url');
  expect(decryptPush(body, keys).toString()).toBe('When I grow up, I want to be a watermelon');
  body[100] = (body[100] ?? 0) ^ 1;
  expect(() => decryptPush(body, keys)).toThrow();
});

const now = new Date('2026-11-21T14:05:00.000Z');
const seconds = now.getTime() / 1000;
const service = 'https://push.example.org';
const goodClaims = { aud: service, exp: seconds + 3600, sub: 'mailto:help@example.org' };

function authorization(claims: object, alg = 'ES256', signer = generateKeyPairSync('ec', { namedCurve: 'P-256' })): string {
  const { x = '', y = '' } = signer.publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encoded({ typ: 'JWT', alg })}.${encoded(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key: signer.privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${text}.${signature.toString('base64url')}, k=${point.toString('base64url')}`;
}

const otherKey = authorization(goodClaims).split('k=')[1] ?? '';

test.each([
  ['is accepted when it is right', authorization(goodClaims), null],
  ['is refused without a token', undefined, 'no vapid authorization'],
  ['is refused as the older draft', 'WebPush abc', 'no vapid authorization'],
  ['is refused by another key', authorization(goodClaims).replace(/k=.*/, `k=${otherKey}`), 'the signature is not by the key'],
  ['is refused for another service', authorization({ ...goodClaims, aud: 'https://other.example' }), 'the audience is another service'],
  ['is refused when it has expired', authorization({ ...goodClaims, exp: seconds }), 'the token is not valid now, or for more than a day'],
  [
    'is refused when it is valid for more than a day',
    authorization({ ...goodClaims, exp: seconds + 86_401 }),
    'the token is not valid now, or for more than a day',
  ],
  ['is refused without anyone to ask', authorization({ ...goodClaims, sub: 'nobody' }), 'a claim is missing'],
  ['is refused with another algorithm', authorization(goodClaims, 'none'), 'a claim is missing'],
])('a vapid token %s', (_what, header, error) => {
  expect(vapidError(header, service, now)).toBe(error);
});

let simulator: PushSimulator;
beforeAll(async () => {
  simulator = await openPushSimulator({ items: { add: async () => {}, list: async () => [] }, state: documentInMemory(newPushState()) });
});
afterAll(() => simulator.close());

const statusOf = async (endpoint: string, headers: Record<string, string>) => {
  const url = endpoint.replace(simulator.origin, simulator.address);
  return (await fetch(url, { method: 'POST', headers, body: 'x'.repeat(100) })).status;
};

test('the push service refuses what a real one refuses: unknown endpoints, no lifetime, another encoding, no token, ended subscriptions', async () => {
  const { endpoint } = await simulator.subscribe('Bob’s phone');
  const encoding = { 'content-encoding': 'aes128gcm' };
  expect(await statusOf(`${simulator.origin}/AAAAAAAAAAAAAAAA/AAAAAAAAAAAAAAAA/x`, {})).toBe(404);
  expect(await statusOf(endpoint, encoding)).toBe(400);
  expect(await statusOf(endpoint, { ttl: '60' })).toBe(400);
  expect(await statusOf(endpoint, { ttl: '60', ...encoding, topic: 'not a topic' })).toBe(400);
  expect(await statusOf(endpoint, { ttl: '60', ...encoding })).toBe(403);
  const token = authorization({ ...goodClaims, aud: simulator.origin, exp: Date.now() / 1000 + 60 });
  // Signed, but encrypted for nobody.
  expect(await statusOf(endpoint, { ttl: '60', ...encoding, authorization: token })).toBe(400);
  await simulator.end(endpoint);
  expect(await statusOf(endpoint, { ttl: '60', ...encoding, authorization: token })).toBe(410);
  expect(await simulator.list()).toEqual([]);
});

test('each subscription has keys of its own, which the same secret finds again and another one does not', () => {
  const [browsers, others] = [browserKeys('one secret'), browserKeys('another secret')];
  const [first, second] = [browsers.subscribe(service, 'A/b?'), browsers.subscribe(service, 'A/b?')];
  expect(first.keys).not.toEqual(second.keys);
  const path = new URL(first.endpoint).pathname;
  const found = browsers.find(path);
  expect([found?.label, found?.keys.pair.getPublicKey('base64url')]).toEqual(['A/b?', first.keys.p256dh]);
  expect(others.find(path)).toBeNull();
});
