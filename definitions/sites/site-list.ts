import { endHigh, endLow, mixHigh, mixLow, start } from './hash.ts';
import { hashStore } from './hash-store.ts';
import { type Hashes, readHashes, SiteListError } from './list-bytes.ts';

/**
 * A list of hosts in as little memory as its hashes need: 8 bytes a name, and an index of less than one byte a name. A listed name
 * stands for itself and everything below it. The names cannot be read back from it.
 */
export interface SiteList {
  /** Names in the list. */
  readonly size: number;
  /** Is a canonical host (`canonicalHost`) listed, or below a listed name? */
  has(host: string): boolean;
  /** The listed names that a host is or lies below, the shortest first: `evil.test` for `www.evil.test`. */
  find(host: string): string[];
}

/** What may stand in a list: a canonical name with at least two labels. */
const listable = /^(?:[a-z0-9_-]{1,63}\.)+(?=[a-z0-9-]*[a-z])[a-z0-9-]{2,63}$/;

/** Bytes of a list. The same names give the same bytes. Throws `SiteListError` for what is not a canonical host with a dot in it. */
export function buildSiteList(names: Iterable<string>): Uint8Array<ArrayBuffer> {
  const store = hashStore();
  for (const name of names) {
    if (name.length > 253 || !listable.test(name))
      throw new SiteListError(`${JSON.stringify(name.slice(0, 80))} cannot stand in a site list.`);
    store.add(name);
  }
  return store.list();
}

/** Throws `SiteListError` with the reason when the bytes are cut, changed, of another format or no list at all. The bytes are not kept. */
export function readSiteList(bytes: Uint8Array): SiteList {
  const hashes = readHashes(bytes);
  const isListed = lookUp(hashes);
  const eachName = (host: string, listed: (from: number) => boolean): void => {
    let { high, low } = start;
    let labels = 0;
    for (let at = host.length - 1; at >= -1; at--) {
      const code = at < 0 ? 46 : host.charCodeAt(at);
      // A name with one label is a whole country or kind of site: no list can hold it.
      if (code === 46 && ++labels > 1) {
        const ended = endLow(high, low);
        if (isListed(endHigh(high, low, ended), ended) && listed(at + 1)) return;
      }
      high = mixHigh(high, low, code);
      low = mixLow(low, high);
    }
  };
  return {
    size: hashes.high.length,
    has(host) {
      let found = false;
      eachName(host, () => (found = true));
      return found;
    },
    find(host) {
      const found: string[] = [];
      eachName(host, (from) => found.push(host.slice(from)) === 0);
      return found;
    },
  };
}

/**
 * The first bits of a hash lead to its bucket, of four names on average. `ends` holds where each bucket ends in the sorted hashes, so
 * a look-up reads two neighbouring numbers of it and then a few neighbouring hashes.
 */
function lookUp({ high, low }: Hashes): (high: number, low: number) => boolean {
  const bits = Math.min(24, Math.max(1, Math.floor(Math.log2(high.length + 1)) - 2));
  const shift = 32 - bits;
  const starts = new Uint32Array(2 ** bits + 1);
  for (const each of high) starts[(each >>> shift) + 1] = (starts[(each >>> shift) + 1] ?? 0) + 1;
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  return (wantedHigh, wantedLow) => {
    const bucket = wantedHigh >>> shift;
    const end = starts[bucket + 1] ?? 0;
    for (let at = starts[bucket] ?? 0; at < end; at++) if (high[at] === wantedHigh && low[at] === wantedLow) return true;
    return false;
  };
}
