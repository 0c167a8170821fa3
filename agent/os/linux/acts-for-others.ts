import { readFileSync } from 'node:fs';

/** Of capability.h: CAP_SETGID and CAP_SETUID. */
const needed = [6n, 7n];

/** May this process become another person? What runs under a unit of an older package may not, though it is root's. */
export function actsForOthers(): boolean {
  const [, effective = '0'] = /^CapEff:\s*([\da-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return needed.every((bit) => (BigInt(`0x${effective}`) >> bit) & 1n);
}
