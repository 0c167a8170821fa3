import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react';
import { onSessionEnd } from './session.ts';
import { readStored, store } from './tab-storage.ts';

/** Names of fields that are never stored. */
const secret = /password|pin\b|_pin|code|token|secret/i;

/**
 * `useState` for form input that survives an expired login: `const [values, setValues] = useDraft('guardian', {name: '', email: ''})`.
 * Values other than `initial` are restored when the same user opens the form again. `key`: the form, with its subject: `device:<uuid>`.
 * Passwords, PINs and codes are left out.
 */
export function useDraft<T extends Record<string, unknown>>(key: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const [values, setValues] = useState<T>(() => ({ ...initial, ...readStored<Partial<T>>(`draft:${key}`) }));
  const initialRef = useRef(initial);
  const latestRef = useRef({ values, initial });
  useEffect(() => {
    latestRef.current = { values, initial };
  });
  useEffect(() => {
    store(`draft:${key}`, undefined);
    return onSessionEnd((reason) => {
      const { values, initial } = latestRef.current;
      if (reason === 'expired') store(`draft:${key}`, editedValues(values, initialRef.current, initial));
    });
  }, [key]);
  return [values, setValues];
}

/** The values that differ from the initial ones and from the server's, without secrets; undefined if none. */
export function editedValues<T extends Record<string, unknown>>(values: T, initialValues: T, now: T): Partial<T> | undefined {
  const changed = Object.entries(values).filter(
    ([name, value]) => value !== initialValues[name] && value !== now[name] && !secret.test(name),
  );
  return changed.length ? (Object.fromEntries(changed) as Partial<T>) : undefined;
}
