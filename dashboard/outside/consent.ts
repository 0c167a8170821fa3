import { useSyncExternalStore } from 'react';

/** Whether third parties may be loaded, in local storage: 'yes', 'no', or nothing while it was not answered. */

export type Consent = 'yes' | 'no' | null;

const key = 'porchlight_consent';
const changed = 'porchlight:consent';

export function consent(): Consent {
  const kept = localStorage.getItem(key);
  return kept === 'yes' || kept === 'no' ? kept : null;
}

export function answerConsent(answer: 'yes' | 'no'): void {
  localStorage.setItem(key, answer);
  window.dispatchEvent(new Event(changed));
}

/** Also changes when another tab answers. */
export function useConsent(): Consent {
  return useSyncExternalStore(subscribe, consent);
}

function subscribe(tell: () => void): () => void {
  window.addEventListener(changed, tell);
  window.addEventListener('storage', tell);
  return () => {
    window.removeEventListener(changed, tell);
    window.removeEventListener('storage', tell);
  };
}
