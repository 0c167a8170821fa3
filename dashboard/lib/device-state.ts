import { limits, zero_time } from '@porchlight/contract/limits.ts';

export type DeviceState = 'pending' | 'alert' | 'unseen' | 'protected';

const day = 24 * 3_600_000;

/** How a device is, in one word. An alert shows for a day; a device counts as seen while it was heard within the last day: people switch computers off at night. */
export function stateOf(
  device: { last_seen: string | null; last_detection: string; login_code?: string | undefined },
  now: Date,
): DeviceState {
  if (device.login_code !== undefined || device.last_seen === null) return 'pending';
  const since = (time: string) => now.getTime() - new Date(time).getTime();
  if (device.last_detection !== zero_time && since(device.last_detection) < day) return 'alert';
  return since(device.last_seen) < day ? 'protected' : 'unseen';
}

/** Heard within the last minutes: it is on right now. */
export function isOn(device: { last_seen: string | null }, now: Date): boolean {
  return device.last_seen !== null && now.getTime() - new Date(device.last_seen).getTime() < limits.device_connected;
}
