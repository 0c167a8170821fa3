import { join, resolve } from 'node:path';
import { brand } from '@porchlight/contract/brand.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { z } from 'zod';

/** Everything that can be set, read once (P7.1). All of it is optional. */
export interface Config {
  port: number;
  host: string;
  /** Without a slash at the end. */
  public_url: string;
  data_dir: string;
  /** Where porchlight.exe and porchlight.pkg stand. */
  installers_dir: string;
  /** Undefined: an embedded PostgreSQL in `data_dir`. */
  database_url: string | undefined;
  /** Undefined: one is made in `data_dir`. */
  secret_key: string | undefined;
  /** Undefined: the local mailbox. */
  smtp_url: string | undefined;
  mail_from: string;
  /** Who carries texts; `off` with FEATURE_SMS=off. */
  texts: TwilioSettings | 'mailbox' | 'off';
  /** Where texts go (`home`: to the country of the sender's number), and how many a day for the whole service: codes that people ask for, and alerts (P11.5). */
  text_budget: { countries: string[] | 'all' | 'home'; codes: number; alerts: number };
  /** Who takes payments; `till`: the local stand-in, where nothing is charged. */
  payments: StripeSettings | 'till';
  /** Which simulators have their pages open: those that were asked for by name, and all where people reach us as this computer. */
  simulator_pages: { mail: boolean; texts: boolean; payments: boolean };
  /** What people call the plans, by the id of the price (2.132); beside the names of our own shop. */
  plan_names: Record<string, string>;
  /** Lists of scam sites that are fetched once a day; `keep`: of sites that none of the others may block. */
  site_lists: { url: string; format: 'auto' | 'hosts' | 'adblock' | 'plain' | 'keep' }[];
  production: boolean;
  /** NODE_ENV=development, said by whoever works on the product; not merely where nothing was said. */
  development: boolean;
  /** How many proxies of ours stand in front: the address that the outermost of them saw is the caller's. 0: none is believed. */
  trust_proxy: number;
  /** Milliseconds that the event loop may be late, several seconds in a row, before calls are refused with 503. */
  busy_after: number;
  /** How many urgent mails, and how many urgent texts, leave at a time. */
  urgent_at_once: number;
  /** Connections to PostgreSQL: of all calls together, of detections alone, and of what is done in the background. */
  connections: { shared: number; urgent: number; background: number };
  /** Third parties that the dashboard may load; null: not configured, so never loaded (P7.2). */
  chat: { base_url: string; website_token: string; identity_key: string } | null;
  error_reporting: { dsn: string } | null;
  analytics: { url: string; domain: string } | null;
  features: { email_check: boolean; unverified_banner: boolean; guardians: boolean; sms: boolean; phone_verification: boolean };
}

export interface TwilioSettings {
  account_sid: string;
  auth_token: string;
  /** E.164. */
  from: string;
  /** Without a slash at the end. */
  api_base: string;
}

export interface StripeSettings {
  secret_key: string;
  /** Signs what arrives at /api/stripe/webhook. */
  webhook_secret: string;
  /** Without a slash at the end. */
  api_base: string;
}

/** What is wrong with the settings, each named, with what to do. */
export class BadConfig extends Error {}

