import { useMemo, useSyncExternalStore } from 'react';

/** The visitor's consent, in local storage. */

export type Service = 'chat' | 'errors' | 'analytics';
/** The answer for each service; a missing service has no answer yet. */
export type Consent = Partial<Record<Service, boolean>>;

const key = 'porchlight_consent';
const changed = 'porchlight:consent';
const services: Service[] = ['chat', 'errors', 'analytics'];
const noConsents: Consent = { chat: false, errors: false, analytics: false };

/** An old `yes` came from a single question for all services, so each is asked again; an old `no` refused all. */
function read(storedText: string | null): Consent {
  if (storedText === 'no') return noConsents;
  try {
    const parsed = (JSON.parse(storedText ?? '{}') ?? {}) as Record<string, unknown>;
    return Object.fromEntries(services.filter((name) => typeof parsed[name] === 'boolean').map((name) => [name, parsed[name] as boolean]));
  } catch {
    return {};
  }
}

export function answerConsent(answer: Consent): void {
  localStorage.setItem(key, JSON.stringify({ ...read(localStorage.getItem(key)), ...answer }));
  window.dispatchEvent(new Event(changed));
}

/** The stored consent, which follows answers in other tabs. */
export function useConsent(): Consent {
  const storedText = useSyncExternalStore(subscribe, () => localStorage.getItem(key));
  return useMemo(() => read(storedText), [storedText]);
}

function subscribe(notify: () => void): () => void {
  window.addEventListener(changed, notify);
  window.addEventListener('storage', notify);
  return () => {
    window.removeEventListener(changed, notify);
    window.removeEventListener('storage', notify);
  };
}
