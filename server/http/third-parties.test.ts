import { expect, test } from 'vitest';
import { originsOf, pageSettings } from './third-parties.ts';

const noThirdParties = { chat: null, error_reporting: null, analytics: null };

test('the page settings contain the URL of the chat, and never its secret key', () => {
  const chat = { base_url: 'https://chat.example.org', website_token: 'token', identity_key: 'secret' };
  expect(pageSettings({ ...noThirdParties, chat })).toEqual({
    ...noThirdParties,
    chat: { base_url: 'https://chat.example.org', website_token: 'token' },
  });
  expect(pageSettings(noThirdParties)).toEqual(noThirdParties);
});

test('a host that serves error reporting and analytics is allowed once, without path, key or project', () => {
  const error_reporting = { dsn: 'https://key@one.example.org:8443/sentry/7' };
  const analytics = { url: 'https://one.example.org:8443/stats', domain: 'example.org' };
  expect(originsOf({ ...noThirdParties, error_reporting, analytics })).toEqual({
    script: [],
    frame: [],
    connect: ['https://one.example.org:8443'],
  });
});
