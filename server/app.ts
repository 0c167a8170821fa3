import { brand } from '@porchlight/contract/brand.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { PublishedList } from '@porchlight/definitions/default-lists.ts';
import type { FirstList } from '@porchlight/definitions/first-list.ts';
import type { Definition } from '@porchlight/definitions/format.ts';
import { mayRest } from '@porchlight/definitions/money/money-sites.ts';
import { oneTimeCode } from '@porchlight/definitions/one-time-code.ts';
import { isSharedHost } from '@porchlight/definitions/sites/public-suffix.ts';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { deleteOld } from './db/delete-old.ts';
import type { Listener } from './db/listen.ts';
import type { Db, Trx } from './db/open.ts';
import type { TrafficControl } from './db/traffic.ts';
import { accountDataRoutes } from './features/accounts/account-data-routes.ts';
import { accountDeletion } from './features/accounts/account-deletion.ts';
import { accountEmails } from './features/accounts/account-emails.ts';
import { accountExport } from './features/accounts/account-export.ts';
import { pinRenewal, sealedPin } from './features/accounts/admin-pin.ts';
import { browserStore } from './features/accounts/browsers.ts';
import { deletionRequests } from './features/accounts/deletion-request.ts';
import { deletionStore } from './features/accounts/deletion-store.ts';
import { holderProving } from './features/accounts/holder-proof.ts';
import { linkStore } from './features/accounts/links.ts';
import { loggingIn } from './features/accounts/log-in.ts';
import { phoneStore } from './features/accounts/phone-store.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { sessionStore } from './features/accounts/sessions.ts';
import { authenticatorStore } from './features/accounts/sign-in-methods/authenticator-store.ts';
import { signInMethodsOf } from './features/accounts/sign-in-methods/methods.ts';
import { passkeyParts } from './features/accounts/sign-in-methods/passkeys.ts';
import { recoveryCodeStore } from './features/accounts/sign-in-methods/recovery-codes.ts';
import { signupCodeStore } from './features/accounts/signup-codes.ts';
import { accountStore } from './features/accounts/store.ts';
import { weakeningGate } from './features/activity-log/gate.ts';
import { activityRoutes } from './features/activity-log/routes.ts';
import { activityStore } from './features/activity-log/store.ts';
import { undoStore } from './features/activity-log/undo-store.ts';
import { newLongPolls } from './features/agents/long-polls.ts';
import { recipientsOf } from './features/agents/notified.ts';
import { pinHashes } from './features/agents/pins.ts';
import { wakeOnEvents } from './features/agents/poll-events.ts';
import { devicePolls } from './features/agents/polls/device-polls.ts';
import { newestDefinitions } from './features/agents/polls/newest-definitions.ts';
import { newOpenPolls } from './features/agents/polls/open-polls.ts';
import type { PollBackend } from './features/agents/polls/poll-backend.ts';
import { presenceOf } from './features/agents/polls/presence.ts';
import { pollRoute } from './features/agents/polls/route.ts';
import { agentRoutes } from './features/agents/routes.ts';
import { deviceUse } from './features/agents/use.ts';
import { allowUntil } from './features/allow-list/allow-until.ts';
import { allowListRoutes } from './features/allow-list/routes.ts';
import { allowListStore } from './features/allow-list/store.ts';
import { browsingProtectionRoutes } from './features/browsing-protection/routes.ts';
import { browsingProtectionStore } from './features/browsing-protection/store.ts';
import { consentCalls } from './features/call-consent/call.ts';
import { agreedNumbers, callConsentRoutes } from './features/call-consent/routes.ts';
import { callConsentStore } from './features/call-consent/store.ts';
import { feeds } from './features/definitions/feeds.ts';
import { helpIn } from './features/definitions/help.ts';
import { reportStore } from './features/definitions/reports.ts';
import { definitionRoutes } from './features/definitions/routes.ts';
import { allOldSince, siteListStore } from './features/definitions/site-lists.ts';
import { definitionStore } from './features/definitions/store.ts';
import { type Answered, answerStore } from './features/detections/answer-store.ts';
import { detectionIntake } from './features/detections/intake.ts';
import { alertsForGuardians, detectionRoutes } from './features/detections/routes.ts';
import { isWaiting } from './features/detections/rules.ts';
import { detectionStore } from './features/detections/store.ts';
import { outageStore } from './features/device-health/outage-store.ts';
import { deviceOutages } from './features/device-health/outages.ts';
import { extendUptime } from './features/device-health/uptime.ts';
import { deviceWatch } from './features/device-health/watch.ts';
import { harmlessKinds, watchStore } from './features/device-health/watch-store.ts';
import { codeStore } from './features/devices/code-store.ts';
import { deviceRoutes } from './features/devices/routes.ts';
import { deviceStore } from './features/devices/store.ts';
import { backgroundBuild, installersOfServer } from './features/downloads/background-build.ts';
import { buildFolder } from './features/downloads/build-folder.ts';
import { downloadFiles } from './features/downloads/files.ts';
import { installersIn } from './features/downloads/installers.ts';
import { downloadRoutes } from './features/downloads/routes.ts';
import { freeDownloadStore } from './features/downloads/store.ts';
import { updatesIn } from './features/downloads/updates.ts';
import { emergencyEnds } from './features/emergency/ends.ts';
import { helpPresses } from './features/emergency/help.ts';
import { emergencyRoutes, type GuardianCaller as StoppingGuardian } from './features/emergency/routes.ts';
import { guardianStops } from './features/emergency/stops.ts';
import { emergencyStore } from './features/emergency/store.ts';
import { guardianCallRules, personCallRules } from './features/escalation/call-rules.ts';
import { escalations } from './features/escalation/escalations.ts';
import { escalationPeople, type UserAt } from './features/escalation/people.ts';
import { escalationStore } from './features/escalation/store.ts';
import { textReplies } from './features/escalation/text-replies.ts';
import { escalationOnPage } from './features/escalation/view.ts';
import { fireDrills } from './features/fire-drill/drills.ts';
import { fireDrillRoutes } from './features/fire-drill/routes.ts';
import { acknowledgementStore } from './features/guardians/acknowledgement-store.ts';
import { guardianDecliner } from './features/guardians/decline.ts';
import { lostLinkMails } from './features/guardians/lost-link.ts';
import { mailEnds } from './features/guardians/mail-ends.ts';
import { guardianRecipients } from './features/guardians/recipients.ts';
import { guardianRoutes } from './features/guardians/routes.ts';
import { type GuardianRow, guardianStore } from './features/guardians/store.ts';
import { withoutGuardians } from './features/guardians/switched-off.ts';
import type { GuardianCaller } from './features/guardians/view.ts';
import { visitStore } from './features/guardians/visit-store.ts';
import { answerCodes } from './features/incidents/answer-codes.ts';
import { incidentAnswers, requireProof } from './features/incidents/answers.ts';
import { answerAuthority, type Reader } from './features/incidents/authority.ts';
import { belongingStore } from './features/incidents/belonging-store.ts';
import { callsWait } from './features/incidents/calls-wait.ts';
import { incidentCheckup } from './features/incidents/checkup.ts';
import { deviceNetworkStore } from './features/incidents/device-networks.ts';
import { incidentEnds } from './features/incidents/ends.ts';
import { holdFactStore } from './features/incidents/fact-store.ts';
import { firstHours } from './features/incidents/first-hours.ts';
import { guardianProof } from './features/incidents/guardian-proof.ts';
import { holdSettingsStore } from './features/incidents/hold-settings.ts';
import { holderProofs } from './features/incidents/holder-proofs.ts';
import { holds } from './features/incidents/holds.ts';
import { incidentOpeners } from './features/incidents/openers.ts';
import { requestStore } from './features/incidents/request-store.ts';
import { incidentRoutes } from './features/incidents/routes.ts';
import { startAnswerStore } from './features/incidents/start-answers.ts';
import { from_account, type IncidentRow, incidentStore, stateOf } from './features/incidents/store.ts';
import { takeBack } from './features/incidents/take-back.ts';
import { unansweredIncidents } from './features/incidents/unanswered.ts';
import { incidentViews } from './features/incidents/view.ts';
import { callMetrics } from './features/metrics/call-metrics.ts';
import { jobMetrics } from './features/metrics/job-metrics.ts';
import { type Metrics, newRegistry, serverMetrics } from './features/metrics/metrics.ts';
import { metricsRoute } from './features/metrics/route.ts';
import { oneTimeCodeRoutes } from './features/one-time-codes/routes.ts';
import { codeSecretStore } from './features/one-time-codes/secret-store.ts';
import { stoppedPrograms } from './features/one-time-codes/stopped-programs.ts';
import { oneTimeCodeStore } from './features/one-time-codes/store.ts';
import { operatorAlerts } from './features/operator-alerts/alerts.ts';
import type { OperatorSurroundings } from './features/operator-alerts/surroundings.ts';
import { policyRoutes } from './features/policies/routes.ts';
import { policyStore } from './features/policies/store.ts';
import { pushRoutes } from './features/push/routes.ts';
import { pushJob } from './features/push/send.ts';
import { pushStore } from './features/push/store.ts';
import { scanIntake } from './features/scans/intake.ts';
import { plans } from './features/subscriptions/plans.ts';
import { subscriptionRoutes } from './features/subscriptions/routes.ts';
import { wrongSavings } from './features/subscriptions/saving.ts';
import { subscriptionStore } from './features/subscriptions/store.ts';
import { webhookRoutes } from './features/subscriptions/webhook.ts';
import { supportRoutes } from './features/support/routes.ts';
import { supportStore } from './features/support/store.ts';
import { unlistedProtectionRoutes } from './features/unlisted-protection/routes.ts';
import { unlistedProtectionStore } from './features/unlisted-protection/store.ts';
import { weeklyMails } from './features/weekly-report/reports.ts';
import { isUnreadable } from './http/caller-of.ts';
import { codeGuard } from './http/code-guard.ts';
import { gates as newGates } from './http/gates.ts';
import { healthRoutes } from './http/health.ts';
import { httpServer } from './http/http.ts';
import { pageRoutes } from './http/pages.ts';
import { attemptCounter, attemptsBack, attemptsForgotten, countKeys, limiter } from './http/rate-limit.ts';
import { serveOnly } from './http/role-routes.ts';
import { securityTxt } from './http/security-txt.ts';
import { serverAdmission } from './http/server-admission.ts';
import { originsOf, pageSettings } from './http/third-parties.ts';
import { unreadableCallers } from './http/unreadable-callers.ts';
import { wwwRedirect } from './http/www-redirect.ts';
import { xsrfTokens } from './http/xsrf.ts';
import type { InstallerBuilder } from './integrations/installers/installers.ts';
import type { FetchList } from './integrations/lists/lists.ts';
import type { Mailer } from './integrations/mail/mail.ts';
import type { Payments } from './integrations/payments/payments.ts';
import type { PushSender } from './integrations/push/push.ts';
import type { SmsSender } from './integrations/sms/sms.ts';
import type { VoiceCaller } from './integrations/voice/voice.ts';
import { answerFirst, callOutcomes, jobHandlers, pushOutcomes } from './job-handlers.ts';
import { hourly } from './jobs/hourly.ts';
import { enqueuer, forgetJobs } from './jobs/queue.ts';
import { type JobHandlers, noWorker, type Worker, worker } from './jobs/worker.ts';
import { after, type Clock } from './lib/clock.ts';
import { fail } from './lib/errors.ts';
import { repeat } from './lib/repeat.ts';
import { callJob } from './notifications/calls/call-job.ts';
import type { CallRules } from './notifications/calls/call-script.ts';
import { callStore } from './notifications/calls/call-store.ts';
import { callWebhooks } from './notifications/calls/call-webhooks.ts';
import { notifications } from './notifications/notifications.ts';
import { renameStore } from './notifications/renames.ts';
import { settingsStore } from './notifications/settings.ts';
import { settingsRoutes } from './notifications/settings-routes.ts';
import type { AlertUrl, DeviceOwnership, DevicesNear, NameLookup } from './ports.ts';
import { passwords as newPasswords } from './secrets/passwords.ts';
import type { Sealer } from './secrets/seal.ts';
import { signingKeys } from './secrets/signing-keys.ts';
import { atComputer } from './texts/at-computer.ts';
import { budgetEmail } from './texts/budget-email.ts';
import { budgets } from './texts/budgets.ts';
import { firstName } from './texts/formatting.ts';
import { maskedAddress } from './texts/mask-address.ts';
import { homeCountriesOf } from './texts/phone.ts';

