import { join, resolve } from 'node:path';
import { brand, definitionsFeed } from '@porchlight/contract/brand.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { countriesIn } from './settings/groups/notifications.ts';
import type { GivenSettings } from './settings/known.ts';
import { readSettings } from './settings/read.ts';
import type { OperatorTexts } from './settings/template.ts';

/** All settings, read once (P7.1). Each is optional. */
export interface Config {
  /** `gateway`: only the long polls of agents. `worker`: only mails and other work in the background. `web`: all calls. */
  role: 'all' | 'web' | 'gateway' | 'worker';
  /** Null: events arrive through PostgreSQL alone. */
  nats_url: string | null;
  port: number;
  host: string;
  public_url: string;
  data_dir: string;
  /** Folder of porchlight.exe and porchlight.pkg. */
  installers_dir: string;
  /** File with the key that updates are signed with; missing before the first installer was built. */
  release_key: string;
  /** Off: the operator builds the installers elsewhere, where the release key is. */
  installers_build: boolean;
  /** Undefined: an embedded PostgreSQL in `data_dir`. */
  database_url: string | undefined;
  /** Undefined: a key is generated in `data_dir`. */
  secret_key: string | undefined;
  /** Undefined: mail goes to the local mailbox. */
  smtp_url: string | undefined;
  mail_from: string;
  /** The carrier of SMS; `off` with FEATURE_SMS=off. */
  texts: TwilioSettings | 'mailbox' | 'off';
  /** Phone calls, by the carrier of SMS. */
  voice: boolean;
  /** `home`: the country of the sender's number. `codes`, `alerts`: SMS per day of the whole server (P11.5). */
  sms_budget: { countries: string[] | 'all' | 'home'; codes: number; alerts: number };
  /** Web Push (P11.6); `simulator`: subscriptions of simulated browsers. `services`: the operator's own, hosts or `*.` with a domain. */
  push: { by: 'services' | 'simulator' | 'off'; services: string[] };
  /** `simulator`: the local Stripe simulator, which charges nothing. */
  payments: StripeSettings | 'simulator';
  /** The pages are open if set explicitly, or if `public_url` is loopback. */
  simulator_pages: { mail: boolean; texts: boolean; payments: boolean };
  /** Names of plans by Stripe's price id (2.132), added to those of the simulator. */
  plan_names: Record<string, string>;
  /** Lists of scam sites, fetched once a day; `keep`: a list of sites that no other list may block. */
  site_lists: SiteListSettings;
  /** The feed of definitions; null: only what ships with this version counts. `root`: the pinned key. */
  definitions_feed: { url: string; root: string } | null;
  production: boolean;
  /** NODE_ENV=development was set explicitly; not merely the absence of NODE_ENV. */
  development: boolean;
  log_level: string;
  /** The number of our own proxies in front. 0: forwarded addresses are ignored. */
  trust_proxy: number;
  /** Event loop lag in milliseconds that, over several seconds, causes refusals with 503. */
  busy_after: number;
  /** How many urgent emails, and how many urgent SMS, are sent concurrently. */
  urgent_at_once: number;
  connections: { shared: number; urgent: number; background: number };
  /** `/metrics`; both null: nowhere. `port`: of its own. `token`: asked for on it, and opens it at the address of the server too. */
  metrics: { port: number | null; host: string; token: string | null };
  /** Whom the server notifies of what concerns the whole service. */
  operator: { email: string; phone: string | null; webhook: string | null };
  /** In hours: an older backup is reported to the operator. Null: none is. */
  backup_alert: number | null;
  /** Null: the log goes to standard output. */
  log_file: { path: string; max_mb: number; older: number } | null;
  /** Third parties that the dashboard may load; null: never loaded (P7.2). */
  chat: { base_url: string; website_token: string; identity_key: string } | null;
  error_reporting: { dsn: string } | null;
  analytics: { url: string; domain: string } | null;
  features: { email_check: boolean; unverified_banner: boolean; guardians: boolean; sms: boolean; phone_verification: boolean };
}

export interface TwilioSettings {
  account_sid: string;
  auth_token: string;
  from: string;
  api_base: string;
}

