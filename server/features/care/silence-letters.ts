import { brand } from '@porchlight/contract/brand.ts';
import { type WrittenLetter, writeLetter } from '../../lib/letter.ts';
import { shortText } from '../../lib/short-text.ts';
import { dayAndTime, firstName } from '../../lib/words.ts';
import type { SilentDevice } from './silence-store.ts';

interface Words {
  /** What happened, as a sentence. */
  said: (device: string, when: string) => string;
  over: string;
  holder: (device: string) => string;
  guardian: (device: string, holder: string) => string;
}

const words: Record<'switched_off' | 'asleep' | 'stopped' | 'vanished', Words> = {
  switched_off: {
    said: (device, when) => `${device} was switched off on ${when} and has not been on since.`,
    over: 'Nothing is wrong: it said goodbye. It is protected again as soon as it is on.',
    holder: () => 'Nothing, if you know about it.',
    guardian: (_device, holder) => `Nothing, if ${holder} is away. You could say hello.`,
  },
  asleep: {
    said: (device, when) => `${device} went to sleep on ${when} and has not been on since.`,
    over: 'Nothing is wrong: it said goodbye. It is protected again as soon as it is on.',
    holder: () => 'Nothing, if you know about it.',
    guardian: (_device, holder) => `Nothing, if ${holder} is away. You could say hello.`,
  },
  stopped: {
    said: (device, when) => `${brand.name} was stopped on ${device} on ${when} and has not been started since.`,
    over: 'No. The computer may be on, and nothing protects it.',
    holder: (device) => `Start ${device} again. Did somebody on the phone ask you to stop it? Hang up.`,
    guardian: (device, holder) => `Call ${holder}. Is a stranger on the phone? Say: “Hang up.” Then start ${device} again.`,
  },
  vanished: {
    said: (device, when) => `${device} vanished on ${when} without saying why.`,
    over: 'We cannot tell. It may be without internet or power, or somebody may have removed the protection.',
    holder: (device) => `Look at ${device}. Is it on, and on the internet? Then start it again.`,
    guardian: (device, holder) => `Ask ${holder} to look at ${device}: is it on, and on the internet?`,
  },
};

function wordsOf({ kind }: SilentDevice): Words {
  return words[kind === 'switched_off' || kind === 'asleep' || kind === 'stopped' ? kind : 'vanished'];
}

const saidOf = (silent: SilentDevice) => wordsOf(silent).said(silent.name, dayAndTime(silent.since, silent.time_zone));

export function holderSilenceLetter(silent: SilentDevice, url: string): WrittenLetter {
  const said = saidOf(silent);
  return writeLetter({
    subject: subjectOf(silent),
    heading: said,
    parts: [
      { title: 'Is it over?', text: wordsOf(silent).over },
      { title: 'What to do now', text: wordsOf(silent).holder(silent.name) },
    ],
    button: { label: `See ${silent.name}`, url },
  });
}

export function guardianSilenceLetter(silent: SilentDevice, holder_name: string, link: string): WrittenLetter {
  const holder = firstName(holder_name);
  return writeLetter({
    subject: `${holder}: ${subjectOf(silent)}`,
    heading: saidOf(silent),
    parts: [
      { title: 'Is it over?', text: wordsOf(silent).over },
      { title: 'What to do now', text: wordsOf(silent).guardian(silent.name, holder) },
    ],
    button: { label: `See how ${holder} is`, url: link },
  });
}

/** Null where there is no hurry: a computer that is off needs no text. */
export function silenceText(silent: SilentDevice): string | null {
  if (silent.kind === 'switched_off' || silent.kind === 'asleep') return null;
  return shortText((name) => `${wordsOf(silent).said(name(silent.name), dayAndTime(silent.since, silent.time_zone))} Please look at it.`);
}

function subjectOf({ kind, name }: SilentDevice): string {
  if (kind === 'switched_off' || kind === 'asleep') return `${name} has not been on for a while`;
  return kind === 'stopped' ? `${name} is not protected` : `${name} has vanished`;
}
