import { expect, test } from 'vitest';
import { originsOf, pageSettings } from './third-parties.ts';

const none = { chat: null, error_reporting: null, analytics: null };

test('the page is told how to reach a chat, and never the key that is shared with it', () => {
  const chat = { base_url: 'https://chat.example.org', website_token: 'token', identity_key: 'secret' };
  expect(pageSettings({ ...none, chat })).toEqual({ ...none, chat: { base_url: 'https://chat.example.org', website_token: 'token' } });
  expect(pageSettings(none)).toEqual(none);
});

test('one host for two services is allowed once, without path, key or project', () => {
  const error_reporting = { dsn: 'https://key@one.example.org:8443/sentry/7' };
  const analytics = { url: 'https://one.example.org:8443/stats', domain: 'example.org' };
  expect(originsOf({ ...none, error_reporting, analytics })).toEqual({ script: [], frame: [], connect: ['https://one.example.org:8443'] });
});