/** `first`: the list that ships with the server. `default`: the lists of definitions/default-lists.ts. `own`: the operator's. */
export interface SiteListSettings {
  first: boolean;
  default: boolean;
  own: { url: string; format: 'auto' | 'hosts' | 'adblock' | 'plain' | 'keep' | 'young' }[];
}

export interface StripeSettings {
  secret_key: string;
  /** Signs the events at /api/stripe/webhook. */
  webhook_secret: string;
  api_base: string;
}

export const isLoopback = (url: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);

/** An empty setting counts as not set. `texts`: the operator's own, required in production. Throws `BadConfig` with all errors. */
export function readConfig(env: Record<string, string | undefined>, texts?: () => OperatorTexts): Config {
  const e = readSettings(env, texts);
  const port = number(e.PORT, 4380);
  const data_dir = resolve(e.DATA_DIR ?? 'data');
  const smsCarrier = smsCarrierOf(e);
  const withoutSlash = (url: string) => url.replace(/(?<!\/)\/+$/, '');
  const public_url = withoutSlash(e.PUBLIC_URL ?? `http://localhost:${port}`);
  const local = isLoopback(public_url);
  return {
    role: (e.ROLE as Config['role'] | undefined) ?? 'all',
    nats_url: e.NATS_URL ?? null,
    port,
    host: e.HOST ?? '127.0.0.1',
    public_url,
    data_dir,
    installers_dir: resolve(e.INSTALLERS_DIR ?? join(data_dir, 'installers')),
    release_key: resolve(e.RELEASE_KEY ?? join(data_dir, 'release-key.json')),
    installers_build: e.INSTALLERS_BUILD !== 'off',
    database_url: e.DATABASE_URL,
    secret_key: e.SECRET_KEY,
    smtp_url: e.SMTP_URL === 'mailbox:' ? undefined : e.SMTP_URL,
    mail_from: e.MAIL_FROM ?? `${brand.name} <${brand.support.email}>`,
    texts: smsCarrier,
    // Twilio cannot ask a server on loopback what to say, so there calls are switched on by themselves only with the simulator.
    voice: smsCarrier !== 'off' && (e.VOICE === undefined ? smsCarrier === 'mailbox' || !local : e.VOICE === 'on'),
    sms_budget: {
      countries: smsCountriesOf(e.TEXT_COUNTRIES, smsCarrier),
      codes: number(e.CODE_TEXTS_PER_DAY, 500),
      alerts: number(e.ALERT_TEXTS_PER_DAY, 5000),
    },
    push: { by: pushOf(e, local), services: listOf(e.PUSH_SERVICES) },
    payments: paymentsOf(e),
    simulator_pages: {
      mail: local || e.SMTP_URL === 'mailbox:',
      texts: local || e.TWILIO_API_BASE === 'mailbox:',
      payments: local || e.STRIPE_API_BASE === 'till:',
    },
    plan_names: planNamesIn(e.STRIPE_PLANS),
    site_lists: siteListsIn(e.SITE_LISTS),
    definitions_feed: definitionsFeedIn(e.DEFINITIONS_FEED ?? definitionsFeed.url, e.DEFINITIONS_FEED_KEY ?? definitionsFeed.root),
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
    metrics: {
      port: e.METRICS_PORT === undefined ? null : Number(e.METRICS_PORT),
      host: e.METRICS_HOST ?? '127.0.0.1',
      token: e.METRICS_TOKEN ?? null,
    },
    operator: {
      email: e.OPERATOR_EMAIL ?? brand.support.email,
      phone: e.OPERATOR_PHONE ?? null,
      webhook: e.OPERATOR_WEBHOOK ?? null,
    },
    backup_alert: e.BACKUP_ALERT_HOURS === 'off' ? null : number(e.BACKUP_ALERT_HOURS, 36),
    log_file: e.LOG_FILE ? { path: resolve(e.LOG_FILE), max_mb: number(e.LOG_FILE_MB, 20), older: number(e.LOG_FILES, 10) } : null,
    chat:
      e.CHAT_BASE_URL && e.CHAT_WEBSITE_TOKEN && e.CHAT_IDENTITY_KEY
        ? { base_url: withoutSlash(e.CHAT_BASE_URL), website_token: e.CHAT_WEBSITE_TOKEN, identity_key: e.CHAT_IDENTITY_KEY }
        : null,
    error_reporting: e.SENTRY_DSN ? { dsn: e.SENTRY_DSN } : null,
    analytics: e.ANALYTICS_URL && e.ANALYTICS_DOMAIN ? { url: withoutSlash(e.ANALYTICS_URL), domain: e.ANALYTICS_DOMAIN } : null,
    features: {
      email_check: e.FEATURE_EMAIL_CHECK !== 'off',
      unverified_banner: e.FEATURE_UNVERIFIED_BANNER !== 'off',
      guardians: e.FEATURE_GUARDIANS !== 'off',
      sms: e.FEATURE_SMS !== 'off',
      phone_verification: e.FEATURE_PHONE_VERIFICATION !== 'off',
    },
  };
}

