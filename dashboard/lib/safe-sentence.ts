import { inWords } from './dates.ts';
import { type DeviceState, isOn, type Seen, stateOf } from './device-state.ts';
import { silenceWords } from './silence-words.ts';
import type { AsOf } from './use-as-of.ts';

export interface SafeDevice extends Seen {
  uuid: string;
  name: string;
}

export interface SafeAlert {
  uuid: string;
  device_id: string;
  info: { name: string; time: string; last_time: string; blocked: boolean; certainty: 'certain' | 'likely'; site: boolean };
}

/** The answer to the one question of the first screen, and of the guardian's page: is everyone safe? */
export interface SafeSentence {
  mood: 'safe' | 'alert' | 'look' | 'empty';
  sentence: string;
  more: string;
  /** The alert it speaks of. */
  alert?: { uuid: string; device: string };
}

const day = 24 * 3_600_000;

/** What asks for a look, the worst first. A computer that is switched off is none of it, however long. */
const looks = ['uninstalled', 'left', 'stopped', 'paused', 'unseen'] as const satisfies DeviceState[];

/**
 * `alerts`: newest first. Something of the last day comes first, then who is not protected or has not been seen, then that all is well.
 * What is old is judged by the moment that it is of, and told in the words of now.
 */
export function safeSentence(devices: SafeDevice[], alerts: SafeAlert[], now: Date, { moment, silent }: AsOf): SafeSentence {
  const installed = devices.filter((d) => stateOf(d, moment) !== 'pending');
  const recent = alerts.filter((a) => moment.getTime() - new Date(a.info.last_time).getTime() < day);
  // What was not stopped matters more than what was, however old within the day.
  const worst = recent.find((a) => !a.info.blocked) ?? recent[0];
  if (worst) return alertSentence(worst, devices.find((d) => d.uuid === worst.device_id)?.name ?? 'a device', now);
  if (!installed.length) {
    return devices.length
      ? {
          mood: 'look',
          sentence: `${devices[0]?.name ?? 'A device'} is not connected yet`,
          more: 'Open the link on it, or type the code, and the light goes on.',
        }
      : { mood: 'empty', sentence: 'Nobody is protected yet', more: 'Add the first device. It takes about three minutes.' };
  }
  const first = looks.flatMap((state) => installed.filter((d) => stateOf(d, moment) === state))[0];
  if (first) {
    const count = installed.filter((d) => stateOf(d, moment) === stateOf(first, moment)).length;
    return lookSentence(first, count > 1 ? `${first.name} and ${count - 1} more` : first.name, now);
  }
  const on = installed.filter((d) => isOn(d, moment)).length;
  const then = silent ? 'then' : 'right now';
  const count = `${installed.length} ${installed.length === 1 ? 'device' : 'devices'} protected, ${on === installed.length ? `all on ${then}` : `${on} on ${then}`}.`;
  const off = installed
    .filter((d) => ['off', 'asleep'].includes(stateOf(d, moment)))
    .map((d) => `${d.name} ${d.silence ? silenceWords(d.silence, now) : ''}. `);
  const last = alerts[0];
  const since = last ? `Nothing has happened since ${inWords(new Date(last.info.last_time), now)}.` : 'Nothing has happened so far.';
  return { mood: 'safe', sentence: 'Everyone is protected', more: `${count} ${off.join('')}${since}` };
}

function lookSentence(device: SafeDevice, name: string, now: Date): SafeSentence {
  const { silence, last_seen } = device;
  if (silence && silence.kind !== 'vanished' && silence.kind !== 'switched_off') {
    const more =
      silence.kind === 'paused'
        ? 'Not expected? Call the person at that computer, and ask whether someone told them to.'
        : 'Not expected? Call the person at that computer. A scammer may have asked for it.';
    return { mood: 'look', sentence: `${name} ${silenceWords(silence, now)}`, more };
  }
  const since = silence?.since ?? last_seen ?? '';
  return {
    mood: 'look',
    sentence: `${name} has not been seen since ${inWords(new Date(since), now)}`,
    more: 'It did not say that it was switched off. Look at it: if it is on, open Porchlight on it.',
  };
}

function alertSentence({ uuid, device_id, info }: SafeAlert, device: string, now: Date): SafeSentence {
  const name = info.certainty === 'likely' ? `what looks like ${info.name}` : info.name;
  const when = inWords(new Date(info.last_time), now);
  const notBlocked = info.site ? `A page of ${name} was opened` : `${name.charAt(0).toUpperCase()}${name.slice(1)} was started`;
  const stop = info.site && info.blocked ? 'close that page' : 'switch the computer off';
  return {
    mood: 'alert',
    sentence: info.blocked
      ? `We stopped ${info.site ? `a page of ${name}` : name} on ${device}, ${when}`
      : `${notBlocked} on ${device}, ${when}, and was not blocked`,
    more: `Someone may be on the phone with the person at that computer. Call now; ask them to hang up and ${stop}.`,
    alert: { uuid, device: device_id },
  };
}
