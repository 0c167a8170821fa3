import { brand } from '@porchlight/contract/brand.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { type AtComputer, atComputer, callButton, callInText, nameOrThePerson, seeHow, someoneElse } from '../../texts/at-computer.ts';
import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { dayInWords, firstName, timeInWords } from '../../texts/formatting.ts';
import { shortSms } from '../../texts/short-text.ts';
import type { Rendering } from './rendering.ts';

/** A device that went offline without announcing it. */
export interface Outage {
  uuid: string;
  name: string;
  person: Person | null;
  time_zone: string;
  since: Date;
  /** Shortly before, a program was stopped there, or protection was weakened. */
  trouble: boolean;
}

const harmlessCause = 'It may only have lost power or Wi-Fi.';
const trouble = 'Shortly before, we stopped something there, or its protection was changed.';
/** Without the day, because people read the message minutes later. */
const sinceOf = ({ since, time_zone }: Outage) => timeInWords(since, time_zone);
const sentenceOf = (outage: Outage, name = outage.name) => `We haven’t heard from ${name} since ${sinceOf(outage)}.`;
const possibleCauses = (outage: Outage) => (outage.trouble ? `${trouble} ${harmlessCause}` : harmlessCause);
const willWriteAgain = 'We’ll write again when it’s back.';
/** `holder`: the whole name, for a guardian; null for the holder. */
const userOf = ({ person, name }: Outage, holder: string | null) =>
  holder === null ? someoneElse(person, name) : atComputer(person, name, holder);

export function holderOutageEmail(outage: Outage, url: string): WrittenEmail {
  return outageEmail(outage, userOf(outage, null), sentenceOf(outage), { label: `See ${outage.name}`, url });
}

export function guardianOutageEmail(outage: Outage, holder_name: string, link: string): WrittenEmail {
  const user = atComputer(outage.person, outage.name, holder_name);
  const subject = `${user.name || firstName(holder_name)}: ${sentenceOf(outage).replace(/^We/, 'we')}`;
  return outageEmail(outage, user, subject, { label: seeHow(user, holder_name), url: link });
}

function outageEmail(outage: Outage, user: AtComputer | null, subject: string, button: { label: string; url: string }): WrittenEmail {
  const call = (person: string) => `Call ${person} and ask if everything is all right. If a stranger is on the phone, say: “Hang up.”`;
  const ownAdvice = `If a stranger on the phone is telling you what to press, hang up. Then make sure ${outage.name} is on and online.`;
  return writeEmail({
    ...callButton(user),
    subject: subject.replace(/\.$/, ''),
    heading: sentenceOf(outage),
    sections: [
      { title: 'What it may be', text: `${possibleCauses(outage)} This was on ${dayInWords(outage.since, outage.time_zone)}.` },
      { title: 'What to do now', text: `${user ? call(nameOrThePerson(user)) : ownAdvice} ${willWriteAgain}` },
    ],
    button,
  });
}

export function outageSms(outage: Outage, holder: string | null): string {
  const user = userOf(outage, holder);
  return shortSms(
    (name) => `${sentenceOf(outage, name(outage.name))} ${harmlessCause} ${user ? callInText(user, name) : 'Please check it'}.`,
  );
}

/** `was_offline`: the agent was running but offline; `started`: it was started since. `protecting`, `limited`: as the agent reports. */
export interface DeviceReturn {
  how: 'was_offline' | 'started';
  protecting: boolean;
  /** Whether it cannot do everything there. */
  limited?: boolean;
}

const meaningOf: Record<DeviceReturn['how'], string> = {
  was_offline: `It was only offline or asleep. ${brand.name} was running the whole time.`,
  started: `It was off, or ${brand.name} was closed there.`,
};
const meaning = ({ how, protecting, limited }: DeviceReturn, unprotected: string) => {
  if (!protecting) return `${meaningOf[how]} But it isn’t protected now. ${unprotected}.`;
  if (how === 'was_offline') return meaningOf[how];
  return `${meaningOf[how]} It’s ${limited ? 'partly ' : ''}protected again now.`;
};

export function backEmail(
  outage: Outage,
  deviceReturn: DeviceReturn,
  holder: string | null,
  button: { label: string; url: string },
): WrittenEmail {
  const heading = `${outage.name} is back`;
  const user = userOf(outage, holder);
  const since = `We hadn’t heard from it since ${sinceOf(outage)}.`;
  const todo = user ? `Ask ${nameOrThePerson(user)} to open ${brand.name} and check` : `Open ${brand.name} on it and check`;
  const call = deviceReturn.protecting ? {} : callButton(user);
  return writeEmail({ ...call, subject: heading, heading, paragraphs: [`${since} ${meaning(deviceReturn, todo)}`], button });
}

export function backSms(outage: Outage, deviceReturn: DeviceReturn, holder: string | null): string {
  const user = userOf(outage, holder);
  return shortSms((name) => `${name(outage.name)} is back. ${meaning(deviceReturn, user ? callInText(user, name) : 'Please check it')}`);
}

const pageOf = (dashboard_url: string, { uuid }: Outage) => `${dashboard_url}/devices/${uuid}`;

export const suddenOutage: Rendering<Outage> = {
  delivery: ({ uuid, since }) => ({ category: 'outage', about: `${uuid}:${since.toISOString()}`, urgency: 'urgent' }),
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
  back: DeviceReturn;
}

export const outageOver: Rendering<OutageOver> = {
  delivery: ({ outage: { uuid, since } }) => ({ category: 'outage', about: `${uuid}:${since.toISOString()}:back`, urgency: 'urgent' }),
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
