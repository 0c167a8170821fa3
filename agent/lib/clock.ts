import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { ClockReading } from './span.ts';

/** Linux has an id for each boot; on other systems a smaller `up` shows a restart. */
export function readSystemClock(): ClockReading {
  return { wall: Date.now(), up: Math.round(uptime() * 1000), boot: bootId() };
}

let knownBootId: string | undefined;

/** Read once, because a process does not outlast a boot, and the clock is read several times a second. */
function bootId(): string {
  try {
    knownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return knownBootId;
  } catch {
    return '';
  }
}
