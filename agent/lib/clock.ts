import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { ClockReading } from './span.ts';

/** Linux has an id for each boot; on other systems a smaller `up` shows a restart. */
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
