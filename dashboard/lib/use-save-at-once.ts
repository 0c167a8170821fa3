import { useRef, useState } from 'react';

/**
 * Saves choices one after the other, so that the last one counts, however fast they were made. `shown`: what is saved, and the choices that
 * are on their way. A choice that was not saved disappears again, and `save` throws its error.
 */
export function useSaveAtOnce<Saved extends object>(
  saved: Saved,
  change: (to: Partial<Saved>) => Promise<unknown>,
): { shown: Saved; save: (choice: Partial<Saved>) => Promise<void> } {
  const [unsaved, setUnsaved] = useState<Partial<Saved>>({});
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
function without<Saved extends object>(current: Partial<Saved>, choice: Partial<Saved>): Partial<Saved> {
  const names = Object.keys(current) as (keyof Saved)[];
  const newer = names.filter((name) => choice[name] !== current[name]);
  return Object.fromEntries(newer.map((name) => [name, current[name]])) as Partial<Saved>;
}
