import { brand } from '@porchlight/contract/brand.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { oneTimeCode } from '@porchlight/definitions/one-time-code.ts';
import { isSharedHost } from '@porchlight/definitions/sites/public-suffix.ts';
import type { App, AppDeps } from './app-types.ts';
import { baseKernel } from './base-kernel.ts';
import type { Config } from './config.ts';
import { deleteOld } from './db/delete-old.ts';
import { accountDataFeature, deletionRecords } from './features/account-data/feature.ts';
import { accountFeature } from './features/accounts/feature.ts';
import { activityLogFeature, activityRecords } from './features/activity-log/feature.ts';
import { agentFeature } from './features/agents/feature.ts';
import { allowListFeature } from './features/allow-list/feature.ts';
import { appointmentFeature, appointmentRecords } from './features/appointments/feature.ts';
import { browsingProtectionFeature } from './features/browsing-protection/feature.ts';
import { callConsentFeature } from './features/call-consent/feature.ts';
import { definitionFeature } from './features/definitions/feature.ts';
import { detectionFeature } from './features/detections/feature.ts';
import { deviceHealthFeature } from './features/device-health/feature.ts';
import { deviceFeature } from './features/devices/feature.ts';
import { downloadFeature } from './features/downloads/feature.ts';
import { emergencyFeature } from './features/emergency/feature.ts';
import { escalationFeature } from './features/escalation/feature.ts';
import { fireDrillFeature } from './features/fire-drill/feature.ts';
import { guardianFeature } from './features/guardians/feature.ts';
import { heldRequestFeature } from './features/held-requests/feature.ts';
import { incidentAnswerFeature, incidentFeature, incidentRecords, onItNotes } from './features/incidents/feature.ts';
import { metricsFeature } from './features/metrics/feature.ts';
import { oneTimeCodeFeature } from './features/one-time-codes/feature.ts';
import { operatorAlertFeature } from './features/operator-alerts/feature.ts';
import { policyFeature } from './features/policies/feature.ts';
import { devicePolicyFeature } from './features/policy/feature.ts';
import { pushFeature } from './features/push/feature.ts';
import { scanFeature } from './features/scans/feature.ts';
import { subscriptionFeature } from './features/subscriptions/feature.ts';
import { supportFeature } from './features/support/feature.ts';
import { unlistedProtectionFeature } from './features/unlisted-protection/feature.ts';
import { weeklyReportFeature } from './features/weekly-report/feature.ts';
import { answerRecords, whoMayAnswerFeature } from './features/who-may-answer/feature.ts';
import { openFront } from './front.ts';
import { codeGuard } from './http/code-guard.ts';
import { gates as newGates } from './http/gates.ts';
import { pageRoutes } from './http/pages.ts';
import { attemptsForgotten } from './http/rate-limit.ts';
import { pageSettings } from './http/third-parties.ts';
import { xsrfTokens } from './http/xsrf.ts';
import { answerFirst, callOutcomes, jobHandlers, pushOutcomes } from './job-handlers.ts';
import { hourly } from './jobs/hourly.ts';
import { type JobHandlers, noWorker, worker } from './jobs/worker.ts';
import { repeat } from './lib/repeat.ts';
import type { CallRules } from './notifications/calls/call-script.ts';
import { notificationFeature } from './notifications/feature.ts';
import { signingKeys } from './secrets/signing-keys.ts';

