import type { AlertAnswer } from '@porchlight/contract/detections.ts';
import { alertMessage } from './alert-facts.ts';
import { atMoment, inWords } from './dates.ts';
import { isOn } from './device-state.ts';
import { isRecent, type SafeAlert } from './open-alerts.ts';
import { type DeviceWithState, devicesIn, names, type SafeDevice } from './safe-fact.ts';

const answerMessage = ({ answer, by, you }: AlertAnswer): string =>
  `${you ? 'You' : by} said${answer === 'mine' ? ': “It was me.”' : ' this is sorted.'}`;

export interface Healthy {
  calm: DeviceWithState[];
  now: Date;
  moment: Date;
  /** The data is stale, so the present state is unknown. */
  old: boolean;
  alone: boolean;
  plan: boolean;
}

const longestList = 3;

export function healthyMessages({ calm, now, moment, old, alone, plan }: Healthy): string[] {
  const protectedDevices = devicesIn(calm, 'protected');
  const onDevices = protectedDevices.filter((device) => isOn(device, moment));
  const offDevices = protectedDevices.filter((device) => !onDevices.includes(device));
  const strictDevices = calm.filter(({ device }) => device.strict_until && new Date(device.strict_until) > moment);
  const freePlanText = calm.length > 0 && !plan && 'Without a plan, only the free protection is on.';
  return [
    ...(freePlanText ? [freePlanText] : []),
    ...(old ? wereProtected(protectedDevices, alone) : areOn(onDevices, alone && onDevices.length === calm.length)),
    ...(old
      ? []
      : sentenceForEach(
          offDevices,
          (d) => `${d.name} was last seen ${atMoment(new Date(d.last_seen ?? ''), now)}.`,
          'are not on right now',
        )),
    ...sentenceForEach(devicesIn(calm, 'off'), (d) => `${d.name} was switched off ${whenText(d, now)}.`, 'are switched off'),
    ...sentenceForEach(devicesIn(calm, 'asleep'), (d) => `${d.name} went to sleep ${whenText(d, now)}.`, 'are asleep'),
    ...strictDevices.map(
      ({ device }) =>
        `${device.name} stays on Strict until ${inWords(new Date(device.strict_until ?? ''), now)}, because it just changed hands.`,
    ),
  ];
}

/** How long ago the last alert was, or how it ended. `devicesWithState`: for the device's name. */
export function lastAlertMessage(devicesWithState: DeviceWithState[], [lastAlert]: SafeAlert[], now: Date): string {
  if (!lastAlert) return 'No threats so far.';
  return answeredMessage(devicesWithState, lastAlert, now) ?? `No threats since ${inWords(new Date(lastAlert.info.last_time), now)}.`;
}

/** What needs no answer any more: it has one, or is quiet (P15.9). */
export function answeredMessage(devicesWithState: DeviceWithState[], alert: SafeAlert | undefined, now: Date): string | undefined {
  const answer = alert?.answers?.[0];
  if (!alert || !isRecent(alert.info.last_time, now) || !(answer || alert.info.quiet)) return undefined;
  const name = devicesWithState.find(({ device }) => device.uuid === alert.device_id)?.device.name;
  return `${alertMessage(alert, name, now)}.${answer ? ` ${answerMessage(answer)}` : ''}`;
}

const whenText = ({ outage, last_seen }: SafeDevice, now: Date) => atMoment(new Date(outage?.since ?? last_seen ?? ''), now);

function areOn(onDevices: SafeDevice[], everyone: boolean): string[] {
  if (!onDevices.length) return [];
  if (everyone && onDevices.length > 2) return [`All ${onDevices.length} computers are on and protected.`];
  return [`${names(onDevices)} ${onDevices.length === 1 ? 'is' : 'are'} on and protected.`];
}

/** Empty if the sentence for everyone was already shown. */
function wereProtected(devices: SafeDevice[], everyone: boolean): string[] {
  return devices.length && !everyone ? [`${names(devices)} ${devices.length === 1 ? 'was' : 'were'} protected.`] : [];
}

function sentenceForEach(devices: SafeDevice[], sentenceOf: (device: SafeDevice) => string, together: string): string[] {
  return devices.length > longestList ? [`${names(devices)} ${together}.`] : devices.map(sentenceOf);
}
