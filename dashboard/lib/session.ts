import { useSyncExternalStore } from 'react';

/** A stored token means authenticated (4.2). */

const key = 'porchlight_token';
/** The email of the token's owner. Stays after an expired login, and is removed by a log-out. */
const personKey = 'porchlight_person';
const screenListeners = new Set<() => void>();
const endListeners = new Set<(how: SessionEnd) => void>();

export type SessionEnd = 'expired' | 'logout';

export function token(): string | null {
  return localStorage.getItem(key);
}

/** The logged-in user, or the one whose login has expired; null after a log-out. */
export function person(): string | null {
  return localStorage.getItem(personKey);
}

export function startSession(value: string, email = ''): void {
  localStorage.setItem(personKey, email.trim().toLowerCase());
  localStorage.setItem(key, value);
  for (const notify of screenListeners) notify();
}

/** After `expired` the screens get no notification: the page is about to reload. */
export function endSession(reason: SessionEnd): void {
  if (reason === 'logout') localStorage.removeItem(personKey);
  localStorage.removeItem(key);
  for (const notify of endListeners) notify(reason);
  if (reason === 'logout') for (const notify of screenListeners) notify();
}

/** Whether this tab is logged in; changes in other tabs arrive through `onOtherTab`. */
export function useAuthenticated(): boolean {
  return useSyncExternalStore(subscribe, hasToken, hasToken);
}

const hasToken = () => token() !== null;

function subscribe(notify: () => void): () => void {
  screenListeners.add(notify);
  return () => void screenListeners.delete(notify);
}

export function onOtherTab(notify: (change: SessionEnd | 'login') => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== key && event.key !== null) return;
    notify(token() !== null ? 'login' : person() !== null ? 'expired' : 'logout');
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

export function onSessionEnd(notify: (reason: SessionEnd) => void): () => void {
  endListeners.add(notify);
  const unsubscribe = onOtherTab((change) => change !== 'login' && notify(change));
  return () => {
    endListeners.delete(notify);
    unsubscribe();
  };
}
