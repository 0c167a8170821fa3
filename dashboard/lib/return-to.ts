import { store, stored } from './tab-storage.ts';

/** The page that someone was on, to come back to after logging in: path and query below /dashboard. */

const name = 'return';

/** Null unless it is a path of ours: never another site, whoever wrote it. */
export function safePath(path: unknown): string | null {
  return typeof path === 'string' && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path) ? path : null;
}

/** When the login has expired: where this tab is. */
export function storeReturnPath(): void {
  const { pathname, search } = window.location;
  store(name, pathname.replace(/^\/dashboard/, '') + search);
}

export function storedReturnPath(): string | null {
  return safePath(stored(name));
}

export function clearReturnPath(): void {
  store(name, undefined);
}
