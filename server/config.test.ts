import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig as read, warningsOf } from './config.ts';
import { BadConfig } from './settings/read.ts';

/** As an operator who has put their own words in the place of the template. */
const own = () => ({ support: { email: 'help@family-care.org', phone: '1-212-736-5000' }, pages: {} });
const readConfig = (env: Parameters<typeof read>[0]) => read(env, own);

test('with nothing set there is a whole configuration, on loopback', () => {
  expect(readConfig({})).toMatchObject({
    port: 4380,
    host: '127.0.0.1',
    public_url: 'http://localhost:4380',
    database_url: undefined,
    smtp_url: undefined,
  });
});

test('every wrong setting is named, with what it should be', () => {
  const wrong = {
    PORT: 'x',
    DATABASE_URL: 'mysql://x',
    SECRET_KEY: 'short',
    SMTP_URL: 'http://x',
    PUBLIC_URL: 'example.org',
    TRUST_PROXY: 'yes',
    URGENT_AT_ONCE: '0',
    BUSY_AFTER_MS: '50',
    DATABASE_CONNECTIONS: '1',
    DATABASE_CONNECTIONS_URGENT: '0',
    DATABASE_CONNECTIONS_JOBS: '501',
    FEATURE_SMS: 'yes',
    TWILIO_ACCOUNT_SID: 'x',
    TWILIO_FROM: '2025550143',
    TWILIO_API_BASE: 'ftp://x',
    TEXT_COUNTRIES: 'US,XX',
    CODE_TEXTS_PER_DAY: 'many',
    ALERT_TEXTS_PER_DAY: '-1',
    STRIPE_SECRET_KEY: 'pk_live_1',
    STRIPE_WEBHOOK_SECRET: 'x',
    STRIPE_API_BASE: 'https://api.example.org/stripe',
    STRIPE_PLANS: 'price_1',
  };
  try {
    readConfig(wrong);
    expect.unreachable();
  } catch (err) {
    expect(err).toBeInstanceOf(BadConfig);
    for (const name of Object.keys(wrong)) expect((err as Error).message).toMatch(new RegExp(`^${name} should be `, 'm'));
  }
});

test('production refuses the stand-ins unless they are asked for by name', () => {
  const real = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://www.example.org/',
    MAIL_FROM: 'Porchlight <help@family-care.org>',
    DATABASE_URL: 'postgres://h/db',
    SECRET_KEY: 'x'.repeat(32),
    FEATURE_SMS: 'off',
    STRIPE_API_BASE: 'till:',
  };
  expect(() => readConfig(real)).toThrow(/SMTP_URL is missing/);
  expect(readConfig({ ...real, SMTP_URL: 'mailbox:' }).smtp_url).toBeUndefined();
  expect(readConfig({ ...real, SMTP_URL: 'smtp://mail' })).toMatchObject({
    smtp_url: 'smtp://mail',
    public_url: 'https://www.example.org',
  });
  expect(() => readConfig({ ...real, SECRET_KEY: '', SMTP_URL: 'smtp://mail' })).toThrow(/SECRET_KEY is missing/);
});

test.each([
  [undefined, 0],
  ['off', 0],
  ['on', 1],
  ['1', 1],
  ['2', 2],
])('TRUST_PROXY=%s believes %i hops', (TRUST_PROXY, hops) => {
  expect(readConfig({ TRUST_PROXY }).trust_proxy).toBe(hops);
});

test('the features are on unless switched off', () => {
  expect(Object.values(readConfig({}).features)).toEqual([true, true, true, true, true]);
  expect(readConfig({ FEATURE_GUARDIANS: 'off' }).features.guardians).toBe(false);
});

test('installers stand below the data, unless the operator names another folder', () => {
  expect(readConfig({}).installers_dir).toBe(resolve('data', 'installers'));
  expect(readConfig({ DATA_DIR: '/srv/porchlight' }).installers_dir).toBe('/srv/porchlight/installers');
  expect(readConfig({ INSTALLERS_DIR: '' }).installers_dir).toBe(resolve('data', 'installers'));
  expect(readConfig({ DATA_DIR: '/srv/porchlight', INSTALLERS_DIR: '/srv/installers' }).installers_dir).toBe('/srv/installers');
});

const chat = { CHAT_BASE_URL: 'https://chat.example.org/', CHAT_WEBSITE_TOKEN: 'website-token-1', CHAT_IDENTITY_KEY: 'identity-key' };

test('third parties are off until they are set, and then without a slash at the end', () => {
  expect(readConfig({})).toMatchObject({ chat: null, error_reporting: null, analytics: null });
  const set = {
    ...chat,
    SENTRY_DSN: 'https://abc@errors.example.org/7',
    ANALYTICS_URL: 'https://stats.example.org/',
    ANALYTICS_DOMAIN: 'example.org',
  };
  expect(readConfig(set)).toMatchObject({
    chat: { base_url: 'https://chat.example.org', website_token: 'website-token-1', identity_key: 'identity-key' },
    error_reporting: { dsn: 'https://abc@errors.example.org/7' },
    analytics: { url: 'https://stats.example.org', domain: 'example.org' },
  });
});

