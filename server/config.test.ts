import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig as read, warningsOf } from './config.ts';
import { BadConfig } from './settings/read.ts';

const ownTexts = () => ({ support: { email: 'help@family-care.org', phone: '1-212-736-5000' }, pages: {} });
const readConfig = (env: Parameters<typeof read>[0]) => read(env, ownTexts);

test('without any setting the configuration is complete, and the server listens on loopback', () => {
  expect(readConfig({})).toMatchObject({
    port: 4380,
    host: '127.0.0.1',
    public_url: 'http://localhost:4380',
    database_url: undefined,
    smtp_url: undefined,
  });
});

test('every invalid setting is named, with the expected value', () => {
  const invalidEnv = {
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
    readConfig(invalidEnv);
    expect.unreachable();
  } catch (err) {
    expect(err).toBeInstanceOf(BadConfig);
    for (const name of Object.keys(invalidEnv)) expect((err as Error).message).toMatch(new RegExp(`^${name} should be `, 'm'));
  }
});

test('production refuses the simulators unless they are set explicitly', () => {
  const productionEnv = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://www.example.org/',
    MAIL_FROM: 'Porchlight <help@family-care.org>',
    DATABASE_URL: 'postgres://h/db',
    SECRET_KEY: 'x'.repeat(32),
    FEATURE_SMS: 'off',
    STRIPE_API_BASE: 'till:',
  };
  expect(() => readConfig(productionEnv)).toThrow(/SMTP_URL is missing/);
  expect(readConfig({ ...productionEnv, SMTP_URL: 'mailbox:' }).smtp_url).toBeUndefined();
  expect(readConfig({ ...productionEnv, SMTP_URL: 'smtp://mail' })).toMatchObject({
    smtp_url: 'smtp://mail',
    public_url: 'https://www.example.org',
  });
  expect(() => readConfig({ ...productionEnv, SECRET_KEY: '', SMTP_URL: 'smtp://mail' })).toThrow(/SECRET_KEY is missing/);
});

test.each([
  [undefined, 0],
  ['off', 0],
  ['on', 1],
  ['1', 1],
  ['2', 2],
])('TRUST_PROXY=%s trusts %i proxies', (TRUST_PROXY, hops) => {
  expect(readConfig({ TRUST_PROXY }).trust_proxy).toBe(hops);
});

test.each([
  ['nothing', {}, 'simulator'],
  ['a public address', { PUBLIC_URL: 'https://www.example.org' }, 'services'],
  ['a public address, and PUSH=mailbox:', { PUBLIC_URL: 'https://www.example.org', PUSH: 'mailbox:' }, 'simulator'],
  ['PUSH=on', { PUSH: 'on' }, 'services'],
  ['PUSH=off', { PUBLIC_URL: 'https://www.example.org', PUSH: 'off' }, 'off'],
])('with %s set, push messages go where they should', (_what, env, by) => {
  expect(readConfig(env).push.by).toBe(by);
});

test('PUSH_SERVICES are hosts with a dot, in lower case, and no addresses', () => {
  expect(readConfig({ PUSH_SERVICES: 'Push.example.org, *.push.example.net' }).push.services).toEqual([
    'push.example.org',
    '*.push.example.net',
  ]);
  for (const host of ['localhost', '127.0.0.1', '*', '*.', '*.org', 'https://push.example.org', 'push.example.org:444', 'a..b', '.org'])
    expect(() => readConfig({ PUSH_SERVICES: host }), host).toThrow(/^PUSH_SERVICES should be /);
});

test('every FEATURE_ setting is on unless switched off', () => {
  expect(Object.values(readConfig({}).features)).toEqual([true, true, true, true, true]);
  expect(readConfig({ FEATURE_GUARDIANS: 'off' }).features.guardians).toBe(false);
});

