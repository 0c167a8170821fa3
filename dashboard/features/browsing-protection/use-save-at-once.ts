import type { BrowsingProtection } from '@porchlight/contract/browsing-protection.ts';
import { useRef, useState } from 'react';

type Choice = Partial<BrowsingProtection>;

/**
 * Saves choices one after the other, so that the last one counts, however fast they were made. `shown`: what is saved, and the choices that
 * are on their way. A choice that was not saved disappears again, and `save` throws its error.
 */
export function useSaveAtOnce(
  saved: BrowsingProtection,
  change: (to: Choice) => Promise<unknown>,
): { shown: BrowsingProtection; save: (choice: Choice) => Promise<void> } {
  const [unsaved, setUnsaved] = useState<Choice>({});
  const last = useRef<Promise<unknown>>(Promise.resolve());
  return {
    shown: { ...saved, ...unsaved },
    async save(choice) {
      setUnsaved((previous) => ({ ...previous, ...choice }));
      const saving = last.current.then(() => change(choice));
      last.current = saving.catch(() => undefined);
      try {
        await saving;
      } finally {
        setUnsaved((current) => without(current, choice));
      }
    },
  };
}

/** A newer choice of the same setting stays. */
const without = (current: Choice, choice: Choice): Choice =>
  Object.fromEntries(Object.entries(current).filter(([name, value]) => choice[name as keyof Choice] !== value));
