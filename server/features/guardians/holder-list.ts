import type { Trouble } from '@porchlight/contract/alerts.ts';
import type { Guardian } from '@porchlight/contract/guardians.ts';
import type { Clock } from '../../lib/clock.ts';
import type { OptOutLookup } from '../../ports.ts';
import { stateOf, textsOf } from './rules.ts';
import type { GuardianRow, GuardianStore } from './store.ts';
import type { VisitStore } from './visit-store.ts';

export type HolderList = ReturnType<typeof holderListOf>;

export interface HolderListDeps {
  clock: Clock;
  store: Pick<GuardianStore, 'list'>;
  visits: Pick<VisitStore, 'lastOf'>;
  sms: boolean;
  optedOutOf: OptOutLookup;
  troubleOf(account: string): Promise<Map<string, Trouble[]>>;
}

interface Facts {
  optedOut: Set<string>;
  lastVisit?: Date | undefined;
  troubles?: Trouble[] | undefined;
}

/** The guardians as the holder sees them (3.15). */
export function holderListOf({ clock, store, visits, sms, optedOutOf, troubleOf }: HolderListDeps) {
  const toGuardian = (row: GuardianRow, { optedOut, lastVisit, troubles = [] }: Facts = { optedOut: new Set() }): Guardian => {
    const state = stateOf(row, clock.now());
    const active = state === 'active';
    const chosenChannels = { mail: row.mail, sms: sms && row.sms && row.phone_number_verified };
    return {
      uuid: row.uuid,
      name: row.name,
      email: row.email,
      active,
      state,
      mail: row.mail,
      texts: sms ? textsOf(row, optedOut) : 'off',
      last_looked: lastVisit?.toISOString() ?? null,
      // Shows no problem of disabled channels, but shows a returned invitation.
      trouble: ((active || state === 'pending') && troubles.find(({ channel }) => chosenChannels[channel])) || null,
      may_isolate: row.may_isolate,
      position: row.position,
    };
  };

  return {
    one: toGuardian,
    async all(account: string): Promise<Guardian[]> {
      const rows = await store.list(account);
      const optedOut = await optedOutOf(rows.flatMap(({ phone_number }) => phone_number ?? []));
      const [lastVisits, troubles] = [await visits.lastOf(account), await troubleOf(account)];
      return rows.map((row) => toGuardian(row, { optedOut, lastVisit: lastVisits.get(row.uuid), troubles: troubles.get(row.uuid) }));
    },
  };
}