test('installers are in the data folder, unless the operator sets another folder', () => {
  expect(readConfig({}).installers_dir).toBe(resolve('data', 'installers'));
  expect(readConfig({ DATA_DIR: '/srv/porchlight' }).installers_dir).toBe('/srv/porchlight/installers');
  expect(readConfig({ INSTALLERS_DIR: '' }).installers_dir).toBe(resolve('data', 'installers'));
  expect(readConfig({ DATA_DIR: '/srv/porchlight', INSTALLERS_DIR: '/srv/installers' }).installers_dir).toBe('/srv/installers');
});

const chat = { CHAT_BASE_URL: 'https://chat.example.org/', CHAT_WEBSITE_TOKEN: 'website-token-1', CHAT_IDENTITY_KEY: 'identity-key' };

test('chat, error reporting and analytics are off until they are configured, and their URLs lose a trailing slash', () => {
  expect(readConfig({})).toMatchObject({ chat: null, error_reporting: null, analytics: null });
  const env = {
    ...chat,
    SENTRY_DSN: 'https://abc@errors.example.org/7',
    ANALYTICS_URL: 'https://stats.example.org/',
    ANALYTICS_DOMAIN: 'example.org',
  };
  expect(readConfig(env)).toMatchObject({
    chat: { base_url: 'https://chat.example.org', website_token: 'website-token-1', identity_key: 'identity-key' },
    error_reporting: { dsn: 'https://abc@errors.example.org/7' },
    analytics: { url: 'https://stats.example.org', domain: 'example.org' },
  });
});

test.each([
  ...Object.keys(chat).map((name) => [name, { ...chat, [name]: undefined }] as const),
  ['ANALYTICS_DOMAIN', { ANALYTICS_URL: 'https://stats.example.org' }] as const,
  ['ANALYTICS_URL', { ANALYTICS_DOMAIN: 'example.org' }] as const,
])('a missing setting that other settings need is reported: %s', (name, env) => {
  expect(() => readConfig(env)).toThrow(new RegExp(`^${name} is missing: `));
});

test('every invalid setting of chat, error reporting and analytics is named', () => {
  const invalidEnv = {
    CHAT_BASE_URL: 'chat.example.org',
    CHAT_WEBSITE_TOKEN: 'a b',
    CHAT_IDENTITY_KEY: 'short',
    SENTRY_DSN: 'https://errors.example.org/7',
    ANALYTICS_URL: 'ftp://stats.example.org',
    ANALYTICS_DOMAIN: 'https://example.org',
  };
  for (const name of Object.keys(invalidEnv)) expect(() => readConfig(invalidEnv)).toThrow(new RegExp(`^${name} should be `, 'm'));
  expect(() => readConfig({ ...chat, CHAT_IDENTITY_KEY: 'short' })).not.toThrow(/short/);
});

const twilio = { TWILIO_ACCOUNT_SID: 'AC0123', TWILIO_AUTH_TOKEN: 'secret', TWILIO_FROM: '+12025550143' };

test('[P7.1] SMS go to the mailbox, or to Twilio with its three settings, and each missing Twilio setting is named', () => {
  expect(readConfig({}).texts).toBe('mailbox');
  const account = { account_sid: 'AC0123', auth_token: 'secret', from: '+12025550143' };
  expect(readConfig(twilio).texts).toEqual({ ...account, api_base: 'https://api.twilio.com' });
  expect(readConfig({ ...twilio, TWILIO_API_BASE: 'http://localhost:9/' }).texts).toEqual({ ...account, api_base: 'http://localhost:9' });
  expect(readConfig({ ...twilio, FEATURE_SMS: 'off' }).texts).toBe('off');
  for (const name of Object.keys(twilio)) {
    const readWithoutName = () => readConfig({ ...twilio, [name]: '' });
    expect(readWithoutName).toThrow(new RegExp(`^${name} is missing`, 'm'));
    for (const otherName of Object.keys(twilio).filter((n) => n !== name))
      expect(readWithoutName).not.toThrow(new RegExp(`^${otherName} is missing`, 'm'));
  }
  expect(() => readConfig({ TWILIO_API_BASE: 'http://localhost:9' })).toThrow(/^TWILIO_FROM is missing/m);
});

