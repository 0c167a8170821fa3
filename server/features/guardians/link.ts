import type { GuardianStore } from './store.ts';

/** The link in a guardian's emails; the page exchanges its key for a cookie. */
export function guardianLink(
  dashboard_url: string,
  guardian: { uuid: string; key_version: number },
  store: Pick<GuardianStore, 'keyOf'>,
): string {
  return `${dashboard_url}/guardian/${guardian.uuid}/${store.keyOf(guardian)}`;
}
