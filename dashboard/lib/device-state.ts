import type { AgentLimitation, DeviceOutage } from '@porchlight/contract/device-health.ts';
import { limits, zero_time } from '@porchlight/contract/limits.ts';
import { isRecent, openAlerts, type SafeAlert } from './open-alerts.ts';

/**
 * The states of a device, worst first.
 * - `stopped`: someone ended the program. `unarmed`: its agent has no definitions. `unseen`: offline without a reason. - `alert`: an unanswered alert of the last day.
 * - `leaving`: an administrator wants it to leave the account. - `expired`: its installation code has expired.
 * - `off`, `asleep`: the agent reported it. - `limited`: its agent cannot do everything there, or could not when it was on.
 */
export const deviceStates = [
  'uninstalled',
  'left',
  'stopped',
  'paused',
  'unarmed',
  'unseen',
  'not_stopped',
  'alert',
  'leaving',
  'limited',
  'expired',
  'pending',
  'off',
  'asleep',
  'protected',
] as const;
export type DeviceState = (typeof deviceStates)[number];

/** `danger` is only for *not protected now* and *not stopped*. `stopped`: stopped, and needs an answer. */
export type DeviceMood = 'danger' | 'stopped' | 'look' | 'safe';

export const moodOf = {
  uninstalled: 'danger',
  left: 'danger',
  stopped: 'danger',
  paused: 'danger',
  unarmed: 'danger',
  unseen: 'danger',
  not_stopped: 'danger',
  alert: 'stopped',
  leaving: 'look',
  limited: 'look',
  expired: 'look',
  pending: 'look',
  off: 'safe',
  asleep: 'safe',
  protected: 'safe',
} as const satisfies Record<DeviceState, DeviceMood>;

export interface Seen {
  uuid?: string;
  last_seen: string | null;
  last_detection: string;
  login_code?: string | undefined;
  login_code_expires?: string | undefined;
  outage?: DeviceOutage | null | undefined;
  leaves?: string | undefined;
  limitations?: AgentLimitation[] | undefined;
}

const outageStates = {
  switched_off: 'off',
  asleep: 'asleep',
  stopped: 'stopped',
  vanished: 'unseen',
  paused: 'paused',
  uninstalled: 'uninstalled',
  left: 'left',
  no_definitions: 'unarmed',
} as const satisfies Record<DeviceOutage['kind'], DeviceState>;

/**
 * The worst applicable state. A device without a reason for its silence counts as seen if it reported within the last day, because
 * people switch computers off at night. `alerts`: the known ones, of any device.
 */
export function stateOf(device: Seen, now: Date, alerts: SafeAlert[] = []): DeviceState {
  const { login_code_expires: expires, outage, last_seen, leaves } = device;
  if (device.login_code !== undefined || last_seen === null) return expires && new Date(expires) <= now ? 'expired' : 'pending';
  const reason = outage ? outageStates[outage.kind] : isRecent(last_seen, now) ? 'protected' : 'unseen';
  if (moodOf[reason] === 'danger') return reason;
  const alertTrouble = alertState(device, now, alerts);
  if (alertTrouble) return alertTrouble;
  if (leaves && new Date(leaves) > now) return 'leaving';
  return device.limitations?.length ? 'limited' : reason;
}

function alertState({ uuid, last_detection }: Seen, now: Date, alerts: SafeAlert[]): 'not_stopped' | 'alert' | undefined {
  const ownAlerts = alerts.filter((alert) => alert.device_id === uuid);
  const worstAlert = openAlerts(ownAlerts, now)[0];
  if (worstAlert) return worstAlert.info.blocked ? 'alert' : 'not_stopped';
  // The device may have had an alert that is not, or no longer, in the list.
  const unknown = ownAlerts.every(({ info }) => new Date(info.last_time) < new Date(last_detection));
  return unknown && last_detection !== zero_time && isRecent(last_detection, now) ? 'alert' : undefined;
}

export function isOn(device: { last_seen: string | null }, now: Date): boolean {
  return device.last_seen !== null && now.getTime() - new Date(device.last_seen).getTime() < limits.device_connected;
}