const toggle = z.enum(['on', 'off']).default('on');
const webUrl = z.url({ protocol: /^https?$/ });
/** The list server of a test stands on this computer; the fetcher of a real server goes to none there. */
const listSetting = /^(https:\/\/|http:\/\/127\.0\.0\.1:)[^\s,|]+(\|(auto|hosts|adblock|plain|keep))?$/;
const connections = (least: number, unset: number) => z.coerce.number().int().min(least).max(500).default(unset);
const schema = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(4380),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: webUrl.optional(),
  DATA_DIR: z.string().min(1).default('data'),
  INSTALLERS_DIR: z.string().min(1).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  SECRET_KEY: z.string().min(32).optional(),
  SMTP_URL: z.union([z.literal('mailbox:'), z.url({ protocol: /^smtps?$/ })]).optional(),
  MAIL_FROM: z.string().min(3).default(`${brand.name} <${brand.support.email}>`),
  TWILIO_ACCOUNT_SID: z.string().startsWith('AC').optional(),
  TWILIO_AUTH_TOKEN: z.string().optional(),
  TWILIO_FROM: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/)
    .optional(),
  TWILIO_API_BASE: z.union([z.literal('mailbox:'), z.url({ protocol: /^https?$/ })]).optional(),
  TEXT_COUNTRIES: z
    .string()
    .refine((text) => text === 'all' || countriesIn(text).every(isCountry))
    .optional(),
  CODE_TEXTS_PER_DAY: z.coerce.number().int().min(0).max(10_000_000).default(500),
  ALERT_TEXTS_PER_DAY: z.coerce.number().int().min(0).max(10_000_000).default(5000),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[rs]k_(test|live)_\w+$/)
    .optional(),
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_').optional(),
  // Stripe's library takes a host and a port, and no path.
  STRIPE_API_BASE: z.union([z.literal('till:'), webUrl.regex(/^https?:\/\/[^/?#@]+\/?$/)]).optional(),
  STRIPE_PLANS: z
    .string()
    .regex(/^[^=,]+=[^=,]+(,[^=,]+=[^=,]+)*$/)
    .optional(),
  SITE_LISTS: z
    .string()
    .refine((text) => text.split(',').every((one) => listSetting.test(one.trim())))
    .optional(),
  NODE_ENV: z.string().optional(),
  TRUST_PROXY: z.union([z.enum(['on', 'off']), z.string().regex(/^[1-9]$/)]).default('off'),
  URGENT_AT_ONCE: z.coerce.number().int().min(1).max(100).default(serverLimits.urgent_at_once),
  BUSY_AFTER_MS: z.coerce.number().int().min(100).max(600_000).default(500),
  DATABASE_CONNECTIONS: connections(2, 10),
  DATABASE_CONNECTIONS_URGENT: connections(1, 4),
  DATABASE_CONNECTIONS_JOBS: connections(2, 6),
  CHAT_BASE_URL: webUrl.optional(),
  CHAT_WEBSITE_TOKEN: z
    .string()
    .regex(/^[\w-]{8,}$/)
    .optional(),
  CHAT_IDENTITY_KEY: z.string().min(8).optional(),
  SENTRY_DSN: webUrl.regex(/^https?:\/\/\w+(:\w+)?@[^/]+(\/[^/]+)*\/\d+$/).optional(),
  ANALYTICS_URL: webUrl.optional(),
  ANALYTICS_DOMAIN: z
    .string()
    .regex(/^[\w.-]+$/)
    .optional(),
  FEATURE_EMAIL_CHECK: toggle,
  FEATURE_UNVERIFIED_BANNER: toggle,
  FEATURE_GUARDIANS: toggle,
  FEATURE_SMS: toggle,
  FEATURE_PHONE_VERIFICATION: toggle,
});

const advice: Record<string, string> = {
  PORT: 'a number from 0 to 65535, for example 4380',
  URGENT_AT_ONCE: 'a number from 1 to 100, for example 8',
  BUSY_AFTER_MS: 'a number of milliseconds from 100 to 600000, for example 500',
  DATABASE_CONNECTIONS: 'a number of connections from 2 to 500, for example 10',
  DATABASE_CONNECTIONS_URGENT: 'a number of connections from 1 to 500, for example 4',
  DATABASE_CONNECTIONS_JOBS: 'a number of connections from 2 to 500, for example 6',
  TRUST_PROXY: 'off, on, or how many proxies of yours stand one behind the other, for example 2',
  PUBLIC_URL: 'the address people use, for example https://www.example.org',
  DATABASE_URL: 'a PostgreSQL address, for example postgres://user:password@host/porchlight',
  SECRET_KEY: 'at least 32 random characters; keep it, the database is sealed with it',
  SMTP_URL: 'a mail server, for example smtp://user:password@host:587',
  CHAT_BASE_URL: 'the address of your Chatwoot, for example https://chat.example.org',
  CHAT_WEBSITE_TOKEN: 'the website token of the inbox in Chatwoot',
  CHAT_IDENTITY_KEY: 'the identity validation key of the inbox in Chatwoot',
  SENTRY_DSN: 'the address that Sentry shows for the project, for example https://key@errors.example.org/1',
  ANALYTICS_URL: 'the address of the collector, for example https://stats.example.org',
  ANALYTICS_DOMAIN: 'the name of the site at the collector, for example www.example.org',
  TWILIO_ACCOUNT_SID: 'the account SID of Twilio, which begins with AC',
  TWILIO_AUTH_TOKEN: 'the auth token of Twilio',
  TWILIO_FROM: 'the number that texts come from, in full, for example +12025550143',
  TEXT_COUNTRIES: 'countries with two letters each, for example US,CA, or all',
  CODE_TEXTS_PER_DAY: 'how many code texts the whole service sends in a day at most, for example 500',
  ALERT_TEXTS_PER_DAY: 'how many alert texts the whole service sends in a day at most, for example 5000',
  STRIPE_SECRET_KEY: 'the secret or a restricted key of Stripe, which begins with sk_ or rk_',
  STRIPE_WEBHOOK_SECRET: 'the signing secret of the webhook at Stripe, which begins with whsec_',
  STRIPE_API_BASE: 'the address of something that speaks as Stripe does, without a path, for example https://api.stripe.com',
  STRIPE_PLANS: 'price ids with the names that people see, for example price_1=Individual,price_2=Friends & Family',
  SITE_LISTS:
    'addresses of lists with their format (auto, hosts, adblock, plain, or keep for sites that stay open), for example https://lists.example.org/scam.txt|hosts',
  TWILIO_API_BASE: 'the address of something that speaks as Twilio does, for example https://api.twilio.com',
};

/** Whether an address can only mean the computer on which it is opened. */
export const isLoopback = (url: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);

/** What works only together. */
const together = [
  ['CHAT_BASE_URL', 'CHAT_WEBSITE_TOKEN', 'CHAT_IDENTITY_KEY'],
  ['ANALYTICS_URL', 'ANALYTICS_DOMAIN'],
] as const;

/** `env`: as process.env; an empty value counts as not set. Throws `BadConfig`. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
    throw new BadConfig(names.map((name) => `${name} should be ${advice[name] ?? 'on or off'}.`).join('\n'));
  }
  const e = parsed.data;
  const production = e.NODE_ENV === 'production';
  const wrong: string[] = [];
  if (production && e.DATABASE_URL && !e.SECRET_KEY) wrong.push(`SECRET_KEY is missing: ${advice.SECRET_KEY}.`);
  if (production && !e.SMTP_URL) wrong.push(`SMTP_URL is missing: ${advice.SMTP_URL}. (SMTP_URL=mailbox: uses the local mailbox.)`);
  if (production && !e.PUBLIC_URL) wrong.push(`PUBLIC_URL is missing: ${advice.PUBLIC_URL}.`);
  for (const names of together) {
    const missing = names.filter((name) => !e[name]);
    if (missing.length < names.length) wrong.push(...missing.map((name) => `${name} is missing: ${advice[name]}.`));
  }
  const texts = textSettings(e, production, wrong);
  const payments = paymentSettings(e, production, wrong);
  if (wrong.length) throw new BadConfig(wrong.join('\n'));
  const on = (value: 'on' | 'off') => value === 'on';
  const bare = (url: string) => url.replace(/\/+$/, '');
  const public_url = bare(e.PUBLIC_URL ?? `http://localhost:${e.PORT}`);
  const local = isLoopback(public_url);
  return {
    port: e.PORT,
    host: e.HOST,
    public_url,
    data_dir: resolve(e.DATA_DIR),
    installers_dir: resolve(e.INSTALLERS_DIR ?? join(e.DATA_DIR, 'installers')),
    database_url: e.DATABASE_URL,
    secret_key: e.SECRET_KEY,
    smtp_url: e.SMTP_URL === 'mailbox:' ? undefined : e.SMTP_URL,
    mail_from: e.MAIL_FROM,
    texts,
    text_budget: { countries: textCountries(e.TEXT_COUNTRIES, texts), codes: e.CODE_TEXTS_PER_DAY, alerts: e.ALERT_TEXTS_PER_DAY },
    payments,
    simulator_pages: {
      mail: local || e.SMTP_URL === 'mailbox:',
      texts: local || e.TWILIO_API_BASE === 'mailbox:',
      payments: local || e.STRIPE_API_BASE === 'till:',
    },
    plan_names: planNamesIn(e.STRIPE_PLANS),
    site_lists: siteListsIn(e.SITE_LISTS),
    production,
    development: e.NODE_ENV === 'development',
    trust_proxy: e.TRUST_PROXY === 'off' ? 0 : e.TRUST_PROXY === 'on' ? 1 : Number(e.TRUST_PROXY),
    busy_after: e.BUSY_AFTER_MS,
    urgent_at_once: e.URGENT_AT_ONCE,
    connections: {
      shared: e.DATABASE_CONNECTIONS,
      urgent: e.DATABASE_CONNECTIONS_URGENT,
      background: e.DATABASE_CONNECTIONS_JOBS,
    },
    chat:
      e.CHAT_BASE_URL && e.CHAT_WEBSITE_TOKEN && e.CHAT_IDENTITY_KEY
        ? { base_url: bare(e.CHAT_BASE_URL), website_token: e.CHAT_WEBSITE_TOKEN, identity_key: e.CHAT_IDENTITY_KEY }
        : null,
    error_reporting: e.SENTRY_DSN ? { dsn: e.SENTRY_DSN } : null,
    analytics: e.ANALYTICS_URL && e.ANALYTICS_DOMAIN ? { url: bare(e.ANALYTICS_URL), domain: e.ANALYTICS_DOMAIN } : null,
    features: {
      email_check: on(e.FEATURE_EMAIL_CHECK),
      unverified_banner: on(e.FEATURE_UNVERIFIED_BANNER),
      guardians: on(e.FEATURE_GUARDIANS),
      sms: on(e.FEATURE_SMS),
      phone_verification: on(e.FEATURE_PHONE_VERIFICATION),
    },
  };
}

/** What may be right and is probably not, a sentence each, for the log at the start. */
export function warningsOf({ public_url, trust_proxy }: Config): string[] {
  if (isLoopback(public_url) || trust_proxy > 0) return [];
  return [
    `PUBLIC_URL is ${public_url} and TRUST_PROXY is off: behind a proxy all people share one address, and ten logins a minute lock everybody out; set TRUST_PROXY=on, or leave it if nothing stands in front of this server.`,
  ];
}

/** All three of Twilio's, or none of them and the local mailbox. Puts what is missing into `wrong`. */
function textSettings(e: z.infer<typeof schema>, production: boolean, wrong: string[]): Config['texts'] {
  if (e.FEATURE_SMS === 'off') return 'off';
  if (e.TWILIO_API_BASE === 'mailbox:') return 'mailbox';
  const { TWILIO_ACCOUNT_SID: account_sid, TWILIO_AUTH_TOKEN: auth_token, TWILIO_FROM: from } = e;
  if (account_sid && auth_token && from) {
    return { account_sid, auth_token, from, api_base: (e.TWILIO_API_BASE ?? 'https://api.twilio.com').replace(/\/+$/, '') };
  }
  if (production || account_sid || auth_token || from || e.TWILIO_API_BASE) {
    const hint = production ? ' (TWILIO_API_BASE=mailbox: uses the local mailbox.)' : '';
    const three = { TWILIO_ACCOUNT_SID: account_sid, TWILIO_AUTH_TOKEN: auth_token, TWILIO_FROM: from };
    for (const [name, value] of Object.entries(three)) if (!value) wrong.push(`${name} is missing: ${advice[name]}.${hint}`);
  }
  return 'mailbox';
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const isCountry = (code: string) => /^[A-Z]{2}$/.test(code) && regions.of(code) !== undefined;

const countriesIn = (text: string) => text.split(',').map((code) => code.trim().toUpperCase());

/** Until somebody says otherwise: the country of the sender's number, where texts cost least; everywhere with the local mailbox, where they cost nothing. */
function textCountries(given: string | undefined, texts: Config['texts']): Config['text_budget']['countries'] {
  if (given !== undefined) return given === 'all' ? 'all' : countriesIn(given);
  return typeof texts === 'object' ? 'home' : 'all';
}

/** Both of Stripe's, or none of them and the test shop. Puts what is missing into `wrong`. */
function paymentSettings(e: z.infer<typeof schema>, production: boolean, wrong: string[]): Config['payments'] {
  if (e.STRIPE_API_BASE === 'till:') return 'till';
  const { STRIPE_SECRET_KEY: secret_key, STRIPE_WEBHOOK_SECRET: webhook_secret } = e;
  if (secret_key && webhook_secret) {
    return { secret_key, webhook_secret, api_base: (e.STRIPE_API_BASE ?? 'https://api.stripe.com').replace(/\/+$/, '') };
  }
  if (production || secret_key || webhook_secret || e.STRIPE_API_BASE) {
    const hint = production ? ' (STRIPE_API_BASE=till: uses the test shop, where nothing is charged.)' : '';
    const two = { STRIPE_SECRET_KEY: secret_key, STRIPE_WEBHOOK_SECRET: webhook_secret };
    for (const [name, value] of Object.entries(two)) if (!value) wrong.push(`${name} is missing: ${advice[name]}.${hint}`);
  }
  return 'till';
}

/** `price_a=Individual,price_b=Friends & Family` */
function planNamesIn(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').filter((pair) => pair !== '');
  return Object.fromEntries(pairs.map((pair) => pair.split('=').map((part) => part.trim())));
}

/** `https://a.example/x.txt|hosts,https://b.example/y.txt`; without a format each line says itself what it is. */
function siteListsIn(text: string | undefined): Config['site_lists'] {
  const all = (text ?? '').split(',').filter((one) => one.trim() !== '');
  return all.map((one) => {
    const [url = '', format = 'auto'] = one.trim().split('|');
    return { url, format: format as Config['site_lists'][number]['format'] };
  });
}
