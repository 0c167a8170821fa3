import { useSyncExternalStore } from 'react';

/** The web token in local storage: present means authenticated, absent means guest (4.2). */

const key = 'porchlight_token';
const listeners = new Set<() => void>();

export function token(): string | null {
  return localStorage.getItem(key);
}

export function startSession(value: string): void {
  localStorage.setItem(key, value);
  for (const tell of listeners) tell();
}

export function endSession(): void {
  localStorage.removeItem(key);
  for (const tell of listeners) tell();
}

/** Also changes when another tab logs in or out. */
export function useAuthenticated(): boolean {
  return useSyncExternalStore(subscribe, () => token() !== null);
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  window.addEventListener('storage', tell);
  return () => {
    listeners.delete(tell);
    window.removeEventListener('storage', tell);
  };
}
