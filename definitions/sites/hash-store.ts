import { hashHost } from './hash.ts';
import { type Hashes, writeHashes } from './list-bytes.ts';

/** Stores names as hashes: two million names would not fit into 100 MB as text. */
export interface HashStore {
  add(host: string): void;
  addHashes(hashes: Hashes): void;
  /** The same names give the same bytes, whatever their order and duplicates. */
  list(without?: Iterable<string>): Uint8Array<ArrayBuffer>;
}

/** The halves of a 64-bit hash, in this computer's byte order. */
const [lowAt = 0, highAt = 0] = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? [0, 1] : [1, 0];

/** Reserved address space, so that the store grows without being copied. */
const capacity = 2 ** 29;

export function hashStore(): HashStore {
  const buffer = new ArrayBuffer(0, { maxByteLength: capacity });
  const halves = new Uint32Array(buffer);
  let count = 0;
  const addHash = (high: number, low: number) => {
    if (count * 8 === buffer.byteLength) buffer.resize(Math.min(capacity, buffer.byteLength + 2 ** 20));
    halves[count * 2 + highAt] = high;
    halves[count * 2 + lowAt] = low;
    count++;
  };
  return {
    add(host) {
      const { high, low } = hashHost(host);
      addHash(high, low);
    },
    addHashes({ high, low }) {
      for (let index = 0; index < high.length; index++) addHash(high[index] ?? 0, low[index] ?? 0);
    },
    list(without = []) {
      const sortedHashes = new BigUint64Array(buffer, 0, count);
      sortedHashes.sort();
      const dropped = new Set(Array.from(without, keyOf));
      const isIncluded = (index: number) =>
        (index === 0 || sortedHashes[index] !== sortedHashes[index - 1]) && !(dropped.size > 0 && dropped.has(sortedHashes[index] ?? 0n));
      let size = 0;
      for (let index = 0; index < count; index++) if (isIncluded(index)) size++;
      return writeHashes(size, (hash) => {
        for (let index = 0; index < count; index++)
          if (isIncluded(index)) hash(halves[index * 2 + highAt] ?? 0, halves[index * 2 + lowAt] ?? 0);
      });
    },
  };
}

function keyOf(host: string): bigint {
  const { high, low } = hashHost(host);
  return (BigInt(high) << 32n) | BigInt(low);
}
