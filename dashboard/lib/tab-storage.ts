import { person } from './session.ts';

/** What a tab keeps for a person whose login has expired, in its session storage: for them and nobody else. */

const prefix = 'porchlight_kept:';

/** `undefined` forgets it. */
export function store(name: string, value: unknown): void {
  if (value === undefined) sessionStorage.removeItem(prefix + name);
  else sessionStorage.setItem(prefix + name, JSON.stringify({ owner: person(), value }));
}

/** Undefined when there is nothing, or nothing of the person who is logged in. */
export function stored<T>(name: string): T | undefined {
  const text = sessionStorage.getItem(prefix + name);
  if (text === null) return undefined;
  const { owner, value } = JSON.parse(text) as { owner: string | null; value: T };
  return owner && owner === person() ? value : undefined;
}

/** On log-out, and when someone else logs in. */
export function clearStored(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
}
