import { brand } from '@porchlight/contract/brand.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Listener } from './db/listen.ts';
import type { Db, Trx } from './db/open.ts';
import type { TrafficControl } from './db/traffic.ts';
import { accountMails } from './features/accounts/account-emails.ts';
import { browserStore } from './features/accounts/browsers.ts';
import { linkStore } from './features/accounts/links.ts';
import { phoneStore } from './features/accounts/phone-store.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { sessionStore } from './features/accounts/sessions.ts';
import { signupCodeStore } from './features/accounts/signup-codes.ts';
import { accountStore } from './features/accounts/store.ts';
import { exceptionRoutes } from './features/allow-list/routes.ts';
import { exceptionStore } from './features/allow-list/store.ts';
import { feeds } from './features/definitions/feeds.ts';
import { helpIn } from './features/definitions/help.ts';
import { reportStore } from './features/definitions/reports.ts';
import { definitionRoutes } from './features/definitions/routes.ts';
import { siteListStore } from './features/definitions/site-lists.ts';
import { definitionStore } from './features/definitions/store.ts';
import { answerStore } from './features/detections/answer-store.ts';
import { detectionRoutes } from './features/detections/routes.ts';
import { detectionStore } from './features/detections/store.ts';
import { codeStore } from './features/devices/code-store.ts';
import { deviceRoutes } from './features/devices/routes.ts';
import { deviceStore } from './features/devices/store.ts';
import { downloadFiles } from './features/downloads/files.ts';
import { installersIn } from './features/downloads/installers.ts';
import { downloadRoutes } from './features/downloads/routes.ts';
import { freeDownloadStore } from './features/downloads/store.ts';
import { updatesIn } from './features/downloads/updates.ts';
import { guardianStore } from './features/guardians/store.ts';
import { withoutGuardians } from './features/guardians/switched-off.ts';
import { policyRoutes } from './features/policies/routes.ts';
import { policyStore } from './features/policies/store.ts';
import { plans } from './features/subscriptions/plans.ts';
import { subscriptionRoutes } from './features/subscriptions/routes.ts';
import { untrueSavings } from './features/subscriptions/saving.ts';
import { subscriptionStore } from './features/subscriptions/store.ts';
import { webhookRoutes } from './features/subscriptions/webhook.ts';
import { supportRoutes } from './features/support/routes.ts';
import { supportStore } from './features/support/store.ts';
import type { FetchList } from './integrations/lists/lists.ts';
import type { Mailer } from './integrations/mail/mail.ts';
import type { Payments } from './integrations/payments/payments.ts';
import type { Texter } from './integrations/sms/sms.ts';
import { jobHandlers } from './job-handlers.ts';
import { enqueuer, forgetJobs } from './jobs/queue.ts';
import { type Worker, worker } from './jobs/worker.ts';
import { after, type Clock } from './lib/clock.ts';
import { gates as newGates } from './lib/gates.ts';
import { healthRoutes } from './lib/health.ts';
import { httpServer } from './lib/http.ts';
import { pageRoutes } from './lib/pages.ts';
import { passwords as newPasswords } from './lib/passwords.ts';
import { repeat } from './lib/repeat.ts';
import type { Sealer } from './lib/seal.ts';
import { securityTxt } from './lib/security-txt.ts';
import { signingKeys } from './lib/signing-keys.ts';
import { originsOf, toldToPage } from './lib/third-parties.ts';
import { wwwRedirect } from './lib/www-redirect.ts';
import { settingsStore } from './notifications/settings.ts';
import { wireAdmission } from './wire-admission.ts';
import { wireAgents } from './wire-agents.ts';
import { wireAlerts } from './wire-alerts.ts';
import { wireBounds } from './wire-bounds.ts';
import { wireCare } from './wire-care.ts';
import { wireGuardians } from './wire-guardians.ts';

export interface Outside {
  db: Db;
  traffic: TrafficControl;
  /** The delay of the event loop since it was read last, in milliseconds. */
  eventLoopDelay: () => number;
  listener: Listener;
  clock: Clock;
  log: Logger;
  mailer: Mailer;
  texter: Texter;
  payments: Payments;
  fetchList: FetchList;
  sealer: Sealer;
  definitions: Definition[];
  /** The folder of the built dashboard. */
  dashboard_dist: string;
  version: string;
}

export interface App {
  http: FastifyInstance;
  worker: Worker;
  /** What people are told of the plans and is not so, a sentence each. Asks Stripe, and rejects where that does not answer. */
  untrueOfPlans(): Promise<string[]>;
  /** Finishes what is under way and stops. What it was given stays open. */
  close(): Promise<void>;
}

