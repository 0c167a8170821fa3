import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Db, Trx } from './db/open.ts';
import type { PhoneStore } from './features/accounts/phone-store.ts';
import type { AccountStore } from './features/accounts/store.ts';
import type { Answered, AnswerStore } from './features/detections/answer-store.ts';
import { alertOnWire, unblockedBeside } from './features/detections/routes.ts';
import type { DefinitionHelp } from './features/detections/rules.ts';
import type { DetectionStore } from './features/detections/store.ts';
import type { DeviceStore } from './features/devices/store.ts';
import { seenStore } from './features/guardians/acknowledgement-store.ts';
import { lostLinkMails } from './features/guardians/lost-link.ts';
import { type GuardianParts, guardianRoutes } from './features/guardians/routes.ts';
import type { GuardianRow, GuardianStore } from './features/guardians/store.ts';
import { lookStore } from './features/guardians/visit-store.ts';
import type { Texter } from './integrations/sms/sms.ts';
import { answerFirst } from './job-handlers.ts';
import type { JobKinds } from './jobs/queue.ts';
import { firstName } from './lib/formatting.ts';
import type { Alerting } from './notifications/notifications.ts';

export interface GuardianWires
  extends Pick<
    GuardianParts,
    'clock' | 'sealer' | 'limit' | 'budgets' | 'countries' | 'enqueue' | 'gates' | 'dashboard_url' | 'nameOf' | 'mayInvite' | 'weaken'
  > {
  config: Pick<Config, 'features' | 'public_url'>;
  db: Db;
  texter: Pick<Texter, 'from'>;
  accounts: AccountStore;
  phones: PhoneStore;
  devices: DeviceStore;
  detections: DetectionStore;
  answers: AnswerStore;
  helpOf(identifiers: string[]): Promise<Map<string, DefinitionHelp>>;
  alerts: Alerting;
  guardians: GuardianStore;
}

/** A part of the wiring list: guardians, what they see, and what the holder sees of them. */
export function wireGuardians(wires: GuardianWires) {
  const { db, clock, accounts, phones, devices, detections, answers, helpOf, alerts, guardians } = wires;
  const seen = seenStore(db, clock);
  const parts = {
    ...wires,
    store: guardians,
    looks: lookStore(db, clock),
    seen,
    are_there: wires.config.features.guardians,
    sms: wires.config.features.sms,
    secure_cookies: wires.config.public_url.startsWith('https:'),
    texts_from: wires.texter.from,
    holderOf: accounts.byUuid,
    optedOutOf: phones.optedOutOf,
    unreached: alerts.unreached,
    unsubscribe: alerts.links.ofGuardian,
    noteInvitation: (trx: Trx, { uuid, account, name }: GuardianRow, key: string) =>
      alerts.deliveries.expect(trx, { key, account, kind: 'invitation', about: uuid, guardian: uuid, name, channel: 'mail' }),
    troubleOf: alerts.deliveries.troubleOf,
    guardiansChanged: devices.bumpPolicies,
    devicesOf: devices.list,
    alertOf: async (account: string, uuid: string) => (await detections.get(account, uuid)) ?? null,
    answerAlert: (trx: Trx, { account, uuid, name }: GuardianRow, alert: Answered, answer: 'sorted') =>
      answers.add(trx, { account, person: uuid, name }, alert, answer),
    answersOf: ({ account, uuid }: GuardianRow, about: string[]) => answers.of(account, about, uuid, firstName),
    async alertsOf(account: string) {
      const length = serverLimits.guardian_alerts;
      const rows = await detections.list(account, { offset: 0, length });
      const open = await unblockedBeside(rows, account, length, { store: detections, clock });
      if (open) rows.push(open);
      const help = await helpOf(rows.map(({ identifier }) => identifier));
      return rows.map((row) => {
        const { info, parts: told } = alertOnWire(row, help.get(row.identifier));
        const { name, category, blocked, certainty, site, time, times } = info;
        return { uuid: row.uuid, device_name: row.device_name, name, category, blocked, certainty, site, time, times, parts: told };
      });
    },
  };
  const lostLink = lostLinkMails(parts);
  return {
    routes: (http: FastifyInstance) => guardianRoutes(http, parts),
    /** Who said *I'm on it* of the holder's alerts. */
    seenOf: seen.of,
    handlers: {
      async guardian_link({ email }: JobKinds['guardian_link'], id: string) {
        await answerFirst();
        await lostLink(email, id);
      },
    },
  };
}
