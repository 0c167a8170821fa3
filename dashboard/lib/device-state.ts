import type { Silence } from '@porchlight/contract/care.ts';
import { limits, zero_time } from '@porchlight/contract/limits.ts';
import { isRecent, openAlerts, type SafeAlert } from './open-alerts.ts';

/**
 * How a device is, the worst first, so that a list of devices can be told in this order.
 * - `stopped`: someone ended the program. `unseen`: it said nothing before it went.
 * - `alert`: something was stopped there within a day, and nobody has answered it.
 * - `leaving`: one of its administrators wants it to leave the account, and it is still there.
 * - `expired`: it waits to be installed with a code that no longer works.
 * - `off`, `asleep`: the computer was shut down or went to sleep, and said so.
 */
export const deviceStates = [
  'uninstalled',
  'left',
  'stopped',
  'paused',
  'unseen',
  'not_stopped',
  'alert',
  'leaving',
  'expired',
  'pending',
  'off',
  'asleep',
  'protected',
] as const;
export type DeviceState = (typeof deviceStates)[number];

/** `danger` is only for *not protected now* and *not stopped*. `stopped`: it needs an answer, and nobody got in. */
export type DeviceMood = 'danger' | 'stopped' | 'look' | 'safe';

export const moodOf = {
  uninstalled: 'danger',
  left: 'danger',
  stopped: 'danger',
  paused: 'danger',
  unseen: 'danger',
  not_stopped: 'danger',
  alert: 'stopped',
  leaving: 'look',
  expired: 'look',
  pending: 'look',
  off: 'safe',
  asleep: 'safe',
  protected: 'safe',
} as const satisfies Record<DeviceState, DeviceMood>;

export interface Seen {
  /** What its alerts call it. */
  uuid?: string;
  last_seen: string | null;
  last_detection: string;
  login_code?: string | undefined;
  login_code_expires?: string | undefined;
  /** Why it says nothing or does not protect. */
  silence?: Silence | null | undefined;
  leaves?: string | undefined;
}

const silent = {
  switched_off: 'off',
  asleep: 'asleep',
  stopped: 'stopped',
  vanished: 'unseen',
  paused: 'paused',
  uninstalled: 'uninstalled',
  left: 'left',
} as const satisfies Record<Silence['kind'], DeviceState>;

/**
 * How a device is, in one word: the worst that is true. A device that said nothing counts as seen while it was heard within the last day:
 * people switch computers off at night. `alerts`: those that are known, of any device.
 */
export function stateOf(device: Seen, now: Date, alerts: SafeAlert[] = []): DeviceState {
  const { login_code_expires: expires, silence, last_seen, leaves } = device;
  if (device.login_code !== undefined || last_seen === null) return expires && new Date(expires) <= now ? 'expired' : 'pending';
  const reason = silence ? silent[silence.kind] : isRecent(last_seen, now) ? 'protected' : 'unseen';
  if (moodOf[reason] === 'danger') return reason;
  const trouble = alertState(device, now, alerts);
  if (trouble) return trouble;
  return leaves && new Date(leaves) > now ? 'leaving' : reason;
}

function alertState({ uuid, last_detection }: Seen, now: Date, alerts: SafeAlert[]): 'not_stopped' | 'alert' | undefined {
  const own = alerts.filter((alert) => alert.device_id === uuid);
  const worst = openAlerts(own, now)[0];
  if (worst) return worst.info.blocked ? 'alert' : 'not_stopped';
  // The device may know of one that is not in the list yet, or is no longer.
  const unknown = own.every(({ info }) => new Date(info.last_time) < new Date(last_detection));
  return unknown && last_detection !== zero_time && isRecent(last_detection, now) ? 'alert' : undefined;
}

/** Heard within the last minutes: it is on right now. */
export function isOn(device: { last_seen: string | null }, now: Date): boolean {
  return device.last_seen !== null && now.getTime() - new Date(device.last_seen).getTime() < limits.device_connected;
}
