import { sql } from 'kysely';
import type { PolicyPart } from '../../ports.ts';
import type { GuardianStore } from './store.ts';

/** Hides all guardians while FEATURE_GUARDIANS=off: no notifications, links or pages. Stored guardians return when it is on again. */
export function withoutGuardians(store: GuardianStore): GuardianStore {
  const findNobody = async () => undefined;
  const listNone = async () => [];
  return {
    ...store,
    ...{ byUuid: findNobody, locked: findNobody, get: findNobody, renew: findNobody, remove: findNobody },
    ...{ list: listNone, active: listNone, byEmail: listNone, withPhone: listNone, listLocked: listNone, mailEnding: listNone },
    setOrder: async () => undefined,
    ofSession: async () => null,
  };
}

export const nobodyInPolicy: PolicyPart<string[]> = { found: sql`null`, read: () => [] };
