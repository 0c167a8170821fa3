import { hashHost } from './hash.ts';
import { type Hashes, writeHashes } from './list-bytes.ts';

/** Hosts as their hashes, while a list is made: two million names would not fit into 100 MB as text. */
export interface HashStore {
  /** Takes a canonical host. */
  add(host: string): void;
  /** Bytes of a site list with all of them but these. The same names give the same bytes, in whatever order and how often they came. */
  list(without?: Iterable<string>): Uint8Array<ArrayBuffer>;
}

/** Where the two halves of a 64-bit number lie on this computer. */
const [lowAt = 0, highAt = 0] = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? [0, 1] : [1, 0];

const perBlock = 65_536;

export function hashStore(): HashStore {
  const blocks: Uint32Array[] = [];
  let count = 0;
  const put = (host: string) => {
    const at = (count % perBlock) * 2;
    if (at === 0) blocks.push(new Uint32Array(perBlock * 2));
    const { high, low } = hashHost(host);
    const block = blocks.at(-1);
    if (!block) return;
    block[at + highAt] = high;
    block[at + lowAt] = low;
    count++;
  };
  return {
    add: put,
    list(without = []) {
      const all = new BigUint64Array(count);
      const halves = new Uint32Array(all.buffer);
      for (const [at, block] of blocks.entries()) halves.set(block.subarray(0, (count - at * perBlock) * 2), at * perBlock * 2);
      return writeHashes(unique(all.sort(), halves, new Set(Array.from(without, (host) => keyOf(host)))));
    },
  };
}

function keyOf(host: string): bigint {
  const { high, low } = hashHost(host);
  return (BigInt(high) << 32n) | BigInt(low);
}

function unique(sorted: BigUint64Array, halves: Uint32Array, without: ReadonlySet<bigint>): Hashes {
  const stays = (at: number) => (at === 0 || sorted[at] !== sorted[at - 1]) && (without.size === 0 || !without.has(sorted[at] ?? 0n));
  let size = 0;
  for (let at = 0; at < sorted.length; at++) if (stays(at)) size++;
  const [high, low] = [new Uint32Array(size), new Uint32Array(size)];
  for (let at = 0, to = 0; at < sorted.length; at++) {
    if (!stays(at)) continue;
    high[to] = halves[at * 2 + highAt] ?? 0;
    low[to++] = halves[at * 2 + lowAt] ?? 0;
  }
  return { high, low };
}