test.each([
  ['the mailbox', {}, true],
  ['VOICE=on', { VOICE: 'on' }, true],
  ['VOICE=off', { VOICE: 'off' }, false],
  ['no texts', { FEATURE_SMS: 'off' }, false],
  ['no texts, whatever VOICE is', { FEATURE_SMS: 'off', VOICE: 'on' }, false],
  ['Twilio', { ...twilio, PUBLIC_URL: 'https://www.example.org' }, true],
  // It cannot ask this server for the words.
  ['Twilio, and a public address on this computer', twilio, false],
])('[P11.1] calls with %s', (_what, env, voice) => {
  expect(readConfig(env).voice).toBe(voice);
});

test('[P7.1] production sends no SMS to the mailbox unless that is set explicitly', () => {
  const productionEnv = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://www.example.org',
    SMTP_URL: 'smtp://mail',
    MAIL_FROM: 'help@family-care.org',
    STRIPE_API_BASE: 'till:',
  };
  for (const name of Object.keys(twilio)) expect(() => readConfig(productionEnv)).toThrow(new RegExp(`^${name} is missing`, 'm'));
  expect(readConfig({ ...productionEnv, TWILIO_API_BASE: 'mailbox:' }).texts).toBe('mailbox');
  expect(readConfig({ ...productionEnv, ...twilio }).texts).toMatchObject({ account_sid: 'AC0123' });
  expect(readConfig({ ...productionEnv, FEATURE_SMS: 'off' }).texts).toBe('off');
});

test('[P11.5] SMS go to the country of the sender by default, to every country with the mailbox, and to the countries that the operator sets', () => {
  const countries = (env: Record<string, string>) => readConfig(env).sms_budget.countries;
  expect(countries({})).toBe('all');
  expect(countries(twilio)).toBe('home');
  expect(countries({ ...twilio, TEXT_COUNTRIES: 'de, gb' })).toEqual(['DE', 'GB']);
  expect(countries({ ...twilio, TEXT_COUNTRIES: 'all' })).toBe('all');
  expect(countries({ TEXT_COUNTRIES: 'US' })).toEqual(['US']);
  expect(readConfig({}).sms_budget).toMatchObject({ codes: 500, alerts: 5000 });
  expect(readConfig({ CODE_TEXTS_PER_DAY: '0', ALERT_TEXTS_PER_DAY: '7' }).sms_budget).toMatchObject({ codes: 0, alerts: 7 });
});

const stripe = { STRIPE_SECRET_KEY: 'sk_test_0123', STRIPE_WEBHOOK_SECRET: 'whsec_0123' };

test('[P7.1] payments go to the Stripe simulator, or to Stripe with its key and webhook secret, and a missing key or secret is named', () => {
  expect(readConfig({}).payments).toBe('simulator');
  const settings = { secret_key: 'sk_test_0123', webhook_secret: 'whsec_0123' };
  expect(readConfig(stripe).payments).toEqual({ ...settings, api_base: 'https://api.stripe.com' });
  expect(readConfig({ ...stripe, STRIPE_API_BASE: 'http://localhost:9/' }).payments).toEqual({
    ...settings,
    api_base: 'http://localhost:9',
  });
  expect(readConfig({ ...stripe, STRIPE_API_BASE: 'till:' }).payments).toBe('simulator');
  for (const [name, otherName] of [Object.keys(stripe), Object.keys(stripe).reverse()]) {
    const readWithoutName = () => readConfig({ ...stripe, [String(name)]: '' });
    expect(readWithoutName).toThrow(new RegExp(`^${name} is missing`, 'm'));
    expect(readWithoutName).not.toThrow(new RegExp(`^${otherName} is missing`, 'm'));
  }
  expect(() => readConfig({ STRIPE_API_BASE: 'http://localhost:9' })).toThrow(/^STRIPE_SECRET_KEY is missing/m);
});

test.each([
  'https://api.example.org/v1',
  'https://api.example.org?x',
  'https://key@api.example.org',
  'api.example.org',
  'ftp://api.example.org',
])("Stripe's address must be a host without a path: %s is refused", (address) =>
  expect(() => readConfig({ ...stripe, STRIPE_API_BASE: address })).toThrow(/^STRIPE_API_BASE should be /m),
);

