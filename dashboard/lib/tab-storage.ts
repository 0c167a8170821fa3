import { person } from './session.ts';

/** Session storage of this tab for a user whose login has expired, readable only by the same user. */

const prefix = 'porchlight_kept:';

/** Stores a value; `undefined` removes it. */
export function store(name: string, value: unknown): void {
  if (value === undefined) sessionStorage.removeItem(prefix + name);
  else sessionStorage.setItem(prefix + name, JSON.stringify({ owner: person(), value }));
}

/** The stored value; undefined if the logged-in user stored none. */
export function readStored<T>(name: string): T | undefined {
  const text = sessionStorage.getItem(prefix + name);
  if (text === null) return undefined;
  const { owner, value } = JSON.parse(text) as { owner: string | null; value: T };
  return owner && owner === person() ? value : undefined;
}

export function clearStored(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
}