export interface AppDeps {
  db: Db;
  traffic: TrafficControl;
  eventLoopDelay: () => number;
  listener: Listener;
  clock: Clock;
  log: Logger;
  mailer: Mailer;
  smsSender: SmsSender;
  voiceCaller: VoiceCaller;
  pushSender: PushSender;
  payments: Payments;
  /** Null: the operator builds the installers elsewhere. */
  installerBuilder: InstallerBuilder | null;
  surroundings: OperatorSurroundings;
  fetchList: FetchList;
  firstList: () => FirstList;
  defaultLists: readonly PublishedList[];
  sealer: Sealer;
  definitions: Definition[];
  dashboard_dist: string;
  version: string;
  /** Metrics of Node and the process, in the format of Prometheus. */
  processMetrics?: () => Promise<string>;
}

export interface App {
  http: FastifyInstance;
  worker: Worker;
  metrics: Metrics;
  /** Wrong statements about the plans on our pages, a sentence each. Rejects when Stripe does not answer. */
  wrongPlanStatements(): Promise<string[]>;
  /** Begins to build the installers in the background, if what is there is not good. */
  requestInstallers(): Promise<unknown>;
  /** Reads now whether there are problems of the whole service, which the server does every 30 seconds. */
  checkOperation(): Promise<void>;
  /** Problems that the operator was notified of and that are not in `operator_problems`: this server does not reach its database. */
  ownProblems(): string[];
  /** When the certificate of PUBLIC_URL ends; null if it is not known, or there is none. */
  certificateExpires(): Date | null;
  /** Notes now that the devices that wait are connected, which the server does once a minute. */
  writePresence(): Promise<void>;
  /** How many devices wait for a change. */
  agentsWaiting(): number;
  /** What gateways ask. */
  polls: PollBackend;
  /** Finishes running work and stops. Does not close `deps`. */
  close(): Promise<void>;
}

