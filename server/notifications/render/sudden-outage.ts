import { brand } from '@porchlight/contract/brand.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { type AtComputer, atComputer, callFirst, callInText, seeHow, someoneElse, whom } from '../../lib/at-computer.ts';
import { type WrittenEmail, writeEmail } from '../../lib/email.ts';
import { dayInWords, firstName, timeInWords } from '../../lib/formatting.ts';
import { shortSms } from '../../lib/short-text.ts';
import type { Rendering } from './rendering.ts';

/** A device that went offline without a goodbye. */
export interface Outage {
  uuid: string;
  name: string;
  /** The person who uses it. */
  person: Person | null;
  time_zone: string;
  since: Date;
  /** Something was stopped there, or protection weakened, shortly before. */
  trouble: boolean;
}

const soft = 'It may only have lost power or Wi-Fi.';
const trouble = 'Shortly before, we stopped something there, or its protection was changed.';
/** `today`: when it is read is some minutes after it happened. */
const sinceOf = ({ since, time_zone }: Outage) => timeInWords(since, time_zone);
const said = (outage: Outage, name = outage.name) => `We haven’t heard from ${name} since ${sinceOf(outage)}.`;
const maybe = (outage: Outage) => (outage.trouble ? `${trouble} ${soft}` : soft);
const again = 'We’ll write again when it’s back.';
/** Whom the reader can ask; null where it is the reader's own computer. `holder`: the whole name, for a guardian; null for the holder. */
const atOf = ({ person, name }: Outage, holder: string | null) =>
  holder === null ? someoneElse(person, name) : atComputer(person, name, holder);

export function holderOutageEmail(outage: Outage, url: string): WrittenEmail {
  return outageEmail(outage, atOf(outage, null), said(outage), { label: `See ${outage.name}`, url });
}

export function guardianOutageEmail(outage: Outage, holder_name: string, link: string): WrittenEmail {
  const at = atComputer(outage.person, outage.name, holder_name);
  const subject = `${at.name || firstName(holder_name)}: ${said(outage).replace(/^We/, 'we')}`;
  return outageEmail(outage, at, subject, { label: seeHow(at, holder_name), url: link });
}

function outageEmail(outage: Outage, at: AtComputer | null, subject: string, button: { label: string; url: string }): WrittenEmail {
  const call = (person: string) => `Call ${person} and ask if everything is all right. If a stranger is on the phone, say: “Hang up.”`;
  const look = `If a stranger on the phone is telling you what to press, hang up. Then make sure ${outage.name} is on and online.`;
  return writeEmail({
    ...callFirst(at),
    subject: subject.replace(/\.$/, ''),
    heading: said(outage),
    parts: [
      { title: 'What it may be', text: `${maybe(outage)} This was on ${dayInWords(outage.since, outage.time_zone)}.` },
      { title: 'What to do now', text: `${at ? call(whom(at)) : look} ${again}` },
    ],
    button,
  });
}

/** `holder`: the whole name, for a guardian; null for the holder. */
export function outageSms(outage: Outage, holder: string | null): string {
  const at = atOf(outage, holder);
  return shortSms((name) => `${said(outage, name(outage.name))} ${soft} ${at ? callInText(at, name) : 'Please check it'}.`);
}

/** How it came back: its agent ran all the time and only could not reach us; or it was started since. `protecting`: as it says itself. */
export interface Return {
  how: 'was_offline' | 'started';
  protecting: boolean;
}

const backMeans: Record<Return['how'], string> = {
  was_offline: `It was only offline or asleep. ${brand.name} was running the whole time.`,
  started: `It was off, or ${brand.name} was closed there.`,
};
const meaning = ({ how, protecting }: Return, unprotected: string) => {
  if (!protecting) return `${backMeans[how]} But it isn’t protected now. ${unprotected}.`;
  return how === 'started' ? `${backMeans[how]} It’s protected again now.` : backMeans[how];
};

export function backEmail(outage: Outage, how: Return, holder: string | null, button: { label: string; url: string }): WrittenEmail {
  const heading = `${outage.name} is back`;
  const at = atOf(outage, holder);
  const since = `We hadn’t heard from it since ${sinceOf(outage)}.`;
  const todo = at ? `Ask ${whom(at)} to open ${brand.name} and check` : `Open ${brand.name} on it and check`;
  const call = how.protecting ? {} : callFirst(at);
  return writeEmail({ ...call, subject: heading, heading, paragraphs: [`${since} ${meaning(how, todo)}`], button });
}

export function backSms(outage: Outage, how: Return, holder: string | null): string {
  const at = atOf(outage, holder);
  return shortSms((name) => `${name(outage.name)} is back. ${meaning(how, at ? callInText(at, name) : 'Please check it')}`);
}

const pageOf = (dashboard_url: string, { uuid }: Outage) => `${dashboard_url}/devices/${uuid}`;

export const suddenOutage: Rendering<Outage> = {
  delivery: ({ uuid, since }) => ({ category: 'silence', about: `${uuid}:${since.toISOString()}`, urgency: 'urgent' }),
  toHolder: (facts, { dashboard_url }) => ({
    email: holderOutageEmail(facts, pageOf(dashboard_url, facts)),
    sms: outageSms(facts, null),
  }),
  toGuardian: (facts, { holder_name, link }) => ({
    email: guardianOutageEmail(facts, holder_name, link),
    sms: outageSms(facts, holder_name),
  }),
};

export interface OutageOver {
  outage: Outage;
  back: Return;
}

export const outageOver: Rendering<OutageOver> = {
  delivery: ({ outage: { uuid, since } }) => ({ category: 'silence', about: `${uuid}:${since.toISOString()}:back`, urgency: 'urgent' }),
  toHolder: ({ outage, back }, { dashboard_url }) => ({
    email: backEmail(outage, back, null, { label: `See ${outage.name}`, url: pageOf(dashboard_url, outage) }),
    sms: backSms(outage, back, null),
  }),
  toGuardian: ({ outage, back }, { holder_name, link }) => ({
    email: backEmail(outage, back, holder_name, {
      label: seeHow(atComputer(outage.person, outage.name, holder_name), holder_name),
      url: link,
    }),
    sms: backSms(outage, back, holder_name),
  }),
};
