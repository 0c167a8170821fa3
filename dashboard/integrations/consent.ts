import { useMemo, useSyncExternalStore } from 'react';

/** Consent to each third party, in local storage. */

export type Service = 'chat' | 'errors' | 'analytics';
/** A missing service was not answered yet. */
export type Consent = Partial<Record<Service, boolean>>;

const key = 'porchlight_consent';
const changed = 'porchlight:consent';
const services: Service[] = ['chat', 'errors', 'analytics'];
const noToAll: Consent = { chat: false, errors: false, analytics: false };

/** A yes of when all of it was one question was a yes to none alone: it is asked again. A no was one to all. */
function read(kept: string | null): Consent {
  if (kept === 'no') return noToAll;
  try {
    const said = (JSON.parse(kept ?? '{}') ?? {}) as Record<string, unknown>;
    return Object.fromEntries(services.filter((name) => typeof said[name] === 'boolean').map((name) => [name, said[name] as boolean]));
  } catch {
    return {};
  }
}

/** What was answered of other services stays. */
export function answerConsent(answer: Consent): void {
  localStorage.setItem(key, JSON.stringify({ ...read(localStorage.getItem(key)), ...answer }));
  window.dispatchEvent(new Event(changed));
}

/** Also updates when another tab answers. */
export function useConsent(): Consent {
  const kept = useSyncExternalStore(subscribe, () => localStorage.getItem(key));
  return useMemo(() => read(kept), [kept]);
}

function subscribe(tell: () => void): () => void {
  window.addEventListener(changed, tell);
  window.addEventListener('storage', tell);
  return () => {
    window.removeEventListener(changed, tell);
    window.removeEventListener('storage', tell);
  };
}