/** Composes the server: features are built from top to bottom, each using only those above it. */
export async function buildApp(config: Config, deps: AppDeps): Promise<App> {
  const { db, clock, log, smsSender, voiceCaller, pushSender, payments, sealer, listener, traffic } = deps;
  const { guardians: has_guardians, sms, phone_verification, email_check } = config.features;
  const { public_url, development } = config;
  const dashboard_url = `${public_url}/dashboard`;
  const secure_cookies = public_url.startsWith('https:');
  const texts_from = smsSender.from;

  const keys = await signingKeys(db, sealer);
  const enqueue = enqueuer(clock);
  const forget = forgetJobs(db);
  const countKey = countKeys(sealer);
  const limit = limiter(db, clock, countKey);
  const guard = codeGuard(db, clock);
  const countries = config.sms_budget.countries === 'home' ? homeCountriesOf(texts_from ?? '') : config.sms_budget.countries;
  const smsBudgets = budgets({
    db,
    clock,
    log,
    most: config.sms_budget,
    notifyOperator: (trx, key, state) => enqueue(trx, 'mail', key, { to: config.operator.email, ...budgetEmail(state) }),
  });

  // Stores: each is the only writer of its tables.
  const accounts = accountStore(db, clock, phone_verification);
  const pushes = pushStore(db, clock, sealer);
  const sessions = sessionStore(db, clock, pushes);
  const links = linkStore(clock);
  const deletions = deletionStore(db, clock);
  const phones = phoneStore(db, clock);
  const mails = accountEmails({ db, store: accounts, links, enqueue, dashboard_url });
  const signupCodes = signupCodeStore(db, clock);
  const support = supportStore(db);
  const subscriptions = subscriptionStore(db, clock);
  const policies = policyStore(db, clock);
  const devices = deviceStore(db, clock);
  const codes = codeStore(db, clock);
  const allowList = allowListStore(db, clock);
  const allGuardians = guardianStore(db, clock, sealer, phone_verification);
  const guardians = has_guardians ? allGuardians : withoutGuardians(allGuardians);
  const acknowledgements = acknowledgementStore(db, clock);
  const detections = detectionStore(db, clock);
  const answers = answerStore(db, clock);
  const settings = settingsStore(db);
  const browsing = browsingProtectionStore(db);
  const unlisted = unlistedProtectionStore(db);
  const startAnswers = startAnswerStore(db, clock);
  const callConsents = callConsentStore(db, clock, phone_verification);
  const activity = activityStore(db, clock);
  const holdSettings = holdSettingsStore(db, clock);
  const deviceNetworks = deviceNetworkStore(db, clock, sealer);
  const incidents = incidentStore(db, clock);
  const heldRequests = requestStore(db, clock);
  const holdFacts = holdFactStore(clock);
  const emergencies = emergencyStore(db, clock);
  const escalationRows = escalationStore(db, clock);
  const calls = callStore(db, clock, enqueue);
  const codeSecrets = codeSecretStore(db, sealer);
  const belonging = belongingStore(db);
  const outageRows = outageStore(clock);
  const watchRows = watchStore(db, clock);
  const updates = updatesIn(config.installers_dir, (err) => log.warn({ err }, 'the update of the agent cannot be given'));
  const definitions = definitionStore(db, clock, sealer);
  const builds = backgroundBuild({
    ...{ clock, log, public_url, version: deps.version },
    builder: deps.installerBuilder,
    folder: buildFolder(config.installers_dir, clock),
    root_key: await definitions.rootKey(),
  });
  const installers = installersOfServer(
    builds,
    installersIn(config.installers_dir, (err) => log.warn({ err }, 'an installer cannot be read')),
  );

  // Ports: functions that features call in each other (`ports.ts`).
  const helpOf = helpIn(definitions.inForce);
  const nameOf: NameLookup = async (account, trx) => (await accounts.byUuid(account, trx)).name;
  const ownsDevice: DeviceOwnership = async (account, uuid) => (await devices.get(account, uuid)) !== null;
  const isConfirmed = async (account: string) => !email_check || (await accounts.byUuid(account)).email_verified;
  /** Without a plan an alert stays readable in the history, while the device's page needs a plan (P9.4). */
  const alertUrl: AlertUrl = async (trx, account, alert) =>
    (await subscriptions.isValid(account, trx)) ? `${dashboard_url}/detection/${alert}` : `${dashboard_url}/history?detectionId=${alert}`;
  /** Finds the alert behind a request to allow a name. */
  const requestedAlert = (trx: Trx, device: string, name: string, time: Date) =>
    detections.alertNamed(trx, device, name, after(time, -serverLimits.request_age_max), time);

  const isInIncident = incidents.hasOpen;

  const decline = guardianDecliner({ clock, enqueue, dashboard_url, store: guardians, holderOf: accounts.byUuid });
  const recipients = guardianRecipients({ ...{ dashboard_url, isInIncident }, store: guardians });
  const renames = renameStore(clock);
  const alerts = notifications({
    renamesOf: renames.of,
    db,
    clock,
    enqueue,
    sealer,
    public_url,
    dashboard_url,
    sms,
    pushServicesOf: pushSender.public_key === null ? 'off' : pushes.servicesOf,
    hasSigned: smsSender.hasSigned,
    holderOf: accounts.byUuid,
    settingsOf: settings.of,
    endWeekly: settings.endWeekly,
    phones,
    guardians: {
      active: recipients.active,
      async reachable(uuid, trx) {
        const guardian = await guardians.byUuid(uuid, trx);
        return guardian?.accepted ? recipients.reachOf(guardian) : null;
      },
      withPhone: async (number, trx) => (await guardians.withPhone(number, trx)).map(recipients.reachOf),
      endMail: (trx, uuid) => guardians.setReach(trx, uuid, { mail: false }),
      endMailLater: guardians.endMailLater,
      isInIncident,
      async refuse(trx, uuid) {
        const guardian = await guardians.locked(trx, uuid);
        if (guardian) await decline(trx, guardian);
        return guardian !== undefined;
      },
      async ofAccount(trx, uuid) {
        const guardian = await guardians.byUuid(uuid, trx);
        return guardian ? { ...guardian, accepted: guardian.accepted !== null } : null;
      },
    },
  });
  const { notify, deliveries } = alerts;

  // Features without routes
  const paid = plans({
    db,
    clock,
    log,
    enqueue,
    store: subscriptions,
    stripe: payments.stripe,
    livemode: payments.livemode,
    plan_names: config.plan_names,
    development,
    dashboard_url,
    personOf: accounts.byUuid,
    policiesChange: devices.bumpPolicies,
    forgetJobs: forget,
  });
  const { isValid: hasValidPlan } = subscriptions;
  const endMails = mailEnds({ isInIncident, store: guardians, unreached: alerts.unreached });
  const devicesNear: DevicesNear = async (account, { ip, browser_near }, connection) => {
    // Who may be anywhere may be at the computer.
    const isNear = browser_near || isUnreadable(ip);
    const near = new Set(isNear ? [] : await deviceNetworks.isNear(account, ip, connection));
    return (device) => isNear || (device === null ? near.size > 0 : near.has(device));
  };
  const answerCode = answerCodes({ ...{ db, clock, limit, sealer, countries, enqueue, holdSettings, sms }, budgets: smsBudgets });
  const proofState = holderProofs({ ...{ clock, incidents }, facts: holdFacts, proofOf: sessions.proofOf });
  const authority = answerAuthority({
    ...{ db, clock, incidents, devicesNear },
    facts: holdFacts,
    settings: holdSettings,
    proofState,
    hasProvenPhone: (reader, connection) => answerCode.hasProvenPhone({ ...reader, uuid: reader.person }, connection),
    canProvePhone: answerCode.canProvePhone,
    activeGuardians: guardians.active,
    acceptedOf: async (guardian, connection) => (await guardians.byUuid(guardian, connection))?.accepted ?? null,
  });
  const hasProvenPhone = ({ account, person }: { account: string; person: string }) =>
    answerCode.hasProvenPhone({ kind: person === account ? 'holder' : 'guardian', uuid: person, account });
  const isUnanswered = unansweredIncidents({ db, incidents, authority });
  const asClimbing = (row: IncidentRow | undefined) => row && { ...row, open: stateOf(row, clock.now()) === 'open' };
  const climbingIncidents = {
    incidentOf: async (uuid: string, connection: Db | Trx) => asClimbing(await incidents.find(uuid, connection)),
    lockedIncident: async (trx: Trx, uuid: string) => asClimbing(await incidents.byUuid(trx, uuid)),
  };
  const escalationPeopleOf = escalationPeople({
    someoneElses: holdFacts.someoneElses,
    holderOf: accounts.byUuid,
    activeGuardians: guardians.active,
    holdersWith: accounts.withPhone,
    guardiansWith: guardians.withPhone,
    optedOutOf: phones.optedOutOf,
  });
  const climbing = escalations({
    ...{ db, clock, enqueue, notify, ...climbingIncidents, ...escalationPeopleOf },
    store: escalationRows,
    placeCall: calls.place,
    calls: voiceCaller.from !== null,
    mayAnswer: authority.mayEndEscalation,
    agreedNumber: agreedNumbers(callConsents, phones.optedOutOf),
    deviceWords: holdFacts.deviceWords,
    answered: (trx, { account, device }) => devices.bumpPolicy(trx, account, device),
    noteOnIt: async (trx, row, who, since) => {
      const counts = await authority.counts({ account: row.account, person: who.person }, row, trx);
      await incidents.note(trx, row.uuid, 'on_it', who, { since, what: counts ? null : from_account });
    },
  });
  const userAt: UserAt = async ({ account, device, device_name }) => {
    const { person } = await holdFacts.deviceWords(db, account, device);
    return atComputer(person, device_name, await nameOf(account));
  };
  const callRuleDeps = {
    ...{ db, hasProvenPhone, userAt, lockedIncident: climbingIncidents.lockedIncident },
    store: escalationRows,
    escalations: climbing,
    async hasStopped(uuid: string) {
      const row = await incidents.find(uuid);
      return row !== undefined && (await belonging.detections(row.device, row.opened, clock.now())).some(({ blocked }) => blocked);
    },
  };
  const callRules: CallRules = {
    guardian: guardianCallRules(callRuleDeps),
    person: personCallRules(callRuleDeps),
    consent: consentCalls({
      ...{ db, nameOf, optedOutOf: phones.optedOutOf },
      store: callConsents,
      refuseAll: phones.optOutByKey,
    }),
  };
  const takeBackDone = takeBack({
    entryOf: activity.entry,
    async disallow(trx, account, device, exception) {
      if (await devices.bumpPolicy(trx, account, device)) await allowList.remove(trx, device, exception);
    },
    chooseProfile: (trx, account, uuid, policy) => devices.choosePolicy(trx, account, uuid, policy),
    async blockAll(trx, account, profile) {
      await policies.blockAll(trx, account, profile);
      await devices.profileChanged(trx, account, profile, profile);
    },
    renewPin: pinRenewal({ store: accounts, sealer, pinChanged: devices.bumpPolicies }),
    removeGuardian: guardians.remove,
    changeSettings: async (trx, account, change) => settings.set(trx, account, { ...(await settings.ofLocked(trx, account)), ...change }),
    async changeBrowsing(trx, account, change) {
      await browsing.set(trx, account, { ...(await browsing.ofLocked(trx, account)), ...change });
      await devices.bumpPolicies(trx, account);
    },
    async changeUnlisted(trx, account, change) {
      await unlisted.set(trx, account, { ...(await unlisted.ofLocked(trx, account)), ...change });
      await devices.bumpPolicies(trx, account);
    },
    askFirst: (trx, account) => holdSettings.setAskFirst(trx, account, true),
    setMayIsolate: guardians.setMayIsolate,
    orderGuardians: (trx, account, order) => guardians.setOrder(trx, account, order),
    stopDeletion: deletions.stop,
  });
  const caution = firstHours({
    ...{ db, clock, sealer, enqueue, notify, incidents },
    facts: holdFacts,
    requests: heldRequests,
    settings: holdSettings,
    activeGuardians: guardians.active,
    takeBack: takeBackDone,
    policiesChange: devices.bumpPolicies,
    isAllowable: async (trx, identifier) => (await allowable(trx))(identifier),
  });
  const openers = incidentOpeners({
    ...{ clock, incidents, enqueue, hasValidPlan, endMails, isWaiting },
    facts: holdFacts,
    policyChanges: devices.bumpPolicy,
    climb: climbing.opened,
    isClimbing: climbing.isClimbing,
    firstHours: caution,
  });
  const emergencyEnd = emergencyEnds({
    db,
    store: emergencies,
    hasOpenIncident: incidents.hasOpen,
    policyChanges: devices.bumpPolicy,
    policiesChange: devices.bumpPolicies,
  });
  const ends = incidentEnds({
    ...{ db, clock, enqueue, incidents, endMails },
    facts: holdFacts,
    policiesChange: devices.bumpPolicies,
    endStops: emergencyEnd.withIncident,
  });
  const help = helpPresses({
    ...{ clock, enqueue, notify },
    store: emergencies,
    incidents: { ...incidents, open: openers.open },
    resume: devices.resume,
    policyChanges: devices.bumpPolicy,
    deviceWords: holdFacts.deviceWords,
  });
  const holding = holds({
    ...{ db, clock, sealer, incidents, openers, notify, devicesNear },
    requests: heldRequests,
    settings: holdSettings,
    facts: holdFacts,
    proofState,
    activeGuardians: guardians.active,
    programs: caution,
  });
  const gate = weakeningGate({ db, clock, store: activity, enqueue, notify, nameOf, alertUrl, holds: holding });
  const { weaken, weakening } = gate;
  const outages = deviceOutages({
    db,
    clock,
    store: outageRows,
    watched: watchRows,
    weaken,
    limit,
    enqueue,
    notify,
    emergency: help,
    requestedAlert,
  });
  const watch = deviceWatch({ db, clock, log, store: watchRows, outages: outageRows, enqueue, notify, forgetJobs: forget });
  const drills = fireDrills({
    ...{ db, clock, limit, notify },
    deliveriesOf: deliveries.of,
    isRealNear: async (account, stoppedSince, trx) =>
      (await incidents.hasOpen(account, trx)) ||
      (await heldRequests.countOpen(trx, account)) > 0 ||
      (await detections.hasStoppedSince(account, stoppedSince, trx)),
  });
  const weekly = weeklyMails({ db, clock, settings, enqueue, notify });
  const deletionSteps = deletionRequests({
    ...{ db, clock, enqueue, deletions, links, mails, email_check, isInIncident },
    store: accounts,
    zoneOf: activity.zoneOf,
    deleteAccount: accountDeletion({
      ...{ db, enqueue, isInIncident },
      cancelPlans: paid.cancel,
      removeDevice: devices.remove,
      forgetAttempts: attemptsForgotten(countKey),
    }).delete,
  });
  const hours = hourly({
    db,
    clock,
    enqueue,
    forgetJobs: forget,
    deleteOld: () => deleteOld(db, clock.now(), { budget_ms: serverLimits.deletion_part }),
    deleteOldOutages: watch.forget,
    noteUptime: (trx) => extendUptime(trx, clock.now()),
    notifyOutages: outages.notifyAll,
    queueWeeklies: weekly.queueAll,
    queueDeletions: deletionSteps.queueSteps,
  });
  const siteLists = siteListStore(db, clock);
  const feed = feeds({
    ...{ db, clock, log, enqueue, definitions },
    forgetJobs: forget,
    fetchList: deps.fetchList,
    lists: [...(config.site_lists.default ? deps.defaultLists : []), ...config.site_lists.own],
    firstList: config.site_lists.first ? deps.firstList : null,
    store: siteLists,
  });
  await feed.publishAtStart(deps.definitions);
  const operation = operatorAlerts({
    ...{ db, clock, log, enqueue, public_url },
    mailer: deps.mailer,
    surroundings: deps.surroundings,
    production: config.production,
    operator: { email: config.operator.email, phone: texts_from === null ? null : config.operator.phone },
    backup_alert: config.backup_alert,
    oldLists:
      config.site_lists.default || config.site_lists.own.length ? async () => allOldSince(await siteLists.all(), clock.now()) : null,
    paymentTrouble: paid.trouble,
  });

  // HTTP server and access control
  const xsrf = xsrfTokens(sealer);
  const gates = newGates({
    sessionOf: sessions.find,
    memberOf: sessions.findWithPlan(subscriptions.isValidInSql),
    deviceOf: codes.deviceOf,
    removedFrom: codes.removedFrom,
    noteDeviceNetwork: deviceNetworks.note,
    guardianOf: guardians.ofSession,
    xsrf,
    email_check,
  });
  const registry = newRegistry();
  const observedCalls = callMetrics(registry);
  const { admission, refusedAgent, close: closeAdmission } = serverAdmission({ ...deps, config });
  const http = await httpServer(log, {
    trust_proxy: config.trust_proxy,
    unreadable: unreadableCallers(db, clock, log),
    traffic,
    admission,
    https: secure_cookies,
    version: deps.version,
    name: brand.name,
    origins: originsOf(config),
    observer: observedCalls,
  });
  serveOnly(http, config.role);
  wwwRedirect(http, public_url);
  healthRoutes(http, db, clock);
  securityTxt(http, clock, { contact: brand.support.email, public_url });

  const accountPasswords = newPasswords();
  const passkeys = passkeyParts({ db, clock, sealer, public_url });
  const browsers = browserStore(db, clock, sealer);
  const proveHolder = holderProving({ passwords: accountPasswords, passkeys: passkeys.answers, limit });
  accountRoutes(http, {
    db,
    clock,
    gates,
    limit,
    giveBack: attemptsBack(db, countKey),
    countAttempt: attemptCounter(clock, countKey),
    countries,
    budgets: smsBudgets,
    store: accounts,
    authenticators: authenticatorStore(clock, sealer),
    recoveryCodes: recoveryCodeStore(clock),
    sessions,
    links,
    phones,
    mails,
    sealer,
    browsers,
    logIn: loggingIn({ ...{ db, clock, store: accounts, sessions, browsers, mails, secure_cookies }, noteLogin: guard.welcome }),
    passkeys,
    signInMethods: signInMethodsOf(db),
    endPush: pushes.endOfSession,
    passwords: accountPasswords,
    proveHolder,
    enqueue,
    secure_cookies,
    texts_from,
    sms,
    newAccount: () => ({ device_limit: 0, external: false, lifetime: false }),
    useSignupCode: signupCodes.use,
    livePromo: paid.promos.liveCode,
    supportOf: support.of,
    mailFails: deliveries.holderMailFails,
    pinChanged: devices.bumpPolicies,
    holderChanged: devices.bumpPolicies,
    noteRename: renames.note,
    zoneOf: activity.zoneOf,
    weaken,
    weakening,
  });
  accountDataRoutes(http, {
    ...{ db, clock, gates, limit, links, deletions, proveHolder, weakening },
    store: accounts,
    requests: deletionSteps,
    exportOf: accountExport(db, clock),
    zoneOf: activity.zoneOf,
  });
  subscriptionRoutes(http, { ...paid, gates, limit, log, store: subscriptions, mayOrder: isConfirmed });
  await webhookRoutes(http, { gates, clock, log, store: subscriptions, sync: paid.sync, payments });
  policyRoutes(http, { db, gates, store: policies, profileChanged: devices.profileChanged, weakening, noteRename: renames.note });
  supportRoutes(http, { gates, personOf: accounts.byUuid, identity_key: config.chat?.identity_key ?? null });
  deviceRoutes(http, {
    db,
    clock,
    gates,
    limit,
    guard,
    store: devices,
    codes,
    enqueue,
    dashboard_url,
    server: public_url,
    link_key: keys.link,
    noteRename: renames.note,
    lockProfile: policies.lockProfile,
    stopsLess: policies.stopsLess,
    weakening,
    async noteAdded(trx, account, device, person) {
      if (!(await guardians.active(account, trx)).length) return;
      await weaken(trx, account, { kind: 'device_added', device, what: person && !person.is_holder ? person.name : '' });
    },
    deviceLimitOf: subscriptions.deviceLimit,
    signupCodeOf: signupCodes.find,
  });
  downloadRoutes(http, { gates, limit, installers, builds, updates, store: freeDownloadStore(db, clock) });
  await downloadFiles(http, { installers, builds, updates });
  allowListRoutes(http, {
    db,
    clock,
    gates,
    store: allowList,
    async asksUntil(account, device) {
      const { exceptions } = await caution.cautionAt(account, device);
      return ({ id, type }) => (type === 'definition' ? (exceptions.get(id)?.asks_until ?? null) : null);
    },
    limit,
    definitions: definitions.inForce,
    isSharedHost,
    ownsDevice,
    policyChanges: devices.bumpPolicy,
    weakening,
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
    deliveriesOf: deliveries.of,
    incidentsOf: incidents.ofAlerts,
    acknowledgedBy: acknowledgements.of,
  });
  definitionRoutes(http, { gates, definitions });
  await alerts.routes(http, gates, {
    onIt: textReplies({
      ...{ db, limit, hasProvenPhone, userAt, ...climbingIncidents, ...escalationPeopleOf },
      store: escalationRows,
      escalations: climbing,
    }),
  });
  await callWebhooks(http, { gates, clock, public_url, hasSigned: voiceCaller.hasSigned, store: calls, rules: callRules });
  settingsRoutes(http, { gates, settings, weakening });
  callConsentRoutes(http, {
    ...{ db, clock, gates, limit, sealer, countries, weakening },
    store: callConsents,
    calls: voiceCaller.from !== null,
    optedOutOf: phones.optedOutOf,
    placeCall: calls.place,
  });
  pushRoutes(http, {
    ...{ db, gates, limit },
    store: pushes,
    sender: pushSender,
    async lockActiveGuardian(trx, uuid) {
      const { account, accepted } = (await guardians.locked(trx, uuid)) ?? fail('guardian_link_dead');
      return accepted ? { account } : fail('guardian_inactive');
    },
  });
  browsingProtectionRoutes(http, { gates, store: browsing, weakening, policiesChange: devices.bumpPolicies });
  unlistedProtectionRoutes(http, { gates, store: unlisted, weakening, mayRest, policiesChange: devices.bumpPolicies });
  activityRoutes(http, {
    gates,
    store: activity,
    undo: undoStore({
      ...{ db, clock, settings },
      guardiansOf: has_guardians ? guardians.list : async () => null,
      browsingOf: browsing.of,
      unlistedOf: unlisted.of,
      asksFirst: holdSettings.asksFirst,
      deletionWaits: async (account) => (await deletions.of(account)) !== undefined,
      hasValidPlan: subscriptions.isValid,
    }),
  });
  fireDrillRoutes(http, { gates, drills });

  const allowable = async (connection?: Trx) => {
    const identifiers = new Set(
      (await definitions.inForce(connection)).filter((one) => one.allowlistable).map(({ identifier }) => identifier),
    );
    return (identifier: string) => identifiers.has(identifier);
  };
  const stoppedAt = stoppedPrograms({ db, clock, allowable });
  const stoppedIn = async (row: IncidentRow) => {
    return belonging.stoppedIn(row, await allowable());
  };
  const incidentView = incidentViews({
    ...{ clock, incidents, belonging, authority, nameOf, stoppedIn },
    renamesOf: (account) => renames.of(account, db),
    callsWait: callsWait(incidents, holdSettings),
    requests: heldRequests,
    guardiansOf: guardians.active,
    deviceWords: (account, device) => holdFacts.deviceWords(db, account, device),
    deliveriesOf: deliveries.of,
    escalationOnPage: escalationOnPage({ store: escalationRows, escalations: climbing }),
  });
  const checkCode = (reader: Reader, code: string) => answerCode.check({ ...reader, uuid: reader.person }, code);
  const incidentAnswer = incidentAnswers({
    ...{ db, clock, incidents, authority, notify, weaken, stoppedIn },
    ended: ends.ended,
    onIt: climbing.onIt,
    requests: heldRequests,
    facts: holdFacts,
    checkCode,
    allow: allowUntil({ clock, store: allowList, policyChanges: devices.bumpPolicy }),
    takeBack: takeBackDone,
    answerStart: startAnswers.set,
    policyChanges: devices.bumpPolicy,
  });
  const activeGuardian = async (uuid: string) => {
    const row = (await guardians.byUuid(uuid)) ?? fail('guardian_link_dead');
    const { accepted } = row;
    return accepted ? { ...row, accepted } : fail('guardian_inactive');
  };
  const prove = guardianProof({ incidents, authority, checkCode });
  incidentRoutes(http, {
    ...{ db, gates, limit, incidents, nameOf, weakening },
    requests: heldRequests,
    settings: holdSettings,
    answers: incidentAnswer,
    views: incidentView,
    activeGuardian,
    sendCode: answerCode.send,
  });
  const stops = guardianStops<StoppingGuardian>({
    ...{ db, clock, limit, enqueue, notify, nameOf },
    store: emergencies,
    lockCalls: holdFacts.lockCalls,
    lockDevices: holdFacts.lockDevices,
    lastSeen: async (connection, account) => (await holdFacts.connected(connection, account))[0],
    someoneElses: holdFacts.someoneElses,
    incidents: { ...incidents, open: openers.open },
    deviceWords: holdFacts.deviceWords,
    resume: devices.resume,
    policyChanges: devices.bumpPolicy,
    refuseAll: incidentAnswer.refuseAll,
    mayCode: authority.ofDevice,
    stoppedPrograms: stoppedAt,
  });
  emergencyRoutes(http, {
    ...{ db, clock, gates, limit, stops, help, nameOf, activeGuardian },
    store: emergencies,
    lockDevice: holdFacts.lockDevice,
  });

  const guardianDeps = {
    db,
    clock,
    sealer,
    limit,
    budgets: smsBudgets,
    countries,
    enqueue,
    gates,
    dashboard_url,
    nameOf,
    weakening,
    prove,
    mayInvite: isConfirmed,
    isInIncident,
    store: guardians,
    visits: visitStore(db, clock),
    acknowledgements,
    hasGuardians: has_guardians,
    sms,
    secure_cookies,
    xsrf,
    texts_from,
    holderOf: accounts.byUuid,
    optedOutOf: phones.optedOutOf,
    unreached: alerts.unreached,
    unsubscribe: alerts.links.ofGuardian,
    noteInvitation: (trx: Trx, { uuid, account, name }: GuardianRow, key: string) =>
      deliveries.expect(trx, { key, account, kind: 'invitation', about: uuid, guardian: uuid, name, channel: 'mail' }),
    resultsOf: deliveries.resultsOf,
    guardiansChanged: devices.bumpPolicies,
    guardianGone: holdSettings.noteGuardianGone,
    endPushes: pushes.endAll,
    endPush: pushes.endOfSession,
    devicesOf: devices.list,
    doubtsOf: devices.doubtsOf,
    async setKnown(trx: Trx, { uuid: guardian, account, name }: GuardianRow, device: string, known: boolean) {
      const changed = await devices.setKnown(trx, { account, guardian }, device, known);
      const about = { uuid: device, name: changed ?? '' };
      if (changed && !known) await weaken(trx, account, { kind: 'device_unknown', device: about }, { by: firstName(name) });
      return changed !== undefined;
    },
    hasValidPlan: subscriptions.isValid,
    alertOf: async (account: string, uuid: string) => (await detections.get(account, uuid)) ?? null,
    async onIt(trx: Trx, { uuid: person, account, name, accepted }: GuardianRow, alert: Answered & { time: Date }, caller: GuardianCaller) {
      const incident = (await incidents.ofAlerts(account, [alert])).get(alert.uuid);
      const row = incident === undefined ? undefined : asClimbing(await incidents.byUuid(trx, incident));
      if (!row?.open || !accepted) return;
      const reader = { kind: 'guardian', account, person, name: firstName(name), accepted, ...caller } as const;
      // Beside the computer only the incident's page, which asks for a code, takes this answer (P10.2).
      if ((await authority.ofPlace(reader, row.device, trx)).may === 'yes') await climbing.onIt(trx, row.uuid, reader);
    },
    answerAlert: (trx: Trx, { account, uuid, name }: GuardianRow, alert: Answered, answer: 'sorted') =>
      answers.add(trx, { account, person: uuid, name }, alert, answer),
    answersOf: ({ account, uuid }: GuardianRow, about: string[]) => answers.of(account, about, uuid, firstName),
    alertsOf: alertsForGuardians({ store: detections, clock, helpOf, nameOf }),
    requestsOf: async ({ uuid, account, name, accepted }: GuardianRow, caller: GuardianCaller) =>
      accepted ? incidentView.requestsOf({ kind: 'guardian', account, person: uuid, name: firstName(name), accepted, ...caller }) : [],
    incidentsOf: incidentView.ofGuardian,
  };
  const lostLink = lostLinkMails(guardianDeps);
  guardianRoutes(http, guardianDeps);

  oneTimeCodeRoutes(http, {
    ...{ db, clock, gates, limit, notify, ownsDevice, activeGuardian },
    store: oneTimeCodeStore(clock),
    codeOf: oneTimeCode,
    secretOf: codeSecrets.secretOf,
    stoppedPrograms: stoppedAt,
    checkTextedCode: checkCode,
    requireProof: async (trx, reader, device, useCode) => requireProof(trx, await authority.ofDevice(reader, device, trx), useCode),
    incidentAt: async (trx, account, device) => (await incidents.openOf(account, trx)).find((row) => row.device === device)?.uuid ?? null,
    noteShown: (trx, incident, { person, name }) => incidents.addEvent(trx, incident, { kind: 'code_shown', person, name, what: null }),
    deviceWords: holdFacts.deviceWords,
  });

  const pins = pinHashes({ db, sealer, sealedPinOf: sealedPin(accounts, sealer) });
  const longPolls = newLongPolls(() => performance.now());
  const newest = newestDefinitions(async () => {
    const { version, keys: list } = await definitions.newest();
    return { version, epoch: list.epoch };
  });
  const events = wakeOnEvents({
    log,
    listener,
    longPolls,
    changedOf: devices.changedOf,
    newestVersion: async () => (await newest.refresh()).version,
  });
  const use = deviceUse(db, clock, devices.bumpPolicy);
  const polls = devicePolls({
    ...{ db, clock, devices, harmlessKinds },
    newest: newest.get,
    networkHash: deviceNetworks.networkHash,
    network_interval: deviceNetworks.note_interval,
    noteNetwork: deviceNetworks.note,
    noteUse: use.note,
    watch: { ...watchRows, heard: watch.heard },
  });
  const presence = presenceOf({ waiting: longPolls.devices, present: polls.backend.present, now: longPolls.moment, log });
  const openPolls = newOpenPolls({
    longPolls,
    headers: http.headersOfAll,
    random: Math.random,
    began: presence.began,
    ended: presence.ended,
  });
  pollRoute(http, {
    ...{ polls, longPolls, openPolls, presence },
    waits(call) {
      observedCalls.waits(call);
      admission.leave(call);
    },
  });
  agentRoutes(http, {
    db,
    clock,
    gates,
    limit,
    guard,
    keys,
    codes,
    devices,
    definitions,
    noteUse: use.note,
    public_url,
    longPolls,
    async waitUnadmitted(call, event) {
      observedCalls.waits(call);
      admission.leave(call);
      await event;
      // One event may wake many long polls at once, so each queues again for a connection.
      admission.rejoin(call);
      traffic.requeue();
    },
    hasValidPlan: subscriptions.isValid,
    keepsPlan: incidents.keepsPlan,
    guardianNamesOf: async (account) => (await guardians.active(account)).map(({ name }) => firstName(name)),
    async holderOf(account) {
      const { name, email } = await accounts.byUuid(account);
      return { first_name: firstName(name), masked_email: maskedAddress(email) };
    },
    noteConnected: holdSettings.noteConnected,
    allowOf: allowList.allowOf,
    cautionAt: caution.cautionAt,
    pinShown: caution.pinShown,
    browsingOf: browsing.of,
    unlistedOf: async (account, device) => ({
      choice: await unlisted.of(account),
      unanswered: await isUnanswered(account, device),
      answers: await startAnswers.of(device),
    }),
    emergencyOf: async (account, device) => ({
      incident: await incidents.hasOpenAt(account, device),
      emergency_stop: await emergencies.stopAt(account, device),
      isolation: await emergencies.isolationAt(device),
      code_secret: await codeSecrets.idOf(device),
    }),
    codeSecretOf: codeSecrets.secretOf,
    pinOf: pins.of,
    isPin: pins.isRight,
    health: { goodbye: outages.goodbye, events: outages.storeEvents, heard: watch.heard },
    storeScan: scanIntake({ db, clock, lockDevice: devices.lockForReport, notify }),
    storeDetections: detectionIntake({
      ...{ db, clock, store: detections, devices, helpOf, alertUrl, notify },
      noteStarts: openers.starts,
      lockForStarts: (trx, device, report) => holdFacts.lockForReport(trx, device, report),
    }),
    recipientsOf: recipientsOf({
      clock,
      alertsOf: detections.alertsOf,
      deliveriesOf: deliveries.of,
      async holderIfOther(device) {
        const account = await devices.accountIfUsedByOther(device);
        return account === undefined ? null : firstName((await accounts.byUuid(account)).name);
      },
    }),
  });

  const metrics = serverMetrics({
    ...{ registry, db, clock, log, traffic },
    version: deps.version,
    data_dir: config.data_dir,
    agentsWaiting: longPolls.count,
    ownProblems: operation.ownProblems,
    certificateExpires: operation.certificateExpires,
    processMetrics: deps.processMetrics,
  });
  metricsRoute(http, metrics, config.metrics.token);
  http.get('/api/docs', { schema: { hide: true } }, async () => http.swagger());
  await pageRoutes(http, deps.dashboard_dist, {
    host: public_url,
    support: brand.support,
    development: !config.production,
    max_guardians: serverLimits.guardians_max,
    features: config.features,
    calls: voiceCaller.from !== null,
    push:
      pushSender.public_key === null
        ? null
        : { public_key: pushSender.public_key, simulator: config.push.by === 'simulator' ? '/dev/push' : null },
    ...pageSettings(config),
  });

  const handlers: JobHandlers = {
    ...jobHandlers({ ...deps, phones, mails, budgets: smsBudgets, countries, hostname: new URL(public_url).hostname }),
    call: callJob({
      ...{ clock, countries },
      store: calls,
      rules: callRules,
      call: voiceCaller.from === null ? null : callOutcomes(voiceCaller),
      isOptedOut: phones.optedOut,
      budgets: smsBudgets,
    }),
    push: pushJob({ clock, store: pushes, send: pushOutcomes(pushSender, log) }),
    async guardian_link({ email }, id) {
      await answerFirst();
      await lostLink(email, id);
    },
    ...alerts.handlers,
    ...paid.night.handlers,
    ...gate.handlers,
    incident_end: ends.job,
    first_hour_end: caution.endJob,
    emergency_end: emergencyEnd.job,
    escalation: climbing.job,
    account_deletion: deletionSteps.job,
    incident_checkup: incidentCheckup({ db, incidents, facts: holdFacts, notify }),
    ...outages.handlers,
    ...watch.handlers,
    ...weekly.handlers,
    ...hours.handlers,
    ...feed.handlers,
    ...operation.handlers,
  };
  const worksInBackground = config.role === 'all' || config.role === 'worker';
  const newWorker = worksInBackground ? worker : noWorker;
  const jobs = newWorker({
    ...deps,
    handlers,
    settled: deliveries.settled,
    observe: jobMetrics(registry),
    urgent_at_once: config.urgent_at_once,
  });
  await feed.queueNext();
  const queueNext = async () => {
    await feed.queueNextDay();
    await paid.night.queueNext();
    await hours.queueNext();
    await watch.queueNext();
  };
  await queueNext();
  // An hourly job may end without queueing the next one, as on a server version that does not know its kind.
  const upkeep = repeat(
    serverLimits.outage_poll / 4,
    async () => {
      const refusedAt = refusedAgent();
      if (refusedAt) await watchRows.noteRefused(refusedAt);
      await queueNext();
    },
    (err) => log.warn({ err }, 'the next checks could not be queued'),
  );
  return {
    http,
    worker: jobs,
    metrics,
    wrongPlanStatements: async () => wrongSavings(await paid.products.list()),
    requestInstallers: builds.request,
    checkOperation: operation.check,
    ownProblems: operation.ownProblems,
    certificateExpires: operation.certificateExpires,
    writePresence: presence.write,
    agentsWaiting: longPolls.count,
    polls: polls.backend,
    async close() {
      events.close();
      openPolls.close();
      await presence.close();
      await upkeep.close();
      await operation.close();
      closeAdmission();
      await http.close();
      await builds.close();
      feed.close();
      await jobs.close();
    },
  };
}
