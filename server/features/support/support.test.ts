import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodPassword, person, type TestServer, testServer } from '../../testing/world.ts';

const chat = {
  CHAT_BASE_URL: 'https://chat.example.org/',
  CHAT_WEBSITE_TOKEN: 'website-token-1',
  CHAT_IDENTITY_KEY: 'the key that the chat and we share',
};
const others = {
  SENTRY_DSN: 'https://abc123@errors.example.org/7',
  ANALYTICS_URL: 'https://stats.example.org',
  ANALYTICS_DOMAIN: 'www.example.org',
};

let plain: TestServer;
let full: TestServer;
beforeAll(async () => {
  [plain, full] = [await testServer(), await testServer({ ...chat, ...others })];
});
afterAll(async () => {
  await plain.close();
  await full.close();
});

const policyOf = async (server: TestServer) =>
  String((await server.app.http.inject('/healthz')).headers['content-security-policy']).split(';');
const directive = (policy: string[], name: string) => policy.find((part) => part.startsWith(`${name} `));

test('[3.17] [7.33] whoever is logged in gets name, email and the HMAC-SHA256 of the email with the key of the chat', async () => {
  const ann = await person(full, 'Ann Example', 'ann@example.org');
  const hash = createHmac('sha256', chat.CHAT_IDENTITY_KEY).update('ann@example.org').digest('hex');
  expect((await full.call('GET /web/support', { token: ann.token })).body).toEqual({ name: 'Ann Example', email: 'ann@example.org', hash });
});

test('without a chat there is no hash, and before the address is confirmed there is an answer all the same', async () => {
  const body = { name: 'Eve', email: 'eve@example.org', password: goodPassword };
  await plain.call('POST /register', { body });
  const { body: login } = await plain.call('POST /login/web', { body });
  const token = String(login.web_token);
  expect((await plain.call('GET /web/support', { token })).body).toEqual({ name: 'Eve', email: 'eve@example.org', hash: null });
});

test('A12: the chat is not told who somebody is whose address nobody has confirmed', async () => {
  const body = { name: 'Mallory', email: 'victim@example.org', password: goodPassword };
  await full.call('POST /register', { body });
  const { body: login } = await full.call('POST /login/web', { body });
  const { body: told } = await full.call('GET /web/support', { token: String(login.web_token) });
  expect(told).toEqual({ name: 'Mallory', email: 'victim@example.org', hash: null });
});

test('[P7.2] a page may load nothing from elsewhere unless that is configured', async () => {
  const policy = await policyOf(plain);
  expect(policy.join(' ')).not.toContain('https:');
  expect(directive(policy, 'default-src')).toBe("default-src 'self'");
  expect(directive(policy, 'script-src')).toBeUndefined();
  expect(directive(policy, 'frame-src')).toBeUndefined();
  expect(directive(policy, 'connect-src')).toBe("connect-src 'self' http://127.0.0.1:23407");
});

test('[7.41] what is configured is allowed by its exact origin, and only for what it needs', async () => {
  const policy = await policyOf(full);
  expect(directive(policy, 'script-src')).toBe("script-src 'self' https://chat.example.org");
  expect(directive(policy, 'frame-src')).toBe("frame-src 'self' https://chat.example.org");
  expect(directive(policy, 'connect-src')).toBe(
    "connect-src 'self' http://127.0.0.1:23407 https://chat.example.org https://errors.example.org https://stats.example.org",
  );
  expect(directive(policy, 'img-src')).toBe("img-src 'self' data:");
});
