import { readFileSync } from 'node:fs';

/** Bits of CAP_SETGID and CAP_SETUID in capability.h. */
const requiredCapabilities = [6n, 7n];

/** A systemd unit or a container may forbid switching to another user, even as root. */
export function canSwitchUser(): boolean {
  const [, effectiveCapabilities = '0'] = /^CapEff:\s*([\da-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return requiredCapabilities.every((bit) => (BigInt(`0x${effectiveCapabilities}`) >> bit) & 1n);
}
