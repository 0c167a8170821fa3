import { bankNumber } from '@porchlight/contract/advice.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { callButton, nameOrThePerson } from '../../texts/at-computer.ts';
import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { dayInWords, momentInWords } from '../../texts/formatting.ts';
import { guardianReads, holderReads, type IncidentReader } from './incident-reader.ts';
import { type Message, noMessage, type Rendering } from './rendering.ts';

interface IncidentFacts {
  incident: string;
  /** The device's name. */
  device: string;
  person: Person | null;
  time_zone: string;
}

/** Somebody who may ended the incident (P9.2). */
export interface IncidentOverFacts extends IncidentFacts {
  /** A first name. */
  by: string;
  /** The uuid of the account or the guardian. */
  by_person: string;
  time: Date;
}

/** The question of the day after (P9.2). */
export interface CheckupFacts extends IncidentFacts {
  opened: Date;
}

const emailOnly = (email: WrittenEmail): Message => ({ email, sms: null });

function overEmail({ device, by, time, time_zone }: IncidentOverFacts, { user, url, quiet }: IncidentReader): WrittenEmail {
  const heading = `${by} said it’s over on ${device}`;
  return writeEmail({
    ...callButton(user),
    subject: heading,
    heading: `${heading}.`,
    sections: [
      { title: 'What happened', text: `${by} pressed “It’s over” at ${momentInWords(time, time_zone)}.` },
      { title: 'Is it over?', text: `We think so. We’ll still watch ${device} closely for 7 days.` },
      {
        title: 'What to do now',
        text: user
          ? `Nothing. If something still seems wrong, call ${nameOrThePerson(user)}.`
          : 'Nothing. If a stranger calls again, hang up.',
      },
    ],
    button: { label: 'See what happened', url },
    ...(quiet ? { quiet } : {}),
  });
}

export const incidentOver: Rendering<IncidentOverFacts> = {
  // An incident that opened again can be over again.
  delivery: ({ incident, time }) => ({ category: 'act', about: `${incident}:over:${time.toISOString()}`, urgency: 'ordinary' }),
  toHolder: (facts, holder) => (holder.uuid === facts.by_person ? noMessage : emailOnly(overEmail(facts, holderReads(facts, holder)))),
  toGuardian: (facts, guardian) =>
    guardian.uuid === facts.by_person ? noMessage : emailOnly(overEmail(facts, guardianReads(facts, guardian))),
};

function checkupEmail({ device, opened, time_zone }: CheckupFacts, { user, url, quiet }: IncidentReader): WrittenEmail {
  const day = dayInWords(opened, time_zone);
  return writeEmail({
    ...callButton(user),
    subject: `How did it go on ${device}?`,
    heading: user ? `How is ${nameOrThePerson(user)} now?` : 'How are you now?',
    sections: [
      { title: 'What happened', text: `There was trouble on ${device} on ${day}. We’d like to know how it went.` },
      {
        title: 'What to do now',
        text: user
          ? `Ask ${nameOrThePerson(user)}, and press the button. If a stranger got money or a card number, call the bank together. ${bankNumber}`
          : `Press the button and choose an answer. If a stranger got money or a card number, call the bank. ${bankNumber}`,
      },
    ],
    button: { label: 'Say how it went', url },
    ...(quiet ? { quiet } : {}),
  });
}

export const incidentCheckup: Rendering<CheckupFacts> = {
  delivery: ({ incident }) => ({ category: 'act', about: `${incident}:checkup`, urgency: 'ordinary' }),
  toHolder: (facts, holder) => emailOnly(checkupEmail(facts, holderReads(facts, holder))),
  toGuardian: (facts, guardian) => emailOnly(checkupEmail(facts, guardianReads(facts, guardian))),
};
