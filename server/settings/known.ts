import { existsSync } from 'node:fs';
import { isIP } from 'node:net';

// Must not import packages: the settings are checked before they are installed.

/** `should`: the expected value, for the error message. */
export interface Setting {
  should: string;
  ok(text: string): boolean;
}

const setting = (should: string, ok: Setting['ok'] = () => true): Setting => ({ should, ok });
const matching = (pattern: RegExp, should: string) => setting(should, (text) => pattern.test(text));
const oneOf = (...values: string[]) => setting(joinWithOr(values), (text) => values.includes(text));
const toggle = oneOf('on', 'off');
const wholeNumber = (min: number, max: number, example: number, noun = 'a number') =>
  setting(
    `${noun} from ${min} to ${max}, for example ${example}`,
    (text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
  );
const texts = (noun: string, example: number) =>
  wholeNumber(0, 10_000_000, example, `how many ${noun} the whole service sends in a day at most,`);

/** `development, test or production` */
function joinWithOr(values: string[]): string {
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

function address(text: string, protocols: string[]): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && protocols.includes(url.protocol.slice(0, -1)) && url.host !== '' ? url : null;
}
const web = ['http', 'https'];
const isWeb = (text: string) => address(text, web) !== null;
/** Only a host and a port, without a path. */
function isBareWeb(text: string): boolean {
  const url = address(text, web);
  return url !== null && url.pathname === '/' && !/[?#@]/.test(text);
}

/** A host name needs a letter: `999.1.1.1` is neither an address nor a name. */
const isHost = (text: string) => isIP(text) !== 0 || /^(?=.*[a-z])[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text);

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const isCountry = (code: string) => /^[A-Z]{2}$/.test(code) && regions.of(code) !== undefined;
/** `us, ca` becomes `['US', 'CA']`. */
export const countriesIn = (text: string) => text.split(',').map((code) => code.trim().toUpperCase());

/** Loopback is only for the list servers of tests: the fetcher of a real server refuses it. */
const list = /^(https:\/\/|http:\/\/127\.0\.0\.1:)[^\s,|]+(\|(auto|hosts|adblock|plain|keep))?$/;

/** Two labels at least, and a letter at the beginning of the last: neither an address, a name of the local network nor a whole domain such as `*.org`. */
const pushHost = /^(\*\.)?([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*$/i;

export const knownSettings = {
  PORT: wholeNumber(1, 65_535, 4380),
  HOST: setting('an address of this computer, for example 127.0.0.1, or 0.0.0.0 for all of them', isHost),
  PUBLIC_URL: setting('the address people use, without a path, for example https://www.example.org', isBareWeb),
  DATA_DIR: setting('a folder'),
  INSTALLERS_DIR: setting('a folder'),
  INSTALLERS_BUILD: toggle,
  RELEASE_KEY: setting('the file with your release key. Left out, one is made in DATA_DIR', existsSync),
  DATABASE_URL: setting(
    'a PostgreSQL address, for example postgres://user:password@host/porchlight',
    // The embedded database uses a socket: `postgres:///db?host=/folder` has no host.
    (text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol),
  ),
  SECRET_KEY: setting('at least 32 random characters; keep it, the database is sealed with it', (text) => text.length >= 32),
  SMTP_URL: setting(
    'a mail server, for example smtp://user:password@host:587',
    (text) => text === 'mailbox:' || address(text, ['smtp', 'smtps']) !== null,
  ),
  MAIL_FROM: matching(
    /^([^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
    'the sender of every email, for example Porchlight <support@example.org>',
  ),
  TWILIO_ACCOUNT_SID: matching(/^AC/, 'the account SID of Twilio, which begins with AC'),
  TWILIO_AUTH_TOKEN: setting('the auth token of Twilio'),
  TWILIO_FROM: matching(/^\+[1-9]\d{6,14}$/, 'the number that texts come from, in full, for example +12025550143'),
  TWILIO_API_BASE: setting(
    'the address of something that speaks as Twilio does, for example https://api.twilio.com',
    (text) => text === 'mailbox:' || isWeb(text),
  ),
  VOICE: toggle,
  TEXT_COUNTRIES: setting(
    'countries with two letters each, for example US,CA, or all',
    (text) => text === 'all' || countriesIn(text).every(isCountry),
  ),
  CODE_TEXTS_PER_DAY: texts('code texts', 500),
  ALERT_TEXTS_PER_DAY: texts('alert texts', 5000),
  PUSH: oneOf('on', 'off', 'mailbox:'),
  PUSH_SERVICES: setting('hosts of further push services, for example push.example.org,*.push.example.net', (text) =>
    text.split(',').every((host) => pushHost.test(host.trim())),
  ),
  STRIPE_SECRET_KEY: matching(/^[rs]k_(test|live)_\w+$/, 'the secret or a restricted key of Stripe, which begins with sk_ or rk_'),
  STRIPE_WEBHOOK_SECRET: matching(/^whsec_/, 'the signing secret of the webhook at Stripe, which begins with whsec_'),
  // Stripe's library takes a host and a port, and no path.
  STRIPE_API_BASE: setting(
    'the address of something that speaks as Stripe does, without a path, for example https://api.stripe.com',
    (text) => text === 'till:' || isBareWeb(text),
  ),
  STRIPE_PLANS: matching(
    /^[^=,]+=[^=,]+(,[^=,]+=[^=,]+)*$/,
    'price ids with the names that people see, for example price_1=Individual,price_2=Friends & Family',
  ),
  SITE_LISTS: setting(
    'off, or default, first and addresses of lists with their format (auto, hosts, adblock, plain, or keep for sites that stay open), for example default,https://lists.example.org/scam.txt|hosts',
    (text) => text.trim() === 'off' || text.split(',').every((one) => /^(default|first)$/.test(one.trim()) || list.test(one.trim())),
  ),
  NODE_ENV: oneOf('development', 'test', 'production'),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  TRUST_PROXY: matching(/^(on|off|[1-9])$/, 'off, on, or how many proxies of yours stand one behind the other, for example 2'),
  URGENT_AT_ONCE: wholeNumber(1, 100, 8),
  BUSY_AFTER_MS: wholeNumber(100, 600_000, 500, 'a number of milliseconds'),
  DATABASE_CONNECTIONS: wholeNumber(2, 500, 10, 'a number of connections'),
  DATABASE_CONNECTIONS_URGENT: wholeNumber(1, 500, 4, 'a number of connections'),
  DATABASE_CONNECTIONS_JOBS: wholeNumber(2, 500, 6, 'a number of connections'),
  CHAT_BASE_URL: setting('the address of your Chatwoot, for example https://chat.example.org', isWeb),
  CHAT_WEBSITE_TOKEN: matching(/^[\w-]{8,}$/, 'the website token of the inbox in Chatwoot'),
  CHAT_IDENTITY_KEY: setting('the identity validation key of the inbox in Chatwoot', (text) => text.length >= 8),
  SENTRY_DSN: matching(
    /^https?:\/\/\w+(:\w+)?@[^/]+(\/[^/]+)*\/\d+$/,
    'the address that Sentry shows for the project, for example https://key@errors.example.org/1',
  ),
  ANALYTICS_URL: setting('the address of the collector, for example https://stats.example.org', isWeb),
  ANALYTICS_DOMAIN: matching(/^[\w.-]+$/, 'the name of the site at the collector, for example www.example.org'),
  FEATURE_EMAIL_CHECK: toggle,
  FEATURE_UNVERIFIED_BANNER: toggle,
  FEATURE_GUARDIANS: toggle,
  FEATURE_SMS: toggle,
  FEATURE_PHONE_VERIFICATION: toggle,
  // Settings of the agent, which `npm start` starts too.
  PORCHLIGHT_SERVER: setting('the address of the server, for example http://192.168.1.20:4380', isWeb),
  AGENT_SYSTEM: oneOf('on', 'off', 'auto'),
  AGENT_DATA_DIR: setting('a folder'),
  AGENT_CODE_FILE: setting('a file'),
  AGENT_LOOPBACK_PORT: wholeNumber(0, 65_535, 23_407),
  AGENT_PROCESS_EVENTS: toggle,
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof knownSettings;
export type GivenSettings = Partial<Record<SettingName, string>>;

export const settingNames = Object.keys(knownSettings) as SettingName[];
