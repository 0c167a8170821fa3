import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { ClockReading } from './span.ts';

/** Now. Linux names each start of the computer; elsewhere a start shows by `up` having begun anew. */
export function readSystemClock(): ClockReading {
  return { wall: Date.now(), up: Math.round(uptime() * 1000), boot: bootId() };
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
