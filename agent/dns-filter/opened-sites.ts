import { createHmac } from 'node:crypto';
import type { FilterClock } from './clock.ts';

const SEND_MS = 30_000;
/** A program that looks up ever new names makes the agent forget the oldest; then a young site that was open is paused again. */
const MAX_SITES = 20_000;

/** Which sites this computer has opened, by keyed hashes alone (P16.3). */
export interface OpenedSites {
  /** The hashes of the last days, and their key. */
  use(key: string, hashes: string[]): void;
  has(site: string): boolean;
  note(site: string): void;
  close(): void;
}

/** `send`: new hashes, gathered, since each page has many. */
export function openedSites(clock: FilterClock, send: (hashes: string[]) => void): OpenedSites {
  let key: string | null = null;
  let known = new Set<string>();
  let fresh: string[] = [];
  let cancel: (() => void) | null = null;
  const hashOf = (site: string) =>
    createHmac('sha256', key ?? '')
      .update(site)
      .digest('base64url')
      .slice(0, 12);
  const flush = () => {
    cancel = null;
    if (fresh.length) send(fresh);
    fresh = [];
  };
  return {
    use(newKey, hashes) {
      key = newKey;
      known = new Set([...hashes, ...fresh].slice(-MAX_SITES));
    },
    has: (site) => known.has(hashOf(site)),
    note(site) {
      if (key === null) return;
      const hash = hashOf(site);
      if (known.has(hash)) return;
      known.add(hash);
      for (const oldest of known) {
        if (known.size <= MAX_SITES) break;
        known.delete(oldest);
      }
      fresh.push(hash);
      cancel ??= clock.after(SEND_MS, flush);
    },
    close() {
      cancel?.();
    },
  };
}
