import { endHigh, endLow, mixHigh, mixLow, start } from './hash.ts';
import { hashStore } from './hash-store.ts';
import { type Hashes, readHashes, SiteListError } from './list-bytes.ts';

/**
 * A list of site names, which cannot be recovered: 8 bytes a name, and an index of less than one byte a name. A listed name covers its
 * subdomains.
 */
export interface SiteList {
  readonly size: number;
  /** Whether a canonical host (`canonicalHost`) or a parent domain is listed. */
  has(host: string): boolean;
  /** The listed names among the host and its parent domains, shortest first. */
  find(host: string): string[];
}

/** A canonical name with at least two labels. */
const listableName = /^(?:[a-z0-9_-]{1,63}\.)+(?=[a-z0-9-]*[a-z])[a-z0-9-]{2,63}$/;

/** The same names give the same bytes. Throws `SiteListError` for a name that is not canonical. */
export function buildSiteList(names: Iterable<string>): Uint8Array<ArrayBuffer> {
  const store = hashStore();
  for (const name of names) {
    if (name.length > 253 || !listableName.test(name))
      throw new SiteListError(`${JSON.stringify(name.slice(0, 80))} cannot stand in a site list.`);
    store.add(name);
  }
  return store.list();
}

/** Throws `SiteListError` when the bytes are cut, changed or of another format. Does not retain the bytes. */
export function readSiteList(bytes: Uint8Array): SiteList {
  const hashes = readHashes(bytes);
  const isListed = lookUp(hashes);
  const eachName = (host: string, onListed: (startIndex: number) => boolean): void => {
    let { high, low } = start;
    let labels = 0;
    for (let offset = host.length - 1; offset >= -1; offset--) {
      const code = offset < 0 ? 46 : host.charCodeAt(offset);
      // One label is a top-level domain, which no list may block.
      if (code === 46 && ++labels > 1) {
        const lowHalf = endLow(high, low);
        if (isListed(endHigh(high, low, lowHalf), lowHalf) && onListed(offset + 1)) return;
      }
      high = mixHigh(high, low, code);
      low = mixLow(low, high);
    }
  };
  return {
    size: hashes.high.length,
    has(host) {
      let isFound = false;
      eachName(host, () => (isFound = true));
      return isFound;
    },
    find(host) {
      const foundNames: string[] = [];
      eachName(host, (startIndex) => foundNames.push(host.slice(startIndex)) === 0);
      return foundNames;
    },
  };
}

/** Finds a hash by its first bits, which give its bucket, of four names on average; `starts` contains the first index of each bucket. */
function lookUp({ high, low }: Hashes): (high: number, low: number) => boolean {
  const bits = Math.min(24, Math.max(1, Math.floor(Math.log2(high.length + 1)) - 2));
  const shift = 32 - bits;
  const starts = new Uint32Array(2 ** bits + 1);
  for (const highHalf of high) starts[(highHalf >>> shift) + 1] = (starts[(highHalf >>> shift) + 1] ?? 0) + 1;
  for (let at = 1; at < starts.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  return (wantedHigh, wantedLow) => {
    const bucket = wantedHigh >>> shift;
    const end = starts[bucket + 1] ?? 0;
    for (let at = starts[bucket] ?? 0; at < end; at++) if (high[at] === wantedHigh && low[at] === wantedLow) return true;
    return false;
  };
}