test.each([
  ...Object.keys(chat).map((name) => [name, { ...chat, [name]: undefined }] as const),
  ['ANALYTICS_DOMAIN', { ANALYTICS_URL: 'https://stats.example.org' }] as const,
  ['ANALYTICS_URL', { ANALYTICS_DOMAIN: 'example.org' }] as const,
])('what works only together is missed by name: %s', (name, env) => {
  expect(() => readConfig(env)).toThrow(new RegExp(`^${name} is missing: `));
});

test('every wrong setting of a third party is named', () => {
  const wrong = {
    CHAT_BASE_URL: 'chat.example.org',
    CHAT_WEBSITE_TOKEN: 'a b',
    CHAT_IDENTITY_KEY: 'short',
    SENTRY_DSN: 'https://errors.example.org/7',
    ANALYTICS_URL: 'ftp://stats.example.org',
    ANALYTICS_DOMAIN: 'https://example.org',
  };
  for (const name of Object.keys(wrong)) expect(() => readConfig(wrong)).toThrow(new RegExp(`^${name} should be `, 'm'));
  expect(() => readConfig({ ...chat, CHAT_IDENTITY_KEY: 'short' })).not.toThrow(/short/);
});

const twilio = { TWILIO_ACCOUNT_SID: 'AC0123', TWILIO_AUTH_TOKEN: 'secret', TWILIO_FROM: '+12025550143' };

test('[P7.1] texts go to the mailbox, or to Twilio by all three of its settings, and each that is missing is named', () => {
  expect(readConfig({}).texts).toBe('mailbox');
  const account = { account_sid: 'AC0123', auth_token: 'secret', from: '+12025550143' };
  expect(readConfig(twilio).texts).toEqual({ ...account, api_base: 'https://api.twilio.com' });
  expect(readConfig({ ...twilio, TWILIO_API_BASE: 'http://localhost:9/' }).texts).toEqual({ ...account, api_base: 'http://localhost:9' });
  expect(readConfig({ ...twilio, FEATURE_SMS: 'off' }).texts).toBe('off');
  for (const name of Object.keys(twilio)) {
    const without = () => readConfig({ ...twilio, [name]: '' });
    expect(without).toThrow(new RegExp(`^${name} is missing`, 'm'));
    for (const other of Object.keys(twilio).filter((n) => n !== name)) expect(without).not.toThrow(new RegExp(`^${other} is missing`, 'm'));
  }
  expect(() => readConfig({ TWILIO_API_BASE: 'http://localhost:9' })).toThrow(/^TWILIO_FROM is missing/m);
});

test('[P7.1] production sends no texts to the mailbox unless that is asked for by name', () => {
  const real = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://www.example.org',
    SMTP_URL: 'smtp://mail',
    MAIL_FROM: 'help@family-care.org',
    STRIPE_API_BASE: 'till:',
  };
  for (const name of Object.keys(twilio)) expect(() => readConfig(real)).toThrow(new RegExp(`^${name} is missing`, 'm'));
  expect(readConfig({ ...real, TWILIO_API_BASE: 'mailbox:' }).texts).toBe('mailbox');
  expect(readConfig({ ...real, ...twilio }).texts).toMatchObject({ account_sid: 'AC0123' });
  expect(readConfig({ ...real, FEATURE_SMS: 'off' }).texts).toBe('off');
});

test('[P11.5] texts go to the country of the sender, everywhere with the mailbox, and where the operator says', () => {
  const countries = (env: Record<string, string>) => readConfig(env).text_budget.countries;
  expect(countries({})).toBe('all');
  expect(countries(twilio)).toBe('home');
  expect(countries({ ...twilio, TEXT_COUNTRIES: 'de, gb' })).toEqual(['DE', 'GB']);
  expect(countries({ ...twilio, TEXT_COUNTRIES: 'all' })).toBe('all');
  expect(countries({ TEXT_COUNTRIES: 'US' })).toEqual(['US']);
  expect(readConfig({}).text_budget).toMatchObject({ codes: 500, alerts: 5000 });
  expect(readConfig({ CODE_TEXTS_PER_DAY: '0', ALERT_TEXTS_PER_DAY: '7' }).text_budget).toMatchObject({ codes: 0, alerts: 7 });
});

const stripe = { STRIPE_SECRET_KEY: 'sk_test_0123', STRIPE_WEBHOOK_SECRET: 'whsec_0123' };

