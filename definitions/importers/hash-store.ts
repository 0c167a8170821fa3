import { hashHost } from '../sites/hash.ts';
import { sortHashes, writeHashes } from '../sites/list-bytes.ts';
import { hashKey } from '../sites/site-list.ts';

/** Names as their hashes, because a list of two million names would not fit into 100 MB as text. */
export interface HashStore {
  add(host: string): void;
  /** Bytes of a site list with all names but these. */
  list(without: ReadonlySet<string>): Uint8Array<ArrayBuffer>;
}

export function hashStore(): HashStore {
  let hashes = new BigUint64Array(4096);
  let count = 0;
  return {
    add(host) {
      if (count === hashes.length) {
        const larger = new BigUint64Array(count * 2);
        larger.set(hashes);
        hashes = larger;
      }
      hashes[count++] = hashKey(hashHost(host));
    },
    list(without) {
      const dropped = new Set([...without].map((host) => hashKey(hashHost(host))));
      const kept = dropped.size === 0 ? hashes.subarray(0, count) : hashes.subarray(0, count).filter((hash) => !dropped.has(hash));
      return writeHashes(sortHashes(kept, kept.length));
    },
  };
}
