import { expect, test } from 'vitest';
import { proxyFinding } from './address-checks.ts';
import { clockFinding } from './clock-check.ts';
import { nodeFinding, spaceFinding } from './computer.ts';
import { connectionFinding, versionFinding } from './database-checks.ts';
import { operatorFinding } from './doctor.ts';
import { feedFinding, listFinding, notedFinding } from './file-checks.ts';
import { domainAndAbove } from './mail-checks.ts';
import { secretMasker } from './mask.ts';
import { webhookFinding } from './payment-checks.ts';

const gigabyte = 1_000_000_000;

test.each([
  [50, 100, 'ok'],
  [9, 100, 'warning'],
  [0.9, 2, 'warning'],
  [1.1, 2, 'ok'],
  [0.09, 100, 'error'],
])('%f of %f free gigabytes are: %s', (free, total, state) => {
  expect(spaceFinding({ free: free * gigabyte, total: total * gigabyte }, 'DATA_DIR').state).toBe(state);
});

test.each([
  ['22.18.0', 'warning'],
  ['24.0.0', 'ok'],
])('Node %s is: %s', (version, state) => {
  expect(nodeFinding(version).state).toBe(state);
});

test.each([
  [140_012, 'error', '14.12'],
  [150_000, 'ok', '15.0'],
  [180_004, 'ok', '18.4'],
  [190_000, 'warning', '19.0'],
])('the PostgreSQL version number %i is: %s', (versionNumber, state, text) => {
  expect(versionFinding(versionNumber)).toMatchObject({ state, text: expect.stringContaining(`PostgreSQL ${text}`) });
});

test('a setting of all connections that PostgreSQL allows is a warning, one fewer is none', () => {
  expect([connectionFinding(20, 20).state, connectionFinding(21, 20).state]).toEqual(['warning', 'ok']);
});

test.each([
  ['https://www.example.org', 0, ['198.51.100.7'], 'error'],
  ['https://www.example.org', 1, ['198.51.100.7'], 'ok'],
  ['http://192.168.1.20:4380', 0, ['192.168.1.20'], 'ok'],
  ['http://192.168.1.20:4380', 1, ['192.168.1.20'], 'warning'],
  ['http://192.168.1.20', 1, ['192.168.1.20'], 'ok'],
  ['http://192.168.1.21', 0, ['192.168.1.21'], 'unknown'],
])('the address %s with %i believed proxies at %j is: %s', (public_url, trust_proxy, addresses, state) => {
  expect(proxyFinding({ public_url, trust_proxy, port: 4380 }, addresses, ['127.0.0.1', '192.168.1.20']).state).toBe(state);
});

test('a clock that agrees with another computer is right, a clock that agrees with itself is not known, and a difference is wrong in each case', () => {
  const comparison = (aheadMs: number, isOther: boolean) => [{ name: 'the database', aheadMs, isOther }];
  const states = [comparison(9_000, true), comparison(9_000, false), comparison(-20_000, false), comparison(61_000, true), []];
  expect(states.map((comparisons) => clockFinding(comparisons).state)).toEqual(['ok', 'unknown', 'warning', 'error', 'unknown']);
});

test('[P16.1] a feed of definitions that was refused, or is older than 30 days, is a warning; a feed that is away since yesterday is none', () => {
  const now = new Date('2026-11-30T09:00:00Z');
  const feed = (more: object) => ({
    ...{ url: 'https://feed.example', etag: null, fetched: new Date('2026-11-29T09:00:00Z'), tried: now },
    ...{ problem: null, refused: null, accepted: null, ...more },
  });
  expect(feedFinding(undefined, now).state).toBe('unknown');
  expect(feedFinding(feed({}), now)).toMatchObject({ state: 'ok', text: 'The feed of definitions is up to date.' });
  const away = feedFinding(feed({ problem: 'its server answered 503' }), now);
  expect(away).toMatchObject({ state: 'ok', text: expect.stringContaining('its server answered 503') });
  const old = feedFinding(feed({ fetched: new Date('2026-10-30T09:00:00Z') }), now);
  expect(old).toMatchObject({ state: 'warning', text: expect.stringContaining('what was fetched is of 2026-10-30') });
  const refused = feed({ problem: 'it loses programs.', refused: 'aa' });
  expect(feedFinding(refused, now)).toMatchObject({ state: 'warning', text: expect.stringContaining('it loses programs.') });
  expect(feedFinding({ ...refused, accepted: 'aa' }, now).state).toBe('ok');
});

