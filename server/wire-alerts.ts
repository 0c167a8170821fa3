import type { Config } from './config.ts';
import type { Db } from './db/open.ts';
import type { PhoneStore } from './features/accounts/phone-store.ts';
import type { AccountStore } from './features/accounts/store.ts';
import { declining } from './features/guardians/decline.ts';
import { guardianLink } from './features/guardians/link.ts';
import { phoneOf } from './features/guardians/rules.ts';
import type { GuardianRow, GuardianStore } from './features/guardians/store.ts';
import type { Texter } from './integrations/sms/sms.ts';
import type { Enqueue } from './jobs/queue.ts';
import type { Clock } from './lib/clock.ts';
import type { Sealer } from './lib/seal.ts';
import { type Alerting, alerting } from './notifications/notifications.ts';
import type { SettingsStore } from './notifications/settings.ts';

export interface AlertWires {
  config: Pick<Config, 'public_url' | 'features'>;
  db: Db;
  clock: Clock;
  sealer: Sealer;
  texter: Texter;
  enqueue: Enqueue;
  dashboard_url: string;
  accounts: AccountStore;
  phones: PhoneStore;
  guardians: GuardianStore;
  settings: SettingsStore;
}

/** A part of the wiring list: whom alerts go to, and by what. */
export function wireAlerts(wires: AlertWires): Alerting {
  const { accounts, phones, guardians, settings, dashboard_url, config, texter } = wires;
  const decline = declining({ ...wires, store: guardians, holderOf: accounts.byUuid });
  const reached = (guardian: GuardianRow) => ({ ...guardian, phone: phoneOf(guardian) });
  return alerting({
    ...wires,
    public_url: config.public_url,
    sms: config.features.sms,
    hasSigned: texter.hasSigned,
    holderOf: accounts.byUuid,
    wishesOf: settings.of,
    endWeekly: settings.endWeekly,
    phones,
    guardians: {
      active: async (account, trx) =>
        (await guardians.active(account, trx)).map((g) => ({ ...reached(g), link: guardianLink(dashboard_url, g, guardians) })),
      async reachable(uuid, trx) {
        const guardian = await guardians.byUuid(uuid, trx);
        return guardian?.accepted ? reached(guardian) : null;
      },
      withPhone: async (number, trx) => (await guardians.withPhone(number, trx)).map(reached),
      endMail: (trx, uuid) => guardians.setReach(trx, uuid, { mail: false }),
      async refuse(trx, uuid) {
        const guardian = await guardians.locked(trx, uuid);
        if (guardian) await decline(trx, guardian);
        return guardian !== undefined;
      },
      async ofAccount(trx, uuid) {
        const guardian = await guardians.byUuid(uuid, trx);
        return guardian ? { account: guardian.account, accepted: guardian.accepted !== null } : null;
      },
    },
  });
}
