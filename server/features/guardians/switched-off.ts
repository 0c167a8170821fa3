import type { GuardianStore } from './store.ts';

/**
 * The guardians of a service that has none (FEATURE_GUARDIANS=off): nobody is told, no link and no page opens, and none can be found. Those of before stay
 * in the database, and are there again when it is switched on again.
 */
export function withoutGuardians(store: GuardianStore): GuardianStore {
  const nobody = async () => undefined;
  const none = async () => [];
  return {
    ...store,
    ...{ byUuid: nobody, locked: nobody, get: nobody, renew: nobody, remove: nobody },
    ...{ list: none, active: none, byEmail: none, withPhone: none, listLocked: none },
    ofSession: async () => null,
  };
}