test('[P7.1] production takes no orders in the Stripe simulator unless that is set explicitly', () => {
  const productionEnv = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://www.example.org',
    SMTP_URL: 'smtp://mail',
    MAIL_FROM: 'help@family-care.org',
    FEATURE_SMS: 'off',
  };
  for (const name of Object.keys(stripe))
    expect(() => readConfig(productionEnv)).toThrow(new RegExp(`^${name} is missing.*STRIPE_API_BASE=till:`, 'm'));
  expect(readConfig({ ...productionEnv, STRIPE_API_BASE: 'till:' }).payments).toBe('simulator');
  expect(readConfig({ ...productionEnv, ...stripe }).payments).toMatchObject({ secret_key: 'sk_test_0123' });
});

test('STRIPE_PLANS sets the plan names of the prices of the operator', () => {
  expect(readConfig({}).plan_names).toEqual({});
  expect(readConfig({ STRIPE_PLANS: 'price_a=Individual, price_b = Friends & Family' }).plan_names).toEqual({
    price_a: 'Individual',
    price_b: 'Friends & Family',
  });
  for (const invalidPlans of ['price_a', 'price_a=', '=Individual', 'price_a=x,', 'price_a=x=y']) {
    expect(() => readConfig({ STRIPE_PLANS: invalidPlans })).toThrow(/^STRIPE_PLANS should be /m);
  }
});

test('[P14.3] A6: the pages of the simulators are open only where the public address is loopback, or where they were set explicitly', () => {
  const pages = (env: Record<string, string>) => readConfig(env).simulator_pages;
  const [allOpen, noneOpen] = [
    { mail: true, texts: true, payments: true },
    { mail: false, texts: false, payments: false },
  ];
  for (const host of ['localhost:4380', '127.0.0.1:4380', '127.1.2.3', '[::1]:4380'])
    expect(pages({ PUBLIC_URL: `http://${host}` })).toEqual(allOpen);
  for (const host of ['www.example.org', '192.168.0.7:4380', 'localhost.example.org', '127.0.0.1.example.org', 'mypc']) {
    expect(pages({ PUBLIC_URL: `http://${host}` })).toEqual(noneOpen);
  }
  const PUBLIC_URL = 'https://www.example.org';
  expect(pages({ PUBLIC_URL, SMTP_URL: 'mailbox:' })).toEqual({ ...noneOpen, mail: true });
  expect(pages({ PUBLIC_URL, TWILIO_API_BASE: 'mailbox:' })).toEqual({ ...noneOpen, texts: true });
  expect(pages({ PUBLIC_URL, STRIPE_API_BASE: 'till:' })).toEqual({ ...noneOpen, payments: true });
});

test('database connections are set separately for shared, urgent and background work', () => {
  expect(readConfig({}).connections).toEqual({ shared: 10, urgent: 4, background: 6 });
  const env = { DATABASE_CONNECTIONS: '40', DATABASE_CONNECTIONS_URGENT: '8', DATABASE_CONNECTIONS_JOBS: '12' };
  expect(readConfig(env).connections).toEqual({ shared: 40, urgent: 8, background: 12 });
});

test.each([
  [{ PUBLIC_URL: 'https://www.example.org' }, 1],
  [{ PUBLIC_URL: 'https://www.example.org', TRUST_PROXY: 'on' }, 0],
  [{ PUBLIC_URL: 'http://localhost:4380' }, 0],
  [{ PUBLIC_URL: 'http://127.0.0.1:4380' }, 0],
  [{}, 0],
])('A11: %j gives %i warnings: without TRUST_PROXY all callers behind a proxy share one address', (env, times) => {
  const warnings = warningsOf(readConfig(env));
  expect(warnings).toHaveLength(times);
  for (const warning of warnings)
    expect(warning).toMatch(/^PUBLIC_URL is https:\/\/www\.example\.org and TRUST_PROXY is off: .+ set TRUST_PROXY=on/);
});