/** Composes the server: features are made from top to bottom, each with what those above it offer, and then their routes. */
export async function buildApp(config: Config, deps: AppDeps): Promise<App> {
  const { db, clock, log, sealer, listener, traffic, integrations, shipped } = deps;
  const { smsSender, voiceCaller, pushSender, payments, mailer, surroundings } = integrations;
  const { base, countKey } = baseKernel(config, deps);
  const { settings } = base;
  const keys = await signingKeys(db, sealer);
  const guard = codeGuard(db, clock);

  const push = pushFeature(base, { sender: pushSender, send: pushOutcomes(pushSender, log), simulated: config.push.by === 'simulator' });
  const { ports: device, ...devices } = deviceFeature(base);
  const { policyChanges, ownsDevice, rows } = device;
  const { ports: account, ...accounts } = accountFeature(base, {
    ...{ countKey, noteLogin: guard.welcome },
    pushes: { endAll: push.ports.endPushes, endOthers: push.ports.endOthers },
  });
  const { holderOf, nameOf, phones } = account;
  const named = { ...base, nameOf };
  const records = incidentRecords(base);
  const { incidents } = records;
  const answering = answerRecords(base);
  const { settings: holdSettings, networks, ...whose } = answering;
  const isInIncident = incidents.hasOpen;
  const { ports: guardian, ...guardians } = guardianFeature(named, {
    ...{ enabled: config.features.guardians, holderOf, isInIncident },
    ...{ optedOutOf: phones.optedOutOf, mayInvite: account.isConfirmed },
  });
  const { activeGuardians, activeGuardian } = guardian;
  const { ports: plan, ...plans } = subscriptionFeature(base, {
    ...{ development: config.development, plan_names: config.plan_names, personOf: holderOf, payments },
  });
  const { hasValidPlan, alertUrl } = plan;
  const { ports: message, ...messages } = notificationFeature(named, {
    ...{ phones, holderOf, guardians: guardian.recipients, pushServicesOf: push.ports.pushServicesOf, hasSigned: smsSender.hasSigned },
    ...{ call: settings.calls ? callOutcomes(voiceCaller) : null, hasSignedCall: voiceCaller.hasSigned },
  });
  const { notify, deliveriesOf, noteRename } = message;
  const notifying = { ...named, notify };
  const { ports: definition, ...definitions } = definitionFeature(base, {
    ...{ ...integrations, shipped: shipped.recognition, upstream: config.definitions_feed },
    lists: [...(config.site_lists.default ? shipped.defaultLists : []), ...config.site_lists.own],
    firstList: config.site_lists.first ? shipped.firstList : null,
  });
  const { helpOf, allowable } = definition;
  const { inForce } = definition.definitions;
  const { ports: policy, ...policies } = policyFeature(base, { profileChanged: device.devices.profileChanged });
  const { ports: allowed, ...allowList } = allowListFeature(base, { definitions: inForce, isSharedHost, ownsDevice, policyChanges });
  const browsing = browsingProtectionFeature(base);
  const unlisted = unlistedProtectionFeature(base, definition);
  const consent = callConsentFeature(named, { ...phones, ...rows, placeCall: message.placeCall, refuseAll: phones.optOutByKey });
  const { ports: code, ...codes } = oneTimeCodeFeature(notifying, { codeOf: oneTimeCode, ownsDevice, allowable });
  const activity = activityRecords(base);
  const deletions = deletionRecords(base);
  const appointments = appointmentRecords(base);
  const { ports: rights, ...whoMayAnswer } = whoMayAnswerFeature(named, answering, {
    ...{ ...rows, ...activity.ports, ...guardian, incidents, proofOf: account.sessions.proofOf },
  });
  const { authority, hasProvenPhone } = rights;
  const { ports: escalation, ...escalations } = escalationFeature(notifying, {
    ...{ ...records, ...phones, ...account, activeGuardians, guardiansWith: guardian.guardiansWith, hasProvenPhone },
    ...{ placeCall: message.placeCall, agreedNumber: consent.ports.agreedNumber, noteOnIt: onItNotes(records, authority) },
    ...{ mayAnswer: authority.mayEndEscalation, deviceWords: rows.deviceWords, ...whose },
  });
  const { ports: request, ...requests } = heldRequestFeature(notifying, {
    ...{ ...rights, devices: rows, incidents, activeGuardians, allowable, entries: allowed.entries },
    takeBack: {
      ...{ entryOf: activity.ports.entryOf, blockAll: policy.blockAll, renewPin: account.renewPin },
      ...{ guardians: guardian.guardians, alerts: message.settings, browsing: browsing.ports, unlisted: unlisted.ports },
      ...{ chooseProfile: device.devices.choosePolicy, stopDeletion: deletions.ports.stopDeletion, ...appointments.ports },
    },
  });
  const incident = incidentFeature(notifying, records, {
    ...{ ...rows, ...request, authority, hasValidPlan, isEscalating: escalation.isEscalating },
    endMails: guardian.endMails(message.unreached),
  });
  const { ports: emergency, ...emergencies } = emergencyFeature(notifying, {
    ...{ ...rows, ...whose, lockCalls: request.lockCalls, hasOpenIncident: isInIncident, resume: device.devices.resume },
    ...{ incidents: { ...incidents, open: incident.ports.open }, mayCode: authority.ofDevice, stoppedPrograms: code.stoppedPrograms },
  });
  const { ports: detection, ...detections } = detectionFeature(notifying, {
    ...{ ...incident.ports, ...request, ...activity.ports, ...appointments.ports, ...device, isInIncident },
    ...{ alertUrl, helpOf, ownsDevice, deliveriesOf, acknowledgedBy: guardian.acknowledgedBy },
    ...{ reportWrong: definition.reportWrong, incidentsOf: incidents.ofAlerts },
  });
  const activityLog = activityLogFeature(notifying, activity, { alertUrl, holds: request.gate(incident.ports) });
  const kernel = { ...notifying, ...activityLog.ports };
  const requestAnswers = requests.answering(kernel, { ...allowed, ...message, ...emergency });
  const incidentAnswers = incidentAnswerFeature(kernel, records, incident, {
    ...{ ...rights, ...rows, ...escalation, ...message, ...requestAnswers.ports, sortAlerts: detection.sortAlerts, allowable },
    ...{ ...allowed, ...appointments.store, ...appointments.ports, ...emergency },
  });
  const healthAsks = { emergency: emergency.help, requestedAlert: detection.requestedAlert, ...appointments.ports };
  const { ports: health, ...deviceHealth } = deviceHealthFeature(kernel, healthAsks);
  const helpAsks = { ...appointments, ...rights, ...rows, definitions: inForce, incidentAt: incidents.openAt, ...emergency };
  const helping = appointmentFeature(kernel, helpAsks);
  const drills = fireDrillFeature(kernel, { ...request, ...detection, deliveriesOf, isInIncident });
  const weekly = weeklyReportFeature(kernel, { settings: message.settings });
  const scans = scanFeature(kernel, { lockDevice: device.devices.lockForReport });
  const support = supportFeature(kernel, { personOf: holderOf, identity_key: config.chat?.identity_key ?? null });
  const downloads = downloadFeature(kernel, {
    ...{ installers_dir: config.installers_dir, builder: integrations.installerBuilder, version: shipped.version },
    root_key: await definition.definitions.rootKey(),
  });
  const accountData = accountDataFeature(kernel, deletions, {
    ...{ ...account, ...activity.ports, isInIncident, cancelPlans: plan.cancelPlans, removeDevice: device.devices.remove },
    forgetAttempts: attemptsForgotten(countKey),
  });
  await definitions.feed.publishAtStart();
  const operation = operatorAlertFeature(kernel, {
    ...{ mailer, surroundings, production: config.production, backup_alert: config.backup_alert },
    operator: { email: config.operator.email, phone: settings.texts_from === null ? null : config.operator.phone },
    oldLists: config.site_lists.default || config.site_lists.own.length ? definition.oldLists : null,
    ...{ paymentTrouble: plan.paymentTrouble, feedTrouble: definition.feedTrouble },
  });
  const { ports: metrics, ...figures } = metricsFeature(kernel, {
    ...{ traffic, version: shipped.version, data_dir: config.data_dir, processMetrics: deps.processMetrics, token: config.metrics.token },
  });

  // The HTTP server, and the access checks of its calls.
  const xsrf = xsrfTokens(sealer);
  const gates = newGates({
    ...{ xsrf, email_check: settings.email_check, guardianOf: guardian.guardians.ofSession },
    noteDeviceNetwork: networks.noteNetwork,
    ...{ sessionOf: account.sessions.find, memberOf: account.sessions.findWithPlan(plan.isValidInSql), hasPlan: hasValidPlan },
    ...{ deviceOf: device.codes.deviceOf, removedFrom: device.codes.removedFrom },
  });
  const front = await openFront(config, deps, { https: settings.secure_cookies, observer: metrics.calls });
  const { http, admission, refusedAgent, makeOwnCall } = front;
  const served = { ...kernel, gates };
  const devicePolicy = devicePolicyFeature(kernel, {
    sealedPinOf: account.sealedPinOf,
    knows_young_sites: config.site_lists.own.some(({ format }) => format === 'young'),
    contributions: {
      ...{ profile: policy.inPolicy, holder: account.inPolicy, guardians: guardian.inPolicy, plan: plan.inPolicy },
      ...{ allow: allowed.inPolicy, browsing: browsing.ports.inPolicy, unlisted: unlisted.ports.inPolicy, ...emergency.inPolicy },
      ...{ ...incident.ports.inPolicy, ...request.inPolicy, code_secret: code.inPolicy, appointment: appointments.ports.inPolicy },
    },
  });
  const agents = agentFeature(served, {
    ...{ ...device, ...health, ...devicePolicy.ports, ...detection, ...scans.ports, listener, admission, keys, guard },
    ...{ holderOf: account.holderForAgents, noteConnected: holdSettings.noteConnected, codeSecretOf: code.codeSecretOf, deliveriesOf },
    ...{ ...networks, definitions: definition.definitions, countWait: metrics.calls.waits, alertsOf: detection.alertsSince },
  });

  const rules: CallRules = { guardian: escalation.guardianCalls, person: escalation.personCalls, consent: consent.ports.consentRules };
  const web = { gates, ...activityLog.ports };
  accounts.routes(http, { ...web, ...plan, ...message, ...activity.ports, ...support.ports, endPush: push.ports.endPush });
  for (const { routes } of [accountData, support, detections, definitions, consent, browsing, unlisted, drills]) {
    routes(http, web);
  }
  for (const { routes } of [whoMayAnswer, incidentAnswers, requestAnswers, helping]) routes(http, web);
  await plans.routes(http, { gates, mayOrder: account.isConfirmed });
  policies.routes(http, { ...web, noteRename });
  devices.routes(http, {
    ...{ ...web, ...policy, guard, noteRename, activeGuardians, link_key: keys.link },
    ...{ deviceLimitOf: plan.deviceLimitOf, signupCodeOf: account.signupCodeOf },
  });
  await downloads.routes(http, web);
  allowList.routes(http, { ...web, ...request, ...emergency });
  await messages.routes(http, { ...web, rules, onIt: escalation.textReplies });
  push.routes(http, { gates, lockActiveGuardian: guardian.lockActiveGuardian });
  activityLog.routes(http, {
    ...{ gates, settings: message.settings, guardiansOf: guardian.guardiansOf, hasValidPlan },
    ...{ browsingOf: browsing.ports.of, unlistedOf: unlisted.ports.of, asksFirst: holdSettings.asksFirst },
    ...{ ...deletions.ports, ...appointments.ports },
  });
  emergencies.routes(http, { gates, activeGuardian, refuseAll: requestAnswers.ports.refuseAll });
  guardians.routes(http, {
    ...{ ...web, ...message, ...push.ports, ...detection, ...incidentAnswers.ports, ...requestAnswers.ports, xsrf, hasValidPlan },
    prove: rights.prove,
    ...{ devicesOf: device.devices.list, doubtsOf: device.devices.doubtsOf, setKnown: device.devices.setKnown },
  });
  codes.routes(http, {
    ...{ gates, activeGuardian, checkTextedCode: rights.checkCode, requireProof: rights.requireProofAt, deviceWords: rows.deviceWords },
    ...{ incidentAt: records.incidentAt, noteShown: records.noteCodeShown },
  });
  agents.routes(http);
  const scrape = figures.routes(http, { agentsWaiting: agents.agentsWaiting, ...operation.ports });
  http.get('/api/docs', { schema: { hide: true } }, async () => http.swagger());
  await pageRoutes(http, shipped.dashboard_dist, {
    ...{ host: settings.public_url, support: brand.support, development: !config.production, max_guardians: serverLimits.guardians_max },
    ...{ features: config.features, calls: settings.calls, push: push.page, ...pageSettings(config) },
  });

  const hours = hourly({
    ...{ ...base, ...health, ...weekly.ports, ...accountData.ports },
    deleteOld: () => deleteOld(db, clock.now(), { budget_ms: serverLimits.deletion_part }),
  });
  const handlers: JobHandlers = {
    ...jobHandlers({
      ...base,
      ...settings,
      ...integrations,
      phones,
      mails: account.mails,
      hostname: new URL(settings.public_url).hostname,
    }),
    ...{ call: messages.callJob(rules), ...requestAnswers.jobs(makeOwnCall) },
    ...guardians.jobs({ unsubscribe: message.unsubscribe, answerFirst }),
    ...{ ...push.jobs, ...messages.jobs, ...plans.jobs, ...activityLog.jobs, ...incident.jobs, ...requests.jobs, ...emergencies.jobs },
    ...{ ...escalations.jobs, ...accountData.jobs, ...deviceHealth.jobs, ...weekly.jobs, ...hours.handlers, ...definitions.jobs },
    ...{ ...detections.jobs, ...operation.jobs },
  };
  const newWorker = config.role === 'all' || config.role === 'worker' ? worker : noWorker;
  const jobs = newWorker({ ...deps, handlers, settled: messages.settled, observe: metrics.noteJob, urgent_at_once: config.urgent_at_once });
  await definitions.feed.queueNext();
  const queueNext = async () => {
    await definitions.feed.queueNextDay();
    for (const { queueNext } of [plans, hours, deviceHealth]) await queueNext();
  };
  await queueNext();
  // An hourly job may end without queueing the next one, as on a server version that does not know its kind.
  const upkeep = repeat(
    serverLimits.outage_poll / 4,
    async () => {
      const refusedAt = refusedAgent();
      if (refusedAt) await health.noteRefused(refusedAt);
      await queueNext();
    },
    (err) => log.warn({ err }, 'the next checks could not be queued'),
  );
  return {
    http,
    worker: jobs,
    metrics: scrape,
    wrongPlanStatements: plans.wrongStatements,
    requestInstallers: downloads.request,
    checkOperation: operation.check,
    ...operation.ports,
    ...{ writePresence: agents.writePresence, agentsWaiting: agents.agentsWaiting, polls: agents.polls },
    async close() {
      await agents.close();
      await upkeep.close();
      await operation.close();
      await front.close();
      await downloads.close();
      definitions.feed.close();
      await jobs.close();
    },
  };
}
