import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodPassword, person, type TestServer, testServer } from '../../testing/world.ts';

const chatSettings = {
  CHAT_BASE_URL: 'https://chat.example.org/',
  CHAT_WEBSITE_TOKEN: 'website-token-1',
  CHAT_IDENTITY_KEY: 'the key that the chat and we share',
};
const otherOrigins = {
  SENTRY_DSN: 'https://abc123@errors.example.org/7',
  ANALYTICS_URL: 'https://stats.example.org',
  ANALYTICS_DOMAIN: 'www.example.org',
};

let plainServer: TestServer;
let configuredServer: TestServer;
beforeAll(async () => {
  [plainServer, configuredServer] = [await testServer(), await testServer({ ...chatSettings, ...otherOrigins })];
});
afterAll(async () => {
  await plainServer.close();
  await configuredServer.close();
});

const policyOf = async (server: TestServer) =>
  String((await server.app.http.inject('/healthz')).headers['content-security-policy']).split(';');
const directive = (policy: string[], name: string) => policy.find((part) => part.startsWith(`${name} `));

test("[3.17] [7.33] a logged-in user gets their name, email and its HMAC-SHA256 with the chat's key", async () => {
  const ann = await person(configuredServer, 'Ann Example', 'ann@example.org');
  const hash = createHmac('sha256', chatSettings.CHAT_IDENTITY_KEY).update('ann@example.org').digest('hex');
  expect((await configuredServer.call('GET /web/support', { token: ann.token })).body).toEqual({
    name: 'Ann Example',
    email: 'ann@example.org',
    hash,
  });
});

test('without a chat the hash is null, also for an unconfirmed address', async () => {
  const body = { name: 'Eve', email: 'eve@example.org', password: goodPassword };
  await plainServer.call('POST /register', { body });
  const { body: login } = await plainServer.call('POST /login/web', { body });
  const token = String(login.web_token);
  expect((await plainServer.call('GET /web/support', { token })).body).toEqual({ name: 'Eve', email: 'eve@example.org', hash: null });
});

test('A12: a user with an unconfirmed address gets no hash for the chat', async () => {
  const body = { name: 'Mallory', email: 'victim@example.org', password: goodPassword };
  await configuredServer.call('POST /register', { body });
  const { body: login } = await configuredServer.call('POST /login/web', { body });
  const { body: reply } = await configuredServer.call('GET /web/support', { token: String(login.web_token) });
  expect(reply).toEqual({ name: 'Mallory', email: 'victim@example.org', hash: null });
});

test('[P7.2] the content security policy allows no other origins by default', async () => {
  const policy = await policyOf(plainServer);
  expect(policy.join(' ')).not.toContain('https:');
  expect(directive(policy, 'default-src')).toBe("default-src 'self'");
  expect(directive(policy, 'script-src')).toBeUndefined();
  expect(directive(policy, 'frame-src')).toBeUndefined();
  expect(directive(policy, 'connect-src')).toBe("connect-src 'self' http://127.0.0.1:23407");
});

test('[7.41] the content security policy allows configured origins, only for what they need', async () => {
  const policy = await policyOf(configuredServer);
  expect(directive(policy, 'script-src')).toBe("script-src 'self' https://chat.example.org");
  expect(directive(policy, 'frame-src')).toBe("frame-src 'self' https://chat.example.org");
  expect(directive(policy, 'connect-src')).toBe(
    "connect-src 'self' http://127.0.0.1:23407 https://chat.example.org https://errors.example.org https://stats.example.org",
  );
  expect(directive(policy, 'img-src')).toBe("img-src 'self' data:");
});
