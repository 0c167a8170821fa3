import { hashHost } from './hash.ts';
import { writeHashes } from './list-bytes.ts';

/** Hosts as their hashes, while a list is made: two million names would not fit into 100 MB as text. */
export interface HashStore {
  /** Takes a canonical host. */
  add(host: string): void;
  /** Bytes of a site list with all of them but these. The same names give the same bytes, in whatever order and how often they came. */
  list(without?: Iterable<string>): Uint8Array<ArrayBuffer>;
}

/** Where the two halves of a 64-bit number lie on this computer. */
const [lowAt = 0, highAt = 0] = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? [0, 1] : [1, 0];

/** Room that is set aside by address only; the store grows in it without ever being copied. A hundred times what a large list needs. */
const most = 2 ** 29;

export function hashStore(): HashStore {
  const room = new ArrayBuffer(0, { maxByteLength: most });
  const halves = new Uint32Array(room);
  let count = 0;
  return {
    add(host) {
      if (count * 8 === room.byteLength) room.resize(Math.min(most, room.byteLength + 2 ** 20));
      const { high, low } = hashHost(host);
      halves[count * 2 + highAt] = high;
      halves[count * 2 + lowAt] = low;
      count++;
    },
    list(without = []) {
      const all = new BigUint64Array(room, 0, count);
      all.sort();
      const dropped = new Set(Array.from(without, keyOf));
      const stays = (at: number) => (at === 0 || all[at] !== all[at - 1]) && !(dropped.size > 0 && dropped.has(all[at] ?? 0n));
      let size = 0;
      for (let at = 0; at < count; at++) if (stays(at)) size++;
      return writeHashes(size, (hash) => {
        for (let at = 0; at < count; at++) if (stays(at)) hash(halves[at * 2 + highAt] ?? 0, halves[at * 2 + lowAt] ?? 0);
      });
    },
  };
}

function keyOf(host: string): bigint {
  const { high, low } = hashHost(host);
  return (BigInt(high) << 32n) | BigInt(low);
}
