import { limits } from '@porchlight/contract/limits.ts';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { type GivenSettings, knownSettings, type SettingName, settingGroups, settingNames } from './settings/known.ts';

const table = settingNames.map((name) => [name, knownSettings[name]] as const);

/** Settings that are refused alone, with values that are accepted together. */
const requiredTogether: GivenSettings[] = [
  { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'token', TWILIO_FROM: '+12025550143' },
  { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
  { CHAT_BASE_URL: 'https://chat.example.org', CHAT_WEBSITE_TOKEN: 'website-token', CHAT_IDENTITY_KEY: 'identity-key' },
  { ANALYTICS_URL: 'https://stats.example.org', ANALYTICS_DOMAIN: 'www.example.org' },
  { DEFINITIONS_FEED: 'https://feed.example.org', DEFINITIONS_FEED_KEY: 'A'.repeat(43) },
];
const [twilio, stripe] = requiredTogether;
const companionsOf = (name: SettingName): GivenSettings => {
  if (name === 'TWILIO_API_BASE' || name === 'TEXT_COUNTRIES') return twilio ?? {};
  if (name === 'STRIPE_API_BASE') return stripe ?? {};
  if (name === 'METRICS_HOST') return { METRICS_TOKEN: 'a-token-for-metrics-only' };
  if (name === 'LOG_FILE_MB' || name === 'LOG_FILES') return { LOG_FILE: '/var/log/porchlight.log' };
  return requiredTogether.find((settings) => name in settings) ?? {};
};

/** They name files of the operator, which exist nowhere else. */
const ownFiles: SettingName[] = ['RELEASE_KEY', 'WINDOWS_CERTIFICATE', 'WINDOWS_CERTIFICATE_PASSWORD_FILE'];

/** Valid for some settings; each setting accepts at least one beside its usual value. */
const otherValues = [
  ...['off', '7', '123', '+447700900123', 'elsewhere', 'AC2', 'sk_test_2', 'whsec_2', 'another-identity-key-of-32-letters'],
  ...['https://other.example.net', 'postgres://other.example.net/db', 'smtp://other.example.net', 'mailbox:', 'till:', 'us'],
  ...['development', 'debug', 'price_2=Other', 'other@example.net', 'push.example.net', '::1', 'https://key@other.example.net/2'],
  ...['worker', 'nats://other.example.net:4222', 'B'.repeat(43)],
];

test.each(table)('the setting %s has a meaning, an effect without a value, and an example that is accepted', (name, setting) => {
  const { usual, without, meaning, example, ok } = setting;
  expect(meaning).toMatch(/\.$/);
  expect(usual ?? without).toBeTruthy();
  if (example === '') expect(name).toMatch(/KEY|SECRET|TOKEN/);
  else if (!ownFiles.includes(name)) expect([example, ok(example)]).toEqual([example, true]);
});

test.each(table.filter(([, { usual }]) => usual !== undefined))(
  'the setting %s has the same effect with the documented default as without a value',
  (name, { usual }) => {
    const companions = companionsOf(name);
    expect(readConfig({ ...companions, [name]: usual })).toEqual(readConfig(companions));
  },
);

test('every setting of the server changes the configuration, and only the documented others do not', () => {
  const changesConfig = (name: SettingName) => {
    const companions = companionsOf(name);
    const values = otherValues.filter((value) => knownSettings[name].ok(value) && value !== knownSettings[name].usual);
    return values.some((value) => JSON.stringify(readConfig({ ...companions, [name]: value })) !== JSON.stringify(readConfig(companions)));
  };
  const readElsewhere = [
    ...ownFiles,
    'WINDOWS_TIMESTAMP_URL',
    ...Object.keys(settingGroups.find(({ title }) => title.startsWith('An agent'))?.settings ?? {}),
  ];
  expect(settingNames.filter((name) => !changesConfig(name)).toSorted()).toEqual(readElsewhere.toSorted());
});

test('defaults that depend on other settings are those of the documentation', () => {
  const publicUrl = { PUBLIC_URL: 'https://www.example.org' };
  expect(knownSettings.PUSH.without).toBe(
    '`on` in production, and where `PUBLIC_URL` is no name of this computer; elsewhere as `mailbox:`',
  );
  expect([readConfig(publicUrl).push.by, readConfig({}).push.by, readConfig({ PUSH: 'mailbox:' }).push.by]).toEqual([
    'services',
    'simulator',
    'simulator',
  ]);
  expect(knownSettings.VOICE.without).toBe('`on` where there are texts');
  expect([{}, { FEATURE_SMS: 'off' }, { ...twilio, ...publicUrl }].map((env) => readConfig(env).voice)).toEqual([true, false, true]);
  expect(knownSettings.AGENT_LOOPBACK_PORT.without).toBe(`\`${limits.loopback_port}\``);
});

test('no setting is in two groups', () => {
  expect(settingNames).toHaveLength(settingGroups.flatMap(({ settings }) => Object.keys(settings)).length);
});

test('[P16.1] a feed without a key is refused at the start, with the name of what is missing; switched off it needs none', () => {
  const url = 'https://feed.example.org/definitions';
  expect(() => readConfig({ DEFINITIONS_FEED: url })).toThrow(/DEFINITIONS_FEED_KEY is missing/);
  expect(readConfig({ DEFINITIONS_FEED: 'off' }).definitions_feed).toBeNull();
  expect(readConfig({ DEFINITIONS_FEED: url, DEFINITIONS_FEED_KEY: 'A'.repeat(43) }).definitions_feed).toMatchObject({ url });
});