test('[P7.1] payments go to the test shop, or to Stripe by its key and the secret of its webhook, and whichever is missing is named', () => {
  expect(readConfig({}).payments).toBe('simulator');
  const settings = { secret_key: 'sk_test_0123', webhook_secret: 'whsec_0123' };
  expect(readConfig(stripe).payments).toEqual({ ...settings, api_base: 'https://api.stripe.com' });
  expect(readConfig({ ...stripe, STRIPE_API_BASE: 'http://localhost:9/' }).payments).toEqual({
    ...settings,
    api_base: 'http://localhost:9',
  });
  expect(readConfig({ ...stripe, STRIPE_API_BASE: 'till:' }).payments).toBe('simulator');
  for (const [name, other] of [Object.keys(stripe), Object.keys(stripe).reverse()]) {
    const without = () => readConfig({ ...stripe, [String(name)]: '' });
    expect(without).toThrow(new RegExp(`^${name} is missing`, 'm'));
    expect(without).not.toThrow(new RegExp(`^${other} is missing`, 'm'));
  }
  expect(() => readConfig({ STRIPE_API_BASE: 'http://localhost:9' })).toThrow(/^STRIPE_SECRET_KEY is missing/m);
});

test.each([
  'https://api.example.org/v1',
  'https://api.example.org?x',
  'https://key@api.example.org',
  'api.example.org',
  'ftp://api.example.org',
])('Stripe is reached by a host alone: %s is refused', (address) =>
  expect(() => readConfig({ ...stripe, STRIPE_API_BASE: address })).toThrow(/^STRIPE_API_BASE should be /m),
);

test('[P7.1] production takes no orders in the test shop unless that is asked for by name', () => {
  const real = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://www.example.org',
    SMTP_URL: 'smtp://mail',
    MAIL_FROM: 'help@family-care.org',
    FEATURE_SMS: 'off',
  };
  for (const name of Object.keys(stripe))
    expect(() => readConfig(real)).toThrow(new RegExp(`^${name} is missing.*STRIPE_API_BASE=till:`, 'm'));
  expect(readConfig({ ...real, STRIPE_API_BASE: 'till:' }).payments).toBe('simulator');
  expect(readConfig({ ...real, ...stripe }).payments).toMatchObject({ secret_key: 'sk_test_0123' });
});

test('the operator names the plans of their own prices', () => {
  expect(readConfig({}).plan_names).toEqual({});
  expect(readConfig({ STRIPE_PLANS: 'price_a=Individual, price_b = Friends & Family' }).plan_names).toEqual({
    price_a: 'Individual',
    price_b: 'Friends & Family',
  });
  for (const wrong of ['price_a', 'price_a=', '=Individual', 'price_a=x,', 'price_a=x=y']) {
    expect(() => readConfig({ STRIPE_PLANS: wrong })).toThrow(/^STRIPE_PLANS should be /m);
  }
});

test('[P14.3] A6: the pages of the simulators are there where people come as this computer, or where they were asked for by name', () => {
  const pages = (env: Record<string, string>) => readConfig(env).simulator_pages;
  const [all, none] = [
    { mail: true, texts: true, payments: true },
    { mail: false, texts: false, payments: false },
  ];
  for (const host of ['localhost:4380', '127.0.0.1:4380', '127.1.2.3', '[::1]:4380'])
    expect(pages({ PUBLIC_URL: `http://${host}` })).toEqual(all);
  for (const host of ['www.example.org', '192.168.0.7:4380', 'localhost.example.org', '127.0.0.1.example.org', 'mypc']) {
    expect(pages({ PUBLIC_URL: `http://${host}` })).toEqual(none);
  }
  const PUBLIC_URL = 'https://www.example.org';
  expect(pages({ PUBLIC_URL, SMTP_URL: 'mailbox:' })).toEqual({ ...none, mail: true });
  expect(pages({ PUBLIC_URL, TWILIO_API_BASE: 'mailbox:' })).toEqual({ ...none, texts: true });
  expect(pages({ PUBLIC_URL, STRIPE_API_BASE: 'till:' })).toEqual({ ...none, payments: true });
});

test('connections are counted for all calls, for what is urgent, and for the background', () => {
  expect(readConfig({}).connections).toEqual({ shared: 10, urgent: 4, background: 6 });
  const set = { DATABASE_CONNECTIONS: '40', DATABASE_CONNECTIONS_URGENT: '8', DATABASE_CONNECTIONS_JOBS: '12' };
  expect(readConfig(set).connections).toEqual({ shared: 40, urgent: 8, background: 12 });
});

test.each([
  [{ PUBLIC_URL: 'https://www.example.org' }, 1],
  [{ PUBLIC_URL: 'https://www.example.org', TRUST_PROXY: 'on' }, 0],
  [{ PUBLIC_URL: 'http://localhost:4380' }, 0],
  [{ PUBLIC_URL: 'http://127.0.0.1:4380' }, 0],
  [{}, 0],
])('A11: %j is warned of %i times: without TRUST_PROXY everybody behind a proxy is one caller', (env, times) => {
  const warnings = warningsOf(readConfig(env));
  expect(warnings).toHaveLength(times);
  for (const warning of warnings)
    expect(warning).toMatch(/^PUBLIC_URL is https:\/\/www\.example\.org and TRUST_PROXY is off: .+ set TRUST_PROXY=on/);
});
