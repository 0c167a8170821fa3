import { useSyncExternalStore } from 'react';

/** The web token in local storage: present means authenticated, absent means guest (4.2). */

const key = 'porchlight_token';
/** Whose token it is or was: the address that logged in. Stays when a login has expired, and goes with a log-out. */
const personKey = 'porchlight_person';
const screens = new Set<() => void>();
const ends = new Set<(how: SessionEnd) => void>();

export type SessionEnd = 'expired' | 'logout';

export function token(): string | null {
  return localStorage.getItem(key);
}

/** Who is logged in, or whose login has expired; null when someone has logged out. */
export function person(): string | null {
  return localStorage.getItem(personKey);
}

export function startSession(value: string, email = ''): void {
  localStorage.setItem(personKey, email.trim().toLowerCase());
  localStorage.setItem(key, value);
  for (const tell of screens) tell();
}

/** After `expired` the screens are not told: the page is about to be loaded anew. */
export function endSession(how: SessionEnd): void {
  if (how === 'logout') localStorage.removeItem(personKey);
  localStorage.removeItem(key);
  for (const tell of ends) tell(how);
  if (how === 'logout') for (const tell of screens) tell();
}

/** Of this tab only: what another tab does comes through `onOtherTab`. */
export function useAuthenticated(): boolean {
  return useSyncExternalStore(subscribe, () => token() !== null);
}

function subscribe(tell: () => void): () => void {
  screens.add(tell);
  return () => void screens.delete(tell);
}

/** Another tab has logged in, or its login has ended, and how. */
export function onOtherTab(tell: (what: SessionEnd | 'login') => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== key && event.key !== null) return;
    tell(token() !== null ? 'login' : person() !== null ? 'expired' : 'logout');
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

/** The login has ended, here or in another tab. */
export function onSessionEnd(tell: (how: SessionEnd) => void): () => void {
  ends.add(tell);
  const off = onOtherTab((what) => what !== 'login' && tell(what));
  return () => {
    ends.delete(tell);
    off();
  };
}
