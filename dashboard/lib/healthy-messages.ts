import { alertMessage } from './alert-facts.ts';
import { answerMessage } from './answer-messages.ts';
import { inWords } from './dates.ts';
import { isOn } from './device-state.ts';
import { isRecent, type SafeAlert } from './open-alerts.ts';
import { type DeviceWithState, devicesIn, names, type SafeDevice } from './safe-fact.ts';

export interface Healthy {
  calm: DeviceWithState[];
  now: Date;
  moment: Date;
  /** The news are old: nothing is known of right now. */
  old: boolean;
  /** With the other devices too there is nothing wrong. */
  alone: boolean;
  plan: boolean;
}

/** Longer lists would not be read. */
const longest = 3;

/** What there is to say of the devices with which nothing is wrong. */
export function healthyMessages({ calm, now, moment, old, alone, plan }: Healthy): string[] {
  const here = devicesIn(calm, 'protected');
  const on = here.filter((device) => isOn(device, moment));
  const before = here.filter((device) => !on.includes(device));
  const strict = calm.filter(({ device }) => device.strict_until && new Date(device.strict_until) > moment);
  const free = calm.length > 0 && !plan && 'Without a plan, only the free protection is on.';
  return [
    ...(free ? [free] : []),
    ...(old ? wereProtected(here, alone) : areOn(on, alone && on.length === calm.length)),
    ...(old ? [] : each(before, (d) => `${d.name} was last on ${inWords(new Date(d.last_seen ?? ''), now)}.`, 'are not on right now')),
    ...each(devicesIn(calm, 'off'), (d) => `${d.name} was switched off ${since(d, now)}.`, 'are switched off'),
    ...each(devicesIn(calm, 'asleep'), (d) => `${d.name} went to sleep ${since(d, now)}.`, 'are asleep'),
    ...strict.map(
      ({ device }) =>
        `${device.name} stays on Strict until ${inWords(new Date(device.strict_until ?? ''), now)}, because it just changed hands.`,
    ),
  ];
}

/** How long nothing has happened, or how it ended. `all`: for the name of the device. */
export function lastAlertMessage(all: DeviceWithState[], [last]: SafeAlert[], now: Date): string {
  if (!last) return 'No threats so far.';
  return answeredMessage(all, last, now) ?? `No threats since ${inWords(new Date(last.info.last_time), now)}.`;
}

/** What was said of the newest alert, while it counts. */
export function answeredMessage(all: DeviceWithState[], alert: SafeAlert | undefined, now: Date): string | undefined {
  const answer = alert && isRecent(alert.info.last_time, now) && alert.answers?.[0];
  if (!answer) return undefined;
  const name = all.find(({ device }) => device.uuid === alert.device_id)?.device.name;
  return `${alertMessage(alert, name, now)}. ${answerMessage(answer)}`;
}

const since = ({ silence, last_seen }: SafeDevice, now: Date) => inWords(new Date(silence?.since ?? last_seen ?? ''), now);

function areOn(on: SafeDevice[], everyone: boolean): string[] {
  if (!on.length) return [];
  if (everyone && on.length > 2) return [`All ${on.length} computers are on and protected.`];
  return [`${names(on)} ${on.length === 1 ? 'is' : 'are'} on and protected.`];
}

/** Where everyone was, that has been said. */
function wereProtected(here: SafeDevice[], everyone: boolean): string[] {
  return here.length && !everyone ? [`${names(here)} ${here.length === 1 ? 'was' : 'were'} protected.`] : [];
}

function each(devices: SafeDevice[], words: (device: SafeDevice) => string, together: string): string[] {
  return devices.length > longest ? [`${names(devices)} ${together}.`] : devices.map(words);
}