/** The wiring list: every slice is built once, and uses only what stands above it. */
export async function buildApp(config: Config, outside: Outside): Promise<App> {
  const { db, clock, log, texter, payments, sealer } = outside;
  const dashboard_url = `${config.public_url}/dashboard`;
  const https = config.public_url.startsWith('https:');

  const keys = await signingKeys(db, sealer);
  const enqueue = enqueuer(clock);
  const bounds = wireBounds({ ...outside, config, enqueue });
  const { limit, guard } = bounds;

  const { phone_verification, guardians: has_guardians } = config.features;
  const accounts = accountStore(db, clock, phone_verification);
  const sessions = sessionStore(db, clock);
  const links = linkStore(clock);
  const phones = phoneStore(db, clock);
  const mails = accountMails({ db, store: accounts, links, enqueue, dashboard_url });
  const signupCodes = signupCodeStore(db, clock);
  const support = supportStore(db);
  const subscriptions = subscriptionStore(db, clock);
  const policies = policyStore(db, clock);
  const devices = deviceStore(db, clock);
  const codes = codeStore(db, clock);
  const exceptions = exceptionStore(db, clock);
  const allGuardians = guardianStore(db, clock, sealer, phone_verification);
  const guardians = has_guardians ? allGuardians : withoutGuardians(allGuardians);
  const detections = detectionStore(db, clock);
  const answers = answerStore(db, clock);
  const installers = installersIn(config.installers_dir, (err) => log.warn({ err }, 'an installer cannot be read'));
  const definitions = definitionStore(db, clock, sealer);
  const helpOf = helpIn(definitions.inForce);
  const nameOf = async (...args: Parameters<typeof accounts.byUuid>) => (await accounts.byUuid(...args)).name;

  const paid = plans({
    db,
    clock,
    log,
    enqueue,
    store: subscriptions,
    stripe: payments.stripe,
    livemode: payments.livemode,
    plan_names: config.plan_names,
    development: config.development,
    dashboard_url,
    personOf: accounts.byUuid,
    policiesChange: devices.bumpPolicies,
    forgetJobs: forgetJobs(db),
  });
  const confirmed = async (account: string) => !config.features.email_check || (await accounts.byUuid(account)).email_verified;

  /** The device's page needs a plan, and a lapsed one never hides an alert (P9.4). */
  const alertUrl = async (trx: Trx, account: string, alert: string) =>
    (await subscriptions.isValid(account, trx)) ? `${dashboard_url}/detection/${alert}` : `${dashboard_url}/history?detectionId=${alert}`;

  const settings = settingsStore(db);
  const alerts = wireAlerts({ ...outside, config, enqueue, dashboard_url, accounts, phones, guardians, settings });
  const wishedOf = (trx: Trx, device: string, name: string, time: Date) =>
    detections.alertNamed(trx, device, name, after(time, -serverLimits.wish_about), time);
  const care = wireCare({ ...outside, limit, enqueue, settings, has_guardians, dashboard_url, nameOf, alerts, alertUrl, wishedOf });
  const { weaken } = care;

  await definitions.publish({ definitions: outside.definitions });
  const feed = feeds({
    ...outside,
    enqueue,
    forgetJobs: forgetJobs(db),
    lists: config.site_lists,
    store: siteListStore(db, clock),
    definitions,
  });

  const gates = newGates({
    sessionOf: sessions.find,
    hasValidPlan: subscriptions.isValid,
    deviceOf: codes.deviceOf,
    guardianOf: guardians.ofSession,
    email_check: config.features.email_check,
  });

  const known = { accounts, phones, devices, detections, answers, guardians, alerts, helpOf };
  const circle = wireGuardians({
    ...outside,
    ...known,
    ...bounds,
    config,
    gates,
    enqueue,
    dashboard_url,
    nameOf,
    weaken,
    mayInvite: confirmed,
  });

  const { admission, refusedAgent, close: closeAdmission } = wireAdmission({ ...outside, config });
  const http = await httpServer(log, {
    trust_proxy: config.trust_proxy,
    traffic: outside.traffic,
    admission,
    https,
    version: outside.version,
    name: brand.name,
    origins: originsOf(config),
  });
  wwwRedirect(http, config.public_url);
  healthRoutes(http, db, clock);
  securityTxt(http, clock, { contact: brand.support.email, public_url: config.public_url });

  accountRoutes(http, {
    db,
    clock,
    gates,
    store: accounts,
    sessions,
    links,
    phones,
    mails,
    sealer,
    browsers: browserStore(db, clock, sealer),
    welcome: guard.welcome,
    passwords: newPasswords(),
    ...bounds,
    enqueue,
    secure_cookies: https,
    texts_from: texter.from,
    sms: config.features.sms,
    newAccount: () => ({ device_limit: 0, external: false, lifetime: false }),
    useSignupCode: signupCodes.use,
    livePromo: paid.promos.liveCode,
    supportOf: support.of,
    pinChanged: devices.bumpPolicies,
    holderChanged: devices.bumpPolicies,
    weaken,
  });
  subscriptionRoutes(http, { ...paid, gates, limit, log, store: subscriptions, mayOrder: confirmed });
  await webhookRoutes(http, { gates, clock, log, store: subscriptions, sync: paid.sync, payments });
  policyRoutes(http, { db, gates, store: policies, profileChanged: devices.profileChanged, weaken });
  supportRoutes(http, { gates, personOf: accounts.byUuid, identity_key: config.chat?.identity_key ?? null });
  deviceRoutes(http, {
    db,
    clock,
    gates,
    store: devices,
    codes,
    ...bounds,
    enqueue,
    dashboard_url,
    server: config.public_url,
    link_key: keys.link,
    hasPolicy: policies.holds,
    stopsLess: policies.stopsLess,
    weaken,
    deviceLimitOf: subscriptions.deviceLimit,
    signupCodeOf: signupCodes.look,
  });
  const updates = updatesIn(config.installers_dir, (err) => log.warn({ err }, 'the update of the agent cannot be given'));
  downloadRoutes(http, { gates, limit, installers, updates, store: freeDownloadStore(db, clock) });
  await downloadFiles(http, installers, updates);
  const ownsDevice = async (account: string, uuid: string) => (await devices.get(account, uuid)) !== null;
  exceptionRoutes(http, {
    db,
    clock,
    gates,
    store: exceptions,
    limit,
    definitions: definitions.inForce,
    ownsDevice,
    policyChanges: devices.bumpPolicy,
    weaken,
  });
  detectionRoutes(http, {
    db,
    gates,
    clock,
    limit,
    store: detections,
    answers,
    helpOf,
    ownsDevice,
    nameOf,
    reportWrong: reportStore(db, clock).add,
    toldOf: alerts.deliveries.of,
    seenOf: circle.seenOf,
  });
  definitionRoutes(http, { gates, definitions });
  await alerts.routes(http, gates);
  circle.routes(http);
  care.routes(http, gates);
  const agents = wireAgents(http, {
    ...outside,
    admission,
    ...known,
    gates,
    ...bounds,
    public_url: config.public_url,
    dashboard_url,
    alertUrl,
    keys,
    codes,
    exceptions,
    definitions,
    hasValidPlan: subscriptions.isValid,
    silences: care.silences,
  });

  http.get('/api/docs', { schema: { hide: true } }, async () => http.swagger());
  await pageRoutes(http, outside.dashboard_dist, {
    host: config.public_url,
    support: brand.support,
    development: !config.production,
    max_guardians: serverLimits.guardians_max,
    features: config.features,
    ...toldToPage(config),
  });
  const handlers = jobHandlers({ ...outside, ...bounds, phones, mails, hostname: new URL(config.public_url).hostname });
  const all = { ...handlers, ...paid.night.handlers, ...care.handlers, ...circle.handlers, ...feed.handlers };
  const { settled } = alerts.deliveries;
  const jobs = worker({ ...outside, handlers: all, settled, urgent_at_once: config.urgent_at_once });
  await feed.queueNext();
  const queueNext = async () => {
    await feed.queueNextDay();
    await paid.night.queueNext();
    await care.queueNext();
  };
  await queueNext();
  // A look that ended before it queued the next one, as on a server that does not know it, is not the last one.
  const upkeep = repeat(
    serverLimits.outage_look / 4,
    async () => {
      const refused = refusedAgent();
      if (refused) await care.noteRefused(refused);
      await queueNext();
    },
    (err) => log.warn({ err }, 'the next looks could not be queued'),
  );
  return {
    http,
    worker: jobs,
    untrueOfPlans: async () => untrueSavings(await paid.products.list()),
    async close() {
      agents.close();
      await upkeep.close();
      closeAdmission();
      await http.close();
      await jobs.close();
    },
  };
}
