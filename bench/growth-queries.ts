import { day } from '@porchlight/contract/time.ts';
import type { Db } from '@porchlight/server/db/open.ts';
import { sessionStore } from '@porchlight/server/features/accounts/sessions.ts';
import { holderInPolicy } from '@porchlight/server/features/accounts/store.ts';
import { devicePolls } from '@porchlight/server/features/agents/polls/device-polls.ts';
import { allowedInPolicy } from '@porchlight/server/features/allow-list/store.ts';
import { appointmentInPolicy } from '@porchlight/server/features/appointments/store.ts';
import { browsingProtectionStore } from '@porchlight/server/features/browsing-protection/store.ts';
import { detectionStore } from '@porchlight/server/features/detections/store.ts';
import { outageStore } from '@porchlight/server/features/device-health/outage-store.ts';
import { harmlessKinds, watchStore } from '@porchlight/server/features/device-health/watch-store.ts';
import { codeStore } from '@porchlight/server/features/devices/code-store.ts';
import { deviceStore } from '@porchlight/server/features/devices/store.ts';
import { isolationInPolicy, stopInPolicy } from '@porchlight/server/features/emergency/store.ts';
import { guardiansInPolicy } from '@porchlight/server/features/guardians/store.ts';
import { risksInPolicy } from '@porchlight/server/features/held-requests/fact-store.ts';
import { restrictionsOf } from '@porchlight/server/features/held-requests/first-hour-rule.ts';
import { answersInPolicy } from '@porchlight/server/features/held-requests/start-answers.ts';
import { incidentInPolicy } from '@porchlight/server/features/incidents/policy-part.ts';
import { codeSecretStore } from '@porchlight/server/features/one-time-codes/secret-store.ts';
import { ownProfileInPolicy } from '@porchlight/server/features/policies/store.ts';
import { pinHashes } from '@porchlight/server/features/policy/pins.ts';
import { policyReader } from '@porchlight/server/features/policy/read.ts';
import { planInPolicy } from '@porchlight/server/features/subscriptions/store.ts';
import { unlistedProtectionStore } from '@porchlight/server/features/unlisted-protection/store.ts';
import { weeklyStore } from '@porchlight/server/features/weekly-report/store.ts';
import { claimIn, dueLanes } from '@porchlight/server/jobs/claim.ts';
import { lanesWith } from '@porchlight/server/jobs/lanes.ts';
import { oldestDue } from '@porchlight/server/jobs/oldest-due.ts';
import type { Clock } from '@porchlight/server/lib/clock.ts';
import { eventHub } from '@porchlight/server/lib/event-hub.ts';
import { deliveryStore } from '@porchlight/server/notifications/deliveries.ts';
import { tokenHash } from '@porchlight/server/secrets/tokens.ts';
import { accountOfDevice, devicesWithAlerts, grownId, grownToken } from '@porchlight/server/testing/grow.ts';

/** Runs a query for the nth device or account of a grown database, counted from 1. Resolves to the number of rows it found. */
export type HotQuery = (n: number) => Promise<number>;

