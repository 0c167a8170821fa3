import type { Trouble } from '@porchlight/contract/alerts.ts';
import type { Guardian } from '@porchlight/contract/guardians.ts';
import type { Clock } from '../../lib/clock.ts';
import type { OptOutLookup } from '../../ports.ts';
import { stateOf, textsOf } from './rules.ts';
import type { GuardianRow, GuardianStore } from './store.ts';
import type { VisitStore } from './visit-store.ts';

export interface HolderListDeps {
  clock: Clock;
  store: Pick<GuardianStore, 'list'>;
  visits: Pick<VisitStore, 'lastOf'>;
  /** Whether this server sends SMS. */
  sms: boolean;
  optedOutOf: OptOutLookup;
  troubleOf(account: string): Promise<Map<string, Trouble[]>>;
}

interface Facts {
  silent: Set<string>;
  lastVisit?: Date | undefined;
  troubles?: Trouble[] | undefined;
}

/** 3.15 as the holder sees it. */
export function guardiansOnWire({ clock, store, visits, sms, optedOutOf, troubleOf }: HolderListDeps) {
  const one = (row: GuardianRow, { silent, lastVisit, troubles = [] }: Facts = { silent: new Set() }): Guardian => {
    const state = stateOf(row, clock.now());
    const active = state === 'active';
    const wanted = { mail: row.mail, sms: sms && row.sms && row.phone_number_verified };
    return {
      uuid: row.uuid,
      name: row.name,
      email: row.email,
      active,
      state,
      mail: row.mail,
      texts: sms ? textsOf(row, silent) : 'off',
      last_looked: lastVisit?.toISOString() ?? null,
      // What is switched off brings no trouble; an invitation that came back does.
      trouble: ((active || state === 'pending') && troubles.find(({ channel }) => wanted[channel])) || null,
    };
  };

  return {
    one,
    async all(account: string): Promise<Guardian[]> {
      const rows = await store.list(account);
      const silent = await optedOutOf(rows.flatMap(({ phone_number }) => phone_number ?? []));
      const [lastVisits, troubles] = [await visits.lastOf(account), await troubleOf(account)];
      return rows.map((row) => one(row, { silent, lastVisit: lastVisits.get(row.uuid), troubles: troubles.get(row.uuid) }));
    },
  };
}
