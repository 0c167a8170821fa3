import { inSentence } from '@porchlight/contract/names.ts';
import { inWords } from './dates.ts';
import * as messages from './fact-messages.ts';
import type { SafeAlert } from './open-alerts.ts';
import { urgentAdvice } from './person-messages.ts';
import { adviceAt, devicesIn, type Fact, type FactInput, names } from './safe-fact.ts';

export function alertFacts(input: FactInput): (Fact | null)[] {
  const stoppedAlerts = input.open.filter(({ info }) => info.blocked);
  const runningAlerts = input.open.filter(({ info }) => !info.blocked);
  return [alertFact(input, runningAlerts), alertFact(input, stoppedAlerts), unlistedAlert(input)];
}

/** For example `We stopped AnyDesk on Den PC, today at 2:05 PM`. */
export function alertMessage(alert: SafeAlert, device: string | undefined, now: Date): string {
  return `${whatWeDid(alert, device)}, ${inWords(new Date(alert.info.last_time), now)}`;
}

function whatWeDid({ info }: SafeAlert, device: string = messages.someComputer): string {
  const likely = info.certainty === 'likely';
  const what = messages.found(likely ? info.name : inSentence(info.name), { likely, site: info.site });
  return info.blocked ? messages.stopped(what, device) : messages.notStopped(what, device);
}

function alertFact(input: FactInput, alerts: SafeAlert[]): Fact | null {
  const { all, now } = input;
  const [firstAlert] = alerts;
  if (!firstAlert) return null;
  const deviceOf = (alert: SafeAlert) => all.find(({ device }) => device.uuid === alert.device_id)?.device;
  const name = deviceOf(firstAlert)?.name;
  const devices = [...new Set(alerts.flatMap((alert) => deviceOf(alert) ?? []))];
  const moreText = alerts.length > 1 ? messages.more(alerts.length - 1) : '';
  return {
    mood: firstAlert.info.blocked ? 'stopped' : 'danger',
    sentence: alertMessage(firstAlert, name, now) + moreText,
    title: whatWeDid(firstAlert, name),
    points: devices.map((device) => {
      const deviceAlert = alerts.find((alert) => deviceOf(alert) === device);
      return {
        ...(deviceAlert && deviceAlert !== firstAlert && { text: `${alertMessage(deviceAlert, device.name, now)}.` }),
        ...adviceAt(device, input, (user) => urgentAdvice(user, !firstAlert.info.blocked)),
      };
    }),
  };
}

/** The fact about a device with an alert that is not among the loaded ones. */
function unlistedAlert(input: FactInput): Fact | null {
  const { all, open, now } = input;
  const alertedDevices = devicesIn(all, 'alert').filter(({ uuid }) => !open.some(({ device_id }) => device_id === uuid));
  const [firstDevice] = alertedDevices;
  if (!firstDevice) return null;
  const title = messages.alert(names(alertedDevices));
  return {
    mood: 'stopped',
    sentence: alertedDevices.length === 1 ? `${title}, ${inWords(new Date(firstDevice.last_detection), now)}` : title,
    title,
    points: alertedDevices.map((device) => adviceAt(device, input, (user) => urgentAdvice(user, false))),
  };
}