/** What the server asks at each call, each minute, or for each page of a family: by the server's own functions. */
export function hotQueries(db: Db, rows: number, now: Date): Record<string, HotQuery> {
  const clock: Clock = { now: () => now };
  const devices = deviceStore(db, clock);
  const sessions = sessionStore(db, clock, { endAll: async () => {}, endOthers: async () => {} });
  const detections = detectionStore(db, clock);
  const deliveries = deliveryStore(db, clock);
  const watch = watchStore(db, clock);
  const outages = outageStore(clock);
  const weekly = weeklyStore(db);
  const plain = { seal: (text: string) => text, open: (text: string) => text };
  const policyOf = policyReader(
    { db, clock, knows_young_sites: false },
    {
      ...{ profile: ownProfileInPolicy, holder: holderInPolicy, guardians: guardiansInPolicy, plan: planInPolicy, allow: allowedInPolicy },
      browsing: browsingProtectionStore({ db, events: eventHub() }).inPolicy,
      unlisted: unlistedProtectionStore({ db, events: eventHub() }).inPolicy,
      ...{ answers: answersInPolicy, emergency_stop: stopInPolicy, isolation: isolationInPolicy, appointment: appointmentInPolicy },
      incident: incidentInPolicy({ db, authority: { mayEndEscalation: async () => false } }),
      recent: { found: risksInPolicy, read: () => ({ restrictions: restrictionsOf([], false, now), pin_shown: false }) },
      // Grown devices have no secret, and reading must not make one.
      code_secret: { ...codeSecretStore(db, plain).inPolicy, read: () => null },
      pin: pinHashes({ db, sealer: plain, sealedPinOf: async () => '' }).inPolicy,
    },
  );
  const lanes = lanesWith(1).map(({ name }) => name);
  const ofDevice = (n: number) => accountOfDevice(n, rows);
  const count = (found: unknown) => (Array.isArray(found) ? found.length : found ? 1 : 0);
  const polls = (connection: Db) =>
    devicePolls({
      ...{ db: connection, clock, devices, harmlessKinds },
      newest: async () => ({ epoch: 1, version: 1 }),
      networkHash: () => null,
      network_interval: 3_600_000,
      noteNetwork: async () => {},
      noteUse: async () => {},
      watch: { ...watch, checkedIn: async () => {} },
    });
  return {
    "the device of an agent's token": async (n) => count(await codeStore(db, clock).deviceOf(grownToken('device', n))),
    "an agent's poll begins": async (n) => count(await polls(db).authenticate(tokenHash(grownToken('device', n)), '')),
    'a hundred devices are connected': (n) =>
      rolledBack(db, async (trx) => {
        const ids = Array.from({ length: 100 }, (_, k) => grownId('device', 1 + ((n + k) % 1_000)));
        const missing = await polls(trx).backend.present(ids);
        return ids.filter((id) => !missing.includes(id));
      }),
    'the session of a web token': async (n) => count(await sessions.find(grownToken('session', n))),
    "an account's devices": async (n) => count(await devices.list(ofDevice(n))),
    "a device's policy": async (n) => count(await policyOf(grownId('device', n), { in_long_use: false, epoch: 1 })),
    'history, first page': async (n) => count(await detections.list(ofDevice(n), { offset: 0, length: 25 })),
    'history, offset 50': async (n) => count(await detections.list(ofDevice(n), { offset: 50, length: 25 })),
    'one alert by its id': async (n) => count(await detections.get(ofDevice(n), grownId('alert', firstAlertOf(n)))),
    'the newest alert not stopped': async (n) => count(await detections.newestUnblocked(ofDevice(n), new Date(now.getTime() - 400 * day))),
    'who was notified of an alert': async (n) =>
      count((await deliveries.of(ofDevice(n), 'alert', [grownId('alert', n)])).get(grownId('alert', n))),
    'claim of an urgent job': () => rolledBack(db, (trx) => claimIn(trx, clock, 'mail_urgent', { max: 1, running: [], full: [] })),
    'claim of a bulk job': () => rolledBack(db, (trx) => claimIn(trx, clock, 'mail_bulk', { max: 1, running: [], full: [] })),
    'lanes with a due job': async () => count(await dueLanes(db, clock, lanes)),
    'the oldest due job of each lane': async () => count(await oldestDue(db, clock)),
    'check of each minute: devices offline': async () => count(await watch.offlineDevices(db)) + 1,
    'check of each minute: other devices': async () => (await watch.otherDevices()).last_seen.size,
    'check of each hour: outages of days': async () => count(await outages.due(db)),
    'weekly report, a page of 100 accounts': async (n) => count(await weekly.accountsAfter(ofDevice(n).replace(/^./, '0'), 100)),
    "weekly report, an account's week": (n) =>
      rolledBack(db, (trx) => weekly.facts(trx, ofDevice(n), now.toISOString().slice(0, 10), 0).then(({ week }) => week.devices)),
  };
}

/** The first devices have an alert in ten of the first thousand each, the others one alert after those. */
const firstAlertOf = (n: number) => (n > devicesWithAlerts ? n + 1_000 : n - 1 || devicesWithAlerts);

type Transaction = Parameters<Parameters<ReturnType<Db['transaction']>['execute']>[0]>[0];

/** So that the next run finds the same rows. */
async function rolledBack(db: Db, work: (trx: Transaction) => Promise<unknown[]>): Promise<number> {
  let found = 0;
  const undo = new Error('rolled back');
  await db
    .transaction()
    .execute(async (trx) => {
      found = (await work(trx)).length;
      throw undo;
    })
    .catch((reason: unknown) => {
      if (reason !== undo) throw reason;
    });
  return found;
}
