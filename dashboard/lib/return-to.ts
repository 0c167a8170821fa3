import { readStored, store } from './tab-storage.ts';

/** Path and query of the page to return to after a login. */

const name = 'return';

/** Null unless it is a path of ours: a crafted value must not lead to another site. */
export function safePath(path: unknown): string | null {
  return typeof path === 'string' && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path) ? path : null;
}

export function storeReturnPath(): void {
  const { pathname, search } = window.location;
  store(name, pathname.replace(/^\/dashboard/, '') + search);
}

export function storedReturnPath(): string | null {
  return safePath(readStored(name));
}

export function clearReturnPath(): void {
  store(name, undefined);
}
