import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react';
import { onSessionEnd } from './session.ts';
import { store, stored } from './tab-storage.ts';

/** Fields with these names are never stored. */
const secret = /password|pin\b|_pin|code|token|secret/i;

/**
 * `useState` for what is typed into a form, which outlives an expired login: `const [values, setValues] = useDraft('guardian', {name: '', email: ''})`.
 * What differs from `initial` when a 401 ends the session is put back when the same person comes to the same form again.
 * `key` names the form, with the id of what it is about: `device:<uuid>`. Passwords, PINs and codes do not belong in it, and are left out.
 */
export function useDraft<T extends Record<string, unknown>>(key: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const [values, setValues] = useState<T>(() => ({ ...initial, ...stored<Partial<T>>(`draft:${key}`) }));
  const first = useRef(initial);
  const latest = useRef({ values, initial });
  useEffect(() => {
    latest.current = { values, initial };
  });
  useEffect(() => {
    // The draft is on the screen now and is stored again only when needed.
    store(`draft:${key}`, undefined);
    return onSessionEnd((how) => {
      const { values, initial } = latest.current;
      if (how === 'expired') store(`draft:${key}`, typed(values, first.current, initial));
    });
  }, [key]);
  return [values, setValues];
}

/** What is neither as it was first shown nor as the server has it now, and may be kept; undefined when that is nothing. */
export function typed<T extends Record<string, unknown>>(values: T, first: T, now: T): Partial<T> | undefined {
  const changed = Object.entries(values).filter(([name, value]) => value !== first[name] && value !== now[name] && !secret.test(name));
  return changed.length ? (Object.fromEntries(changed) as Partial<T>) : undefined;
}
