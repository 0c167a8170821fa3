import { comfort, hangUpNow } from '@porchlight/contract/advice.ts';
import { brand } from '@porchlight/contract/brand.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { IncidentOpener } from '@porchlight/contract/incident-events.ts';
import { openerWords } from '@porchlight/contract/words/openers.ts';
import { type AtComputer, callButton } from '../../texts/at-computer.ts';
import { type Email, writeEmail } from '../../texts/email.ts';
import { timeInWords, timeWithDay } from '../../texts/formatting.ts';
import { shortSms } from '../../texts/short-text.ts';
import { callInFew, whomToCall } from './held-request/wording.ts';
import { guardianReads, holderReads, type IncidentReader } from './incident-reader.ts';
import { lateSms } from './late-sms.ts';
import type { Message, Rendering } from './rendering.ts';

/** The second round of an escalation: nobody has answered yet (P11.1). */
export interface NobodyAnsweredFacts {
  incident: string;
  /** See `nobodyAnsweredAbout`. */
  about: string;
  /** The device's name, and its user. */
  device: string;
  person: Person | null;
  opener: IncidentOpener;
  /** The program's name. */
  what: string | null;
  /** When the escalation began. */
  time: Date;
  time_zone: string;
  /** When the calls begin; null without calls. */
  calls_at: Date | null;
}

/** Identifies the second round of an incident's escalation. */
export const nobodyAnsweredAbout = (incident: string, number: number): string => `${incident}:unanswered:${number}`;

/** Shorter than `openerWords`, to fit an SMS. */
function inShort({ opener, what, device }: NobodyAnsweredFacts, name: (full: string) => string): string {
  if (opener === 'help') return `Someone at ${name(device)} asked for help.`;
  if (opener === 'door') return `Someone opened a way into ${name(device)}.`;
  if (opener === 'asked' || opener === 'second_act') return `A question about ${name(device)} waits.`;
  return `${what === null ? 'A program' : name(what)} was started on ${name(device)}.`;
}

function todo({ calls_at, time, time_zone }: NobodyAnsweredFacts, user: AtComputer | null): string {
  const calls = calls_at === null ? '' : ` We start to call at ${timeWithDay(calls_at, time, time_zone)}.`;
  if (!user) return `${hangUpNow} Then call someone you trust.${calls}`;
  return `Call ${whomToCall(user)}. Say: ${comfort} Then press I’m on it.${calls}`;
}

function message(facts: NobodyAnsweredFacts, { user, url, quiet }: IncidentReader): Message {
  const { device, opener, what, time, time_zone } = facts;
  const happened = openerWords[opener](what, device);
  const email = (late: boolean): Email => ({
    ...callButton(user),
    subject: `${late ? 'Nobody had answered' : 'Nobody has answered yet'}: ${device}`,
    heading: late ? `Nobody had answered about ${device}.` : `Nobody has answered yet about ${device}.`,
    sections: [
      { title: 'What happened', text: happened },
      { title: 'What we did', text: `We wrote to everyone at ${timeInWords(time, time_zone)}. Nobody ${late ? 'had' : 'has'} answered.` },
      {
        title: 'What to do now',
        text: late ? `${user ? `Call ${whomToCall(user)}` : 'See what happened'}. It may be over.` : todo(facts, user),
      },
    ],
    button: { label: user && !late ? 'I’m on it' : 'See what happened', url },
    ...(quiet ? { quiet } : {}),
  });
  const reply = user ? " Reply 1 if you're on it." : '';
  return {
    email: writeEmail(email(false)),
    sms: shortSms((name) => {
      return `${brand.name}: Nobody has answered yet. ${inShort(facts, name)} ${user ? `${callInFew(user, name)}.` : 'Someone on the phone? Hang up.'}${reply}`;
    }),
    late: {
      email: email(true),
      sms: lateSms(
        (name) => ({
          before: `${brand.name}: Nobody had answered. ${inShort(facts, name)} This was`,
          after: `. ${user ? callInFew(user, name) : 'Someone on the phone? Hang up'}.`,
        }),
        'It may be over.',
      ),
    },
  };
}

export const nobodyAnswered: Rendering<NobodyAnsweredFacts> = {
  delivery: ({ about, time, time_zone }) => ({ category: 'alert', about, urgency: 'urgent', happened: { time, time_zone } }),
  toHolder: (facts, holder) => message(facts, holderReads(facts, holder)),
  toGuardian: (facts, guardian) => message(facts, guardianReads(facts, guardian)),
};