test('a list of sites of four days ago, or never fetched, is a warning with its problem; the first list and a list of two days ago are none', () => {
  const now = new Date('2026-11-26T09:00:00Z');
  const list = (url: string, day: string | null) => {
    const fetched = day === null ? null : new Date(`2026-11-${day}T09:00:00Z`);
    return { url, fetched, tried: now, count: 1, etag: null, last_modified: null, problem: 'its server answered 503' };
  };
  expect(listFinding([list('first', '01'), list('https://a.example/x', '24')], now).state).toBe('ok');
  expect(listFinding([list('https://a.example/x', '24'), list('https://b.example/x', '22')], now)).toMatchObject({
    state: 'warning',
    text: expect.stringMatching(/: https:\/\/b\.example\/x \(of 2026-11-22: its server answered 503\)\./),
  });
  expect(listFinding([list('https://a.example/x', null)], now).text).toContain('never fetched');
  expect(listFinding([], now).state).toBe('unknown');
});

test.each([
  [[], 'error'],
  [[{ url: 'https://x.example/hook', status: 'enabled', enabled_events: ['*'] }], 'ok'],
  [[{ url: 'https://x.example/hook', status: 'disabled', enabled_events: ['*'] }], 'error'],
  [[{ url: 'https://x.example/hook', status: 'enabled', enabled_events: ['invoice.paid'] }], 'warning'],
  [[{ url: 'https://other.example/hook', status: 'enabled', enabled_events: ['*'] }], 'error'],
] as const)('the webhooks %j are: %s', (webhooks, state) => {
  expect(
    webhookFinding(
      webhooks.map((one) => ({ ...one, enabled_events: [...one.enabled_events] })),
      'https://x.example/hook',
    ).state,
  ).toBe(state);
});

test('a webhook of Stripe cannot reach an address of this computer alone', () => {
  expect(webhookFinding([], 'http://localhost:4380/api/stripe/webhook')).toMatchObject({ state: 'warning' });
});

test('DMARC is searched at the domain and those above it, without the top-level domain', () => {
  expect(domainAndAbove('mail.care.example.org')).toEqual(['mail.care.example.org', 'care.example.org', 'example.org']);
  expect(domainAndAbove('localhost')).toEqual(['localhost']);
});

test('a password is masked as written, decoded, in any other address, and where the address cannot be parsed', () => {
  const masked = secretMasker({
    DATABASE_URL: 'postgres://me:se%2Fcret@db/x',
    SMTP_URL: 'smtp://me:wo@rd:1@mail',
    SECRET_KEY: 'k'.repeat(32),
  });
  expect(masked(`se%2Fcret se/cret wo@rd:1 ${'k'.repeat(32)} redis://me:other@host/ db.example.org`)).toBe(
    '*** *** *** *** redis://me:***@host/ db.example.org',
  );
});

test.each([
  [true, null, null, 'mailbox', 'warning'],
  [true, '+12025550143', null, 'mailbox', 'ok'],
  [true, '+12025550143', null, 'off', 'warning'],
  [true, null, 'https://hooks.example.org/x', 'off', 'ok'],
  [false, null, null, 'mailbox', 'ok'],
] as const)(
  'in production (%s) an operator with the phone %s and the webhook %s, and texts by %s, is: %s',
  (production, phone, webhook, texts, state) => {
    const finding = operatorFinding({ production, texts, operator: { email: 'operator@example.org', phone, webhook } });
    expect(finding.state).toBe(state);
    // The address of a chat is a password.
    expect(finding.text).not.toContain('hooks.example.org');
  },
);

test.each([
  [null, 'warning'],
  ['2026-11-25T09:00:00Z', 'ok'],
  ['2026-11-24T20:00:00Z', 'error'],
])('a newest backup of %s, with a limit of 36 hours, is: %s', (made, state) => {
  expect(notedFinding(made === null ? null : new Date(made), 36, new Date('2026-11-26T09:00:00Z')).state).toBe(state);
});
