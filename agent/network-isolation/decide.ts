import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import { emergencyLimits } from '@porchlight/contract/emergency-stops.ts';
import { beginSpan, type ClockReading, leftOf } from '../lib/span.ts';
import type { ServerSocket } from '../os/port.ts';
import type { StoredIsolation } from '../state/isolation-file.ts';

const MAX_MS = emergencyLimits.isolation_minutes_max * 60_000;

/**
 * What to remember of the isolation in the policy; null without one. Its length is by the server's clock alone. `stored`: the policy was on
 * the disk when the agent started. If then nothing is known about its isolation, the agent was killed before it began, perhaps days ago, so
 * it lasts only while this computer's clock is within it.
 */
export function isolationIn(
  policy: Pick<DevicePolicy, 'issued' | 'isolation'> | null,
  known: StoredIsolation | null,
  reading: ClockReading,
  stored: boolean,
): StoredIsolation | null {
  if (!policy?.isolation) return null;
  const { uuid } = policy.isolation;
  const [issued, until] = [Date.parse(policy.issued), Date.parse(policy.isolation.until)];
  const length = Math.min(MAX_MS, Math.max(0, until - issued));
  if (known?.uuid === uuid) {
    // A newer policy states the length again, which can only shorten the time left.
    return leftOf(known.span, reading, 'soonest') <= length ? known : { ...known, span: beginSpan(reading, length) };
  }
  const isWithin = issued <= reading.wall && reading.wall < until;
  const left = stored ? (isWithin ? Math.min(length, until - reading.wall) : 0) : length;
  return { uuid, span: beginSpan(reading, left), addresses: [], ended: false };
}

export const isolationLeft = (isolation: StoredIsolation | null, reading: ClockReading): number =>
  isolation && !isolation.ended ? leftOf(isolation.span, reading, 'soonest') : 0;

/** The host without brackets, and the port, in an address such as `https://[2001:db8::1]:8443`. */
export function hostOf(server: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(server);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

export const socketsOf = (addresses: string[], port: number): ServerSocket[] =>
  [...new Set(addresses)].map((address) => ({ address, port }));
