import { brand } from '@porchlight/contract/brand.ts';
import type { Silence } from '@porchlight/contract/care.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { type AtComputer, atComputer, callFirst, callInText, seeHow, someoneElse, whom } from '../../lib/at-computer.ts';
import { type WrittenEmail, writeEmail } from '../../lib/email.ts';
import { dayAndTime, firstName } from '../../lib/formatting.ts';
import { shortSms } from '../../lib/short-text.ts';
import type { Rendering } from './rendering.ts';

/** An offline device, with the facts for its notification. */
export interface SilentDevice {
  uuid: string;
  account: string;
  name: string;
  /** The person who uses it. */
  person: Person | null;
  time_zone: string;
  kind: Silence['kind'];
  since: Date;
}

interface Words {
  /** What happened, as a sentence. */
  said: (device: string, when: string) => string;
  over: string;
  /** What to do, for the person who uses that computer. */
  self: (device: string) => string;
  /** What to do, for everyone else. `person`: who uses it, within a sentence. */
  other: (device: string, person: string) => string;
}

const wentAway = {
  over: 'Nothing is wrong. It’s protected again as soon as it’s on.',
  self: () => 'Nothing, if you know about it.',
  other: (_device: string, person: string) => `Nothing, if ${person} is away. You could call and say hello.`,
};

const words: Record<'switched_off' | 'asleep' | 'stopped' | 'vanished', Words> = {
  switched_off: { ...wentAway, said: (device, when) => `${device} was switched off on ${when} and hasn’t been on since.` },
  asleep: { ...wentAway, said: (device, when) => `${device} went to sleep on ${when} and hasn’t been on since.` },
  stopped: {
    said: (device, when) => `${brand.name} was closed on ${device} on ${when} and hasn’t been started since.`,
    over: 'No. The computer may be on, and nothing protects it.',
    self: (device) => `If someone on the phone asked you to close it, hang up. Then restart ${device}.`,
    other: (device, person) => `Call ${person}. If a stranger is on the phone, say: “Hang up.” Then restart ${device} together.`,
  },
  vanished: {
    said: (device, when) => `We lost contact with ${device} on ${when}.`,
    over: 'We can’t tell. It may have no internet or power, or someone may have removed the protection.',
    self: (device) => `Check ${device}. Make sure it’s on and online, then restart it.`,
    other: (_device, person) => `Ask ${person} to make sure it’s on and online, and then to restart it.`,
  },
};

function wordsOf({ kind }: SilentDevice): Words {
  return words[kind === 'switched_off' || kind === 'asleep' || kind === 'stopped' ? kind : 'vanished'];
}

const saidOf = (silent: SilentDevice) => wordsOf(silent).said(silent.name, dayAndTime(silent.since, silent.time_zone));
/** A computer that was only switched off is no reason to call at once. */
const isCalm = ({ kind }: SilentDevice) => kind === 'switched_off' || kind === 'asleep';

export function holderSilenceEmail(silent: SilentDevice, url: string): WrittenEmail {
  return silenceEmail(silent, someoneElse(silent.person, silent.name), '', { label: `See ${silent.name}`, url });
}

export function guardianSilenceEmail(silent: SilentDevice, holder_name: string, link: string): WrittenEmail {
  const at = atComputer(silent.person, silent.name, holder_name);
  return silenceEmail(silent, at, `${at.name || firstName(holder_name)}: `, { label: seeHow(at, holder_name), url: link });
}

/** `at`: whom the reader can ask; null where it is the reader's own computer. */
function silenceEmail(silent: SilentDevice, at: AtComputer | null, from: string, button: { label: string; url: string }): WrittenEmail {
  const { over, self, other } = wordsOf(silent);
  return writeEmail({
    ...(isCalm(silent) ? {} : callFirst(at)),
    subject: `${from}${subjectOf(silent)}`,
    heading: saidOf(silent),
    parts: [
      { title: 'Is it over?', text: over },
      { title: 'What to do now', text: at ? other(silent.name, whom(at)) : self(silent.name) },
    ],
    button,
  });
}

/** Null where there is no hurry: a computer that is switched off needs no SMS. `holder`: the whole name, for a guardian; null for the holder. */
export function silenceSms(silent: SilentDevice, holder: string | null): string | null {
  if (isCalm(silent)) return null;
  const at = holder === null ? someoneElse(silent.person, silent.name) : atComputer(silent.person, silent.name, holder);
  return shortSms((name) => {
    const said = wordsOf(silent).said(name(silent.name), dayAndTime(silent.since, silent.time_zone));
    return `${said} ${at ? callInText(at, name) : 'Please check it'}.`;
  });
}

/** It may follow a name and a colon. */
function subjectOf({ kind, name }: SilentDevice): string {
  if (kind === 'switched_off' || kind === 'asleep') return `${name} hasn’t been on for a while`;
  return kind === 'stopped' ? `${name} is not protected` : `${name} is out of touch`;
}

export const outage: Rendering<SilentDevice> = {
  delivery: ({ uuid, since, kind }) => ({
    category: 'silence',
    about: `${uuid}:${since.toISOString()}`,
    urgency: kind === 'switched_off' ? 'ordinary' : 'urgent',
  }),
  toHolder: (silent, { dashboard_url }) => ({
    email: holderSilenceEmail(silent, `${dashboard_url}/devices/${silent.uuid}`),
    sms: silenceSms(silent, null),
  }),
  toGuardian: (silent, { holder_name, link }) => ({
    email: guardianSilenceEmail(silent, holder_name, link),
    sms: silenceSms(silent, holder_name),
  }),
};
