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

export function startLanes(): Lanes {
  return { high: 0x243f6a88, low: 0x85a308d3 };
}

/** Takes 32 more bits in. For hosts these are char codes. */
export function mixIn(lanes: Lanes, bits: number): void {
  const high = Math.imul(lanes.high ^ bits, 0x85ebca6b);
  lanes.high = (((high << 13) | (high >>> 19)) + lanes.low) | 0;
  const low = Math.imul(lanes.low ^ lanes.high, 0xc2b2ae35);
  lanes.low = (low << 17) | (low >>> 15);
}

/** The hash of what was taken in so far; `lanes` can go on afterwards. */
export function finish({ high, low }: Lanes, into: Lanes): Lanes {
  const a = avalanche((high + low) | 0);
  const b = avalanche((low + a) | 0);
  into.high = (a + b) >>> 0;
  into.low = b >>> 0;
  return into;
}

/** Every bit that goes in changes about half of those that come out. */
function avalanche(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}

/** Hash of a canonical host (lower-case ASCII, no dot at its end). */
export function hashHost(host: string): Lanes {
  const lanes = startLanes();
  for (let at = host.length - 1; at >= 0; at--) mixIn(lanes, host.charCodeAt(at));
  return finish(lanes, lanes);
}
