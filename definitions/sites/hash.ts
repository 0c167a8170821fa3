/**
 * The hash under which a host stands in a compact list: 64 bits in two 32-bit lanes, read from the last letter to the first, so that
 * one pass over a host meets every name that it lies below.
 *
 * Each step can be undone (odd factors, rotations, additions), so no letter is ever lost, and the two lanes feed each other. Odds that
 * a harmless name is taken for one of n listed ones: n / 2^64 for each label, with 346,111 names 1.9e-14; a computer that asks for a
 * thousand new hosts a day, four labels each, would meet one such case in 36 million years. It is no secret and no signature: who can
 * choose names can make two of them meet, and gains by it no more than a list with one name more.
 */
export interface Lanes {
  high: number;
  low: number;
}

/** Where both lanes begin. */
export const start: Readonly<Lanes> = { high: 0x243f6a88, low: 0x85a308d3 | 0 };

/** Takes 32 more bits in, for hosts a char code: first the new high lane, then with it the new low one. Plain numbers, because objects are slow here. */
export function mixHigh(high: number, low: number, bits: number): number {
  const mixed = Math.imul(high ^ bits, 0x85ebca6b);
  return (((mixed << 13) | (mixed >>> 19)) + low) | 0;
}

export function mixLow(low: number, newHigh: number): number {
  const mixed = Math.imul(low ^ newHigh, 0xc2b2ae35);
  return (mixed << 17) | (mixed >>> 15);
}

/** The two halves of the hash of what was taken in, unsigned; the lanes can go on afterwards. */
export function endLow(high: number, low: number): number {
  return avalanche((low + avalanche((high + low) | 0)) | 0) >>> 0;
}

export function endHigh(high: number, low: number, ended: number): number {
  return (avalanche((high + low) | 0) + ended) >>> 0;
}

/** Every bit that goes in changes about half of those that come out. */
function avalanche(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}

/** Hash of a row of 32-bit numbers. */
export function hashOf(length: number, at: (index: number) => number): Lanes {
  let { high, low } = start;
  for (let index = 0; index < length; index++) {
    high = mixHigh(high, low, at(index));
    low = mixLow(low, high);
  }
  const ended = endLow(high, low);
  return { high: endHigh(high, low, ended), low: ended };
}

/** Hash of a canonical host (lower-case ASCII, no dot at its end), from its last letter. */
export function hashHost(host: string): Lanes {
  return hashOf(host.length, (index) => host.charCodeAt(host.length - 1 - index));
}
