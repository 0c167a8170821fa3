import type { GuardianStore } from './store.ts';

/** Where a guardian goes from a mail. The page exchanges the key for a cookie at once. */
export function guardianLink(
  dashboard_url: string,
  guardian: { uuid: string; key_version: number },
  store: Pick<GuardianStore, 'keyOf'>,
): string {
  return `${dashboard_url}/guardian/${guardian.uuid}/${store.keyOf(guardian)}`;
}
