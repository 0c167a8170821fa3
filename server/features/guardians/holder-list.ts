import type { Guardian } from '@porchlight/contract/guardians.ts';
import type { Clock } from '../../lib/clock.ts';
import { type ChannelResults, failingChannels, isUnreachable, noResults } from '../../notifications/reach.ts';
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
  resultsOf(account: string): Promise<Map<string, ChannelResults>>;
}

interface Facts {
  optedOut: Set<string>;
  lastVisit?: Date | undefined;
  results?: ChannelResults | undefined;
}

/** The guardians as the holder sees them (3.15). */
export function holderListOf({ clock, store, visits, sms, optedOutOf, resultsOf }: HolderListDeps) {
  const toGuardian = (row: GuardianRow, { optedOut, lastVisit, results = noResults }: Facts = { optedOut: new Set() }): Guardian => {
    const state = stateOf(row, clock.now());
    const active = state === 'active';
    const texts = sms ? textsOf(row, optedOut) : 'off';
    const { mail, phone_verified_time } = row;
    const chosen = { mail, sms: sms && row.sms && row.phone_number_verified, phone_verified_time };
    // Shows no problem of disabled channels, but shows a returned invitation.
    const trouble = active || state === 'pending' ? (failingChannels(chosen, results)[0] ?? null) : null;
    return {
      uuid: row.uuid,
      name: row.name,
      email: row.email,
      active,
      state,
      mail: row.mail,
      texts,
      last_looked: lastVisit?.toISOString() ?? null,
      trouble,
      unreachable: active ? isUnreachable({ ...chosen, sms: texts === 'on' }, results) : trouble !== null,
      may_isolate: row.may_isolate,
      position: row.position,
    };
  };

  return {
    one: toGuardian,
    async all(account: string): Promise<Guardian[]> {
      const rows = await store.list(account);
      const optedOut = await optedOutOf(rows.flatMap(({ phone_number }) => phone_number ?? []));
      const [lastVisits, results] = [await visits.lastOf(account), await resultsOf(account)];
      return rows.map((row) => toGuardian(row, { optedOut, lastVisit: lastVisits.get(row.uuid), results: results.get(row.uuid) }));
    },
  };
}
