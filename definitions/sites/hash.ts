/**
 * The hash of a host: 64 bits in two 32-bit lanes, from the last character to the first, so that one pass yields the hashes of all parent
 * domains.
 * Each step is reversible (odd factors, rotations, additions), so no input is lost. Odds of a false positive with n listed names: n / 2^64
 * per label; with 346,111 names and a thousand new hosts a day, four labels each, one in 36 million years. Not cryptographic: an attacker
 * who constructs collisions gains no more than by adding a name to the list.
 */
export interface Lanes {
  high: number;
  low: number;
}

export const start: Readonly<Lanes> = { high: 0x243f6a88, low: 0x85a308d3 | 0 };

/** `bits` is a char code for hosts; `mixLow` then updates the low lane. Plain numbers, because objects are slow here. */
export function mixHigh(high: number, low: number, bits: number): number {
  const mixed = Math.imul(high ^ bits, 0x85ebca6b);
  return (((mixed << 13) | (mixed >>> 19)) + low) | 0;
}

export function mixLow(low: number, newHigh: number): number {
  const mixed = Math.imul(low ^ newHigh, 0xc2b2ae35);
  return (mixed << 17) | (mixed >>> 15);
}

/** The final low half, unsigned; mixing can continue afterwards. */
export function endLow(high: number, low: number): number {
  return avalanche((low + avalanche((high + low) | 0)) | 0) >>> 0;
}

export function endHigh(high: number, low: number, lowHalf: number): number {
  return (avalanche((high + low) | 0) + lowHalf) >>> 0;
}

/** Every input bit changes about half of the output bits. */
function avalanche(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}

export function hashOf(length: number, bitsAt: (index: number) => number): Lanes {
  let { high, low } = start;
  for (let index = 0; index < length; index++) {
    high = mixHigh(high, low, bitsAt(index));
    low = mixLow(low, high);
  }
  const lowHalf = endLow(high, low);
  return { high: endHigh(high, low, lowHalf), low: lowHalf };
}

/** Hashes a canonical host (lower-case ASCII, no trailing dot). */
export function hashHost(host: string): Lanes {
  return hashOf(host.length, (index) => host.charCodeAt(host.length - 1 - index));
}
