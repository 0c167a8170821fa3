import { comfort } from '@porchlight/contract/advice.ts';
import { brand } from '@porchlight/contract/brand.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { CodePurpose } from '@porchlight/contract/one-time-codes.ts';
import { type AtComputer, atComputer, callButton, seeHow, someoneElse } from '../../texts/at-computer.ts';
import { type Email, writeEmail } from '../../texts/email.ts';
import { momentInWords } from '../../texts/formatting.ts';
import { shortSms } from '../../texts/short-text.ts';
import { askByPhone, callInFew, whomToCall } from './held-request/wording.ts';
import { lateSms } from './late-sms.ts';
import { type Guardian, type Holder, type Message, noMessage, type Rendering } from './rendering.ts';

/** A guardian opened a one-time code (P10.7). Nothing here contains the code. */
export interface CodeShownFacts {
  /** An id of this event. */
  id: string;
  /** Null if none is open there. */
  incident: string | null;
  /** The device's name, and its user. */
  device: string;
  person: Person | null;
  purpose: CodePurpose;
  /** The program's name, for `allow`. */
  program: string | null;
  /** The guardian's first name and uuid. */
  by: string;
  by_person: string;
  time: Date;
  time_zone: string;
}

interface Reader {
  /** Whom the reader can call; null for the holder, at their own computer. */
  user: AtComputer | null;
  button: NonNullable<Email['button']>;
}

const seeWhat = 'See what happened';

function holderReads({ incident, person, device }: CodeShownFacts, { dashboard_url }: Holder): Reader {
  const button =
    incident === null
      ? { label: `Open ${brand.name}`, url: dashboard_url }
      : { label: seeWhat, url: `${dashboard_url}/incident/${incident}` };
  return { user: someoneElse(person, device), button };
}

function guardianReads({ incident, person, device }: CodeShownFacts, { holder_name, link }: Guardian): Reader {
  const user = atComputer(person, device, holder_name);
  const button =
    incident === null ? { label: seeHow(user, holder_name), url: link } : { label: seeWhat, url: `${link}?incident=${incident}` };
  return { user, button };
}

type Shorten = (name: string) => string;
const unchanged: Shorten = (name) => name;

/** What follows *someone there can*. */
const uses: Record<CodePurpose, (program: string) => string> = {
  pause: () => `pause ${brand.name} once`,
  uninstall: () => `uninstall ${brand.name}`,
  allow: (program) => `allow ${program} for an hour`,
  link: () => 'connect it to another account',
};
const useOf = ({ purpose, program }: CodeShownFacts, name = unchanged) => uses[purpose](name(program ?? 'a program'));

const headline = ({ by, device }: CodeShownFacts, name = unchanged) => `${name(by)} opened a code for ${name(device)}`;

function email(facts: CodeShownFacts, { user, button }: Reader, late: boolean): Email {
  const { by, time, time_zone } = facts;
  const use = useOf(facts);
  const todo = user
    ? `${askByPhone(user)} If so, say: ${comfort} Then call ${by}.`
    : `If someone on the phone wants the code, hang up. Don’t type it in for them. Questions? Call ${by}.`;
  // The code may still work.
  const lateTodo = user
    ? `Call ${whomToCall(user)} and ask if everything is all right.`
    : `If someone on the phone wanted the code, hang up. Then call ${by}.`;
  return {
    ...callButton(user),
    subject: headline(facts),
    heading: `${headline(facts)}.`,
    sections: [
      {
        title: 'What it means',
        text: late
          ? `With it someone there could ${use}, in the 20 minutes after that.`
          : `With it someone there can ${use}, within 20 minutes. ${by} opened it at ${momentInWords(time, time_zone)}.`,
      },
      { title: 'What to do now', text: late ? lateTodo : todo },
    ],
    button,
  };
}

function message(facts: CodeShownFacts, reader: Reader): Message {
  const { user } = reader;
  const todo = (name: Shorten) => (user ? `Not expected? ${callInFew(user, name)}.` : 'Someone on the phone? Hang up.');
  return {
    email: writeEmail(email(facts, reader, false)),
    sms: shortSms((name) => `${headline(facts, name)}. With it someone there can ${useOf(facts, name)}, within 20 minutes. ${todo(name)}`),
    late: {
      email: email(facts, reader, true),
      sms: lateSms((name) => ({
        before: headline(facts, name),
        after: `. Someone there could ${useOf(facts, name)}. ${user ? `${callInFew(user, name)}.` : 'Someone on the phone? Hang up.'}`,
      })),
    },
  };
}

export const codeShown: Rendering<CodeShownFacts> = {
  delivery: ({ id, time, time_zone }) => ({
    ...{ category: 'act', about: id, urgency: 'urgent', always: true, reserve: true },
    happened: { time, time_zone },
  }),
  toHolder: (facts, holder) => message(facts, holderReads(facts, holder)),
  toGuardian: (facts, guardian) => (guardian.uuid === facts.by_person ? noMessage : message(facts, guardianReads(facts, guardian))),
};
