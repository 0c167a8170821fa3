import { join, resolve } from 'node:path';
import { brand } from '@porchlight/contract/brand.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { countriesIn, type Given } from './settings/known.ts';
import { readSettings } from './settings/read.ts';
import type { OperatorTexts } from './settings/template.ts';

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
  payments: StripeSettings | 'simulator';
  /** Which simulators have their pages open: those that were asked for by name, and all where people reach us as this computer. */
  simulator_pages: { mail: boolean; texts: boolean; payments: boolean };
  /** What people call the plans, by the id of the price (2.132); beside the names of our own shop. */
  plan_names: Record<string, string>;
  /** Lists of scam sites that are fetched once a day; `keep`: of sites that none of the others may block. */
  site_lists: { url: string; format: 'auto' | 'hosts' | 'adblock' | 'plain' | 'keep' }[];
  production: boolean;
  /** NODE_ENV=development, said by whoever works on the product; not merely where nothing was said. */
  development: boolean;
  /** Of pino. */
  log_level: string;
  /** How many proxies of ours stand in front: the address that the outermost of them saw is the caller's. 0: none is believed. */
  trust_proxy: number;
  /** Milliseconds that the event loop may be late, several seconds in a row, before calls are refused with 503. */
  busy_after: number;
  /** How many urgent emails, and how many urgent SMS, leave at a time. */
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

/** Whether an address can only mean the computer on which it is opened. */
export const isLoopback = (url: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);

/**
 * `env`: as process.env; an empty value counts as not set. `texts`: the operator's own words, which production insists on. Throws `BadConfig`, which
 * names everything that is wrong at once.
 */
export function readConfig(env: Record<string, string | undefined>, texts?: () => OperatorTexts): Config {
  const e = readSettings(env, texts);
  const port = number(e.PORT, 4380);
  const data_dir = resolve(e.DATA_DIR ?? 'data');
  const carried = textsBy(e);
  const bare = (url: string) => url.replace(/\/+$/, '');
  const public_url = bare(e.PUBLIC_URL ?? `http://localhost:${port}`);
  const local = isLoopback(public_url);
  return {
    port,
    host: e.HOST ?? '127.0.0.1',
    public_url,
    data_dir,
    installers_dir: resolve(e.INSTALLERS_DIR ?? join(data_dir, 'installers')),
    database_url: e.DATABASE_URL,
    secret_key: e.SECRET_KEY,
    smtp_url: e.SMTP_URL === 'mailbox:' ? undefined : e.SMTP_URL,
    mail_from: e.MAIL_FROM ?? `${brand.name} <${brand.support.email}>`,
    texts: carried,
    text_budget: {
      countries: textCountries(e.TEXT_COUNTRIES, carried),
      codes: number(e.CODE_TEXTS_PER_DAY, 500),
      alerts: number(e.ALERT_TEXTS_PER_DAY, 5000),
    },
    payments: paymentsBy(e),
    simulator_pages: {
      mail: local || e.SMTP_URL === 'mailbox:',
      texts: local || e.TWILIO_API_BASE === 'mailbox:',
      payments: local || e.STRIPE_API_BASE === 'till:',
    },
    plan_names: planNamesIn(e.STRIPE_PLANS),
    site_lists: siteListsIn(e.SITE_LISTS),
    production: e.NODE_ENV === 'production',
    development: e.NODE_ENV === 'development',
    log_level: e.LOG_LEVEL ?? 'info',
    trust_proxy: (e.TRUST_PROXY ?? 'off') === 'off' ? 0 : e.TRUST_PROXY === 'on' ? 1 : Number(e.TRUST_PROXY),
    busy_after: number(e.BUSY_AFTER_MS, 500),
    urgent_at_once: number(e.URGENT_AT_ONCE, serverLimits.urgent_at_once),
    connections: {
      shared: number(e.DATABASE_CONNECTIONS, 10),
      urgent: number(e.DATABASE_CONNECTIONS_URGENT, 4),
      background: number(e.DATABASE_CONNECTIONS_JOBS, 6),
    },
    chat:
      e.CHAT_BASE_URL && e.CHAT_WEBSITE_TOKEN && e.CHAT_IDENTITY_KEY
        ? { base_url: bare(e.CHAT_BASE_URL), website_token: e.CHAT_WEBSITE_TOKEN, identity_key: e.CHAT_IDENTITY_KEY }
        : null,
    error_reporting: e.SENTRY_DSN ? { dsn: e.SENTRY_DSN } : null,
    analytics: e.ANALYTICS_URL && e.ANALYTICS_DOMAIN ? { url: bare(e.ANALYTICS_URL), domain: e.ANALYTICS_DOMAIN } : null,
    features: {
      email_check: e.FEATURE_EMAIL_CHECK !== 'off',
      unverified_banner: e.FEATURE_UNVERIFIED_BANNER !== 'off',
      guardians: e.FEATURE_GUARDIANS !== 'off',
      sms: e.FEATURE_SMS !== 'off',
      phone_verification: e.FEATURE_PHONE_VERIFICATION !== 'off',
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

/** What is set, as a number; `unset` where it is not. */
const number = (text: string | undefined, unset: number) => (text === undefined ? unset : Number(text));

/** All three of Twilio's, or none of them and the local mailbox. */
function textsBy(e: Given): Config['texts'] {
  if (e.FEATURE_SMS === 'off') return 'off';
  const { TWILIO_ACCOUNT_SID: account_sid, TWILIO_AUTH_TOKEN: auth_token, TWILIO_FROM: from } = e;
  if (e.TWILIO_API_BASE === 'mailbox:' || !account_sid || !auth_token || !from) return 'mailbox';
  return { account_sid, auth_token, from, api_base: (e.TWILIO_API_BASE ?? 'https://api.twilio.com').replace(/\/+$/, '') };
}

/** Until somebody says otherwise: the country of the sender's number, where texts cost least; everywhere with the local mailbox, where they cost nothing. */
function textCountries(given: string | undefined, texts: Config['texts']): Config['text_budget']['countries'] {
  if (given !== undefined) return given === 'all' ? 'all' : countriesIn(given);
  return typeof texts === 'object' ? 'home' : 'all';
}

/** Both of Stripe's, or none of them and the test shop. */
function paymentsBy(e: Given): Config['payments'] {
  const { STRIPE_SECRET_KEY: secret_key, STRIPE_WEBHOOK_SECRET: webhook_secret } = e;
  if (e.STRIPE_API_BASE === 'till:' || !secret_key || !webhook_secret) return 'simulator';
  return { secret_key, webhook_secret, api_base: (e.STRIPE_API_BASE ?? 'https://api.stripe.com').replace(/\/+$/, '') };
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