/** Warns of valid settings that are probably wrong, a sentence each, for the log at start. */
export function warningsOf({ public_url, trust_proxy }: Config): string[] {
  if (isLoopback(public_url) || trust_proxy > 0) return [];
  return [
    `PUBLIC_URL is ${public_url} and TRUST_PROXY is off: behind a proxy all people share one address, and ten logins a minute lock everybody out; set TRUST_PROXY=on, or leave it if nothing stands in front of this server.`,
  ];
}

const number = (text: string | undefined, fallback: number) => (text === undefined ? fallback : Number(text));

/** Unless SMS is off: Twilio if all three of its settings are there and the mailbox was not asked for, else the local mailbox. */
function smsCarrierOf(e: GivenSettings): Config['texts'] {
  if (e.FEATURE_SMS === 'off') return 'off';
  const { TWILIO_ACCOUNT_SID: account_sid, TWILIO_AUTH_TOKEN: auth_token, TWILIO_FROM: from } = e;
  if (e.TWILIO_API_BASE === 'mailbox:' || !account_sid || !auth_token || !from) return 'mailbox';
  return { account_sid, auth_token, from, api_base: (e.TWILIO_API_BASE ?? 'https://api.twilio.com').replace(/(?<!\/)\/+$/, '') };
}

/** Push needs no account, so it is on wherever people reach this server by a name of its own. */
function pushOf({ PUSH, NODE_ENV }: GivenSettings, local: boolean): Config['push']['by'] {
  if (PUSH === 'off') return 'off';
  return PUSH === 'mailbox:' || (PUSH === undefined && NODE_ENV !== 'production' && local) ? 'simulator' : 'services';
}

/** SMS to the sender's own country cost least; the local mailbox is free. */
function smsCountriesOf(setting: string | undefined, texts: Config['texts']): Config['sms_budget']['countries'] {
  if (setting !== undefined) return setting === 'all' ? 'all' : countriesIn(setting);
  return typeof texts === 'object' ? 'home' : 'all';
}

function paymentsOf(e: GivenSettings): Config['payments'] {
  const { STRIPE_SECRET_KEY: secret_key, STRIPE_WEBHOOK_SECRET: webhook_secret } = e;
  if (e.STRIPE_API_BASE === 'till:' || !secret_key || !webhook_secret) return 'simulator';
  return { secret_key, webhook_secret, api_base: (e.STRIPE_API_BASE ?? 'https://api.stripe.com').replace(/(?<!\/)\/+$/, '') };
}

const listOf = (text = '') => text.split(',').flatMap((entry) => entry.trim().toLowerCase() || []);

/** The text is like `price_a=Individual,price_b=Friends & Family`. */
function planNamesIn(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').filter((pair) => pair !== '');
  return Object.fromEntries(pairs.map((pair) => pair.split('=').map((field) => field.trim())));
}

/** The text is `off`, or like `default,https://a.example/x.txt|hosts`; without a format, lines are detected one by one. */
const definitionsFeedIn = (url: string, root: string) => (url === '' || url === 'off' || root === '' ? null : { url, root });

function siteListsIn(text = 'default'): SiteListSettings {
  const entries = text.split(',').map((entry) => entry.trim());
  const own = entries
    .filter((entry) => !['off', 'default', 'first'].includes(entry))
    .map((entry) => {
      const [url = '', format = 'auto'] = entry.split('|');
      return { url, format: format as SiteListSettings['own'][number]['format'] };
    });
  const isDefault = entries.includes('default');
  return { first: isDefault || entries.includes('first'), default: isDefault, own };
}
