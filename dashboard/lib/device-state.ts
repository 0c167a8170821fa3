import type { Silence } from '@porchlight/contract/care.ts';
import { limits, zero_time } from '@porchlight/contract/limits.ts';

/** `off`, `asleep`: the computer was shut down or went to sleep, and said so; `unseen`: it said nothing before it went. */
export type DeviceState = 'pending' | 'uninstalled' | 'left' | 'alert' | 'paused' | 'stopped' | 'off' | 'asleep' | 'unseen' | 'protected';

export interface Seen {
  last_seen: string | null;
  last_detection: string;
  login_code?: string | undefined;
  /** Why it says nothing or does not protect. */
  silence?: Silence | null | undefined;
}

const day = 24 * 3_600_000;
const silent = {
  switched_off: 'off',
  asleep: 'asleep',
  stopped: 'stopped',
  vanished: 'unseen',
  paused: 'paused',
  uninstalled: 'uninstalled',
  left: 'left',
} as const;

/**
 * How a device is, in one word. An alert shows for a day, unless nothing is left there that protects. A device that said nothing counts as seen
 * while it was heard within the last day: people switch computers off at night.
 */
export function stateOf(device: Seen, now: Date): DeviceState {
  if (device.login_code !== undefined || device.last_seen === null) return 'pending';
  const since = (time: string) => now.getTime() - new Date(time).getTime();
  const reason = device.silence ? silent[device.silence.kind] : undefined;
  if (reason === 'uninstalled' || reason === 'left') return reason;
  if (device.last_detection !== zero_time && since(device.last_detection) < day) return 'alert';
  if (reason) return reason;
  return since(device.last_seen) < day ? 'protected' : 'unseen';
}

/** Heard within the last minutes: it is on right now. */
export function isOn(device: { last_seen: string | null }, now: Date): boolean {
  return device.last_seen !== null && now.getTime() - new Date(device.last_seen).getTime() < limits.device_connected;
}
