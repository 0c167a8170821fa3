import { brand } from '@porchlight/contract/brand.ts';
import type { StoredOutage } from '@porchlight/contract/device-health.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { type AtComputer, atComputer, callButton, callInText, nameOrThePerson, seeHow, someoneElse } from '../../texts/at-computer.ts';
import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { dayAndTime, firstName } from '../../texts/formatting.ts';
import { shortSms } from '../../texts/short-text.ts';
import type { Rendering } from './rendering.ts';

export interface SilentDevice {
  uuid: string;
  account: string;
  name: string;
  person: Person | null;
  time_zone: string;
  kind: StoredOutage;
  since: Date;
}

interface OutageTexts {
  sentence: (device: string, when: string) => string;
  over: string;
  /** For the user of that computer. */
  self: (device: string) => string;
  /** For a device whose user is not the reader. `person`: the computer's user, within a sentence. */
  other: (device: string, person: string) => string;
}

const unreachableTexts = {
  over: 'Nothing is wrong. It’s protected again as soon as it’s on.',
  self: () => 'Nothing, if you know about it.',
  other: (_device: string, person: string) => `Nothing, if ${person} is away. You could call and say hello.`,
};

const textsOfKind: Record<'switched_off' | 'asleep' | 'stopped' | 'vanished', OutageTexts> = {
  switched_off: { ...unreachableTexts, sentence: (device, when) => `${device} was switched off on ${when} and hasn’t been on since.` },
  asleep: { ...unreachableTexts, sentence: (device, when) => `${device} went to sleep on ${when} and hasn’t been on since.` },
  stopped: {
    sentence: (device, when) => `${brand.name} was closed on ${device} on ${when} and hasn’t been started since.`,
    over: 'No. The computer may be on, and nothing protects it.',
    self: (device) => `If someone on the phone asked you to close it, hang up. Then restart ${device}.`,
    other: (device, person) => `Call ${person}. If a stranger is on the phone, say: “Hang up.” Then restart ${device} together.`,
  },
  vanished: {
    sentence: (device, when) => `We lost contact with ${device} on ${when}.`,
    over: 'We can’t tell. It may have no internet or power, or someone may have removed the protection.',
    self: (device) => `Check ${device}. Make sure it’s on and online, then restart it.`,
    other: (_device, person) => `Ask ${person} to make sure it’s on and online, and then to restart it.`,
  },
};

function textsOf({ kind }: SilentDevice): OutageTexts {
  return textsOfKind[kind === 'switched_off' || kind === 'asleep' || kind === 'stopped' ? kind : 'vanished'];
}

const sentenceOf = (silent: SilentDevice) => textsOf(silent).sentence(silent.name, dayAndTime(silent.since, silent.time_zone));
/** A computer that was switched off or asleep is no reason to call at once. */
const isCalm = ({ kind }: SilentDevice) => kind === 'switched_off' || kind === 'asleep';

export function holderLongOutageEmail(silent: SilentDevice, url: string): WrittenEmail {
  return longOutageEmail(silent, someoneElse(silent.person, silent.name), '', { label: `See ${silent.name}`, url });
}

export function guardianLongOutageEmail(silent: SilentDevice, holder_name: string, link: string): WrittenEmail {
  const user = atComputer(silent.person, silent.name, holder_name);
  return longOutageEmail(silent, user, `${user.name || firstName(holder_name)}: `, { label: seeHow(user, holder_name), url: link });
}

/** `at`: whom the reader can ask; null for the reader's own computer. */
function longOutageEmail(
  silent: SilentDevice,
  user: AtComputer | null,
  subjectPrefix: string,
  button: { label: string; url: string },
): WrittenEmail {
  const { over, self, other } = textsOf(silent);
  return writeEmail({
    ...(isCalm(silent) ? {} : callButton(user)),
    subject: `${subjectPrefix}${subjectOf(silent)}`,
    heading: sentenceOf(silent),
    sections: [
      { title: 'Is it over?', text: over },
      { title: 'What to do now', text: user ? other(silent.name, nameOrThePerson(user)) : self(silent.name) },
    ],
    button,
  });
}

/** Null without urgency. `holder`: the whole name, for a guardian; null for the holder. */
export function longOutageSms(silent: SilentDevice, holder: string | null): string | null {
  if (isCalm(silent)) return null;
  const user = holder === null ? someoneElse(silent.person, silent.name) : atComputer(silent.person, silent.name, holder);
  return shortSms((name) => {
    const sentence = textsOf(silent).sentence(name(silent.name), dayAndTime(silent.since, silent.time_zone));
    return `${sentence} ${user ? callInText(user, name) : 'Please check it'}.`;
  });
}

/** The subject may follow a name and a colon. */
function subjectOf({ kind, name }: SilentDevice): string {
  if (kind === 'switched_off' || kind === 'asleep') return `${name} hasn’t been on for a while`;
  return kind === 'stopped' ? `${name} is not protected` : `${name} is out of touch`;
}

export const outage: Rendering<SilentDevice> = {
  delivery: ({ uuid, since, kind }) => ({
    category: 'outage',
    about: `${uuid}:${since.toISOString()}`,
    urgency: kind === 'switched_off' ? 'ordinary' : 'urgent',
  }),
  toHolder: (silent, { dashboard_url }) => ({
    email: holderLongOutageEmail(silent, `${dashboard_url}/devices/${silent.uuid}`),
    sms: longOutageSms(silent, null),
  }),
  toGuardian: (silent, { holder_name, link }) => ({
    email: guardianLongOutageEmail(silent, holder_name, link),
    sms: longOutageSms(silent, holder_name),
  }),
};
