import { brand } from '@porchlight/contract/brand.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { ScanItem } from '@porchlight/contract/scan.ts';
import { type AtComputer, atComputer, callButton, nameOrThePerson, seeHow, someoneElse } from '../../texts/at-computer.ts';
import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { firstName, momentInWords } from '../../texts/formatting.ts';
import { shortSms } from '../../texts/short-text.ts';
import { oneSmsFrom } from '../../texts/sms-text.ts';
import type { Rendering } from './rendering.ts';
import { allBlocked, describeReaction, describeState, namesOf, title } from './scan-wording.ts';

export interface ScanFacts {
  items: ScanItem[];
  device: string;
  person: Person | null;
  time: Date;
  time_zone: string;
}

export function holderScanEmail(facts: ScanFacts, url: string): WrittenEmail {
  const user = someoneElse(facts.person, facts.device);
  const adviceForOthers = facts.person === null ? ' If someone else uses it, ask them.' : '';
  const adviceForUser = `If a caller wanted it, hang up and call the bank.${adviceForOthers}`;
  return scanEmail(facts, user, user ? askThem(user) : adviceForUser, '', { label: 'See the device', url });
}

export function guardianScanEmail(facts: ScanFacts, holder_name: string, url: string): WrittenEmail {
  const user = atComputer(facts.person, facts.device, holder_name);
  return scanEmail(facts, user, askThem(user), `${user.name || firstName(holder_name)}: `, { label: seeHow(user, holder_name), url });
}

const askThem = (user: AtComputer) => `Ask ${nameOrThePerson(user)} how it got there. If a caller asked for it, call the bank together.`;

/** `at`: whom the reader can ask; null for the reader's own computer. */
function scanEmail(facts: ScanFacts, user: AtComputer | null, todo: string, subjectPrefix: string, button: { label: string; url: string }) {
  return writeEmail({
    ...callButton(user),
    subject: `${subjectPrefix}${title(facts.items, facts.device)}`,
    heading: `What we found on ${facts.device}`,
    sections: [...sectionsOf(facts), { title: 'What to do now', text: todo }],
    button,
  });
}

export function holderScanSms(facts: ScanFacts, url: string): string {
  const otherUser = someoneElse(facts.person, facts.device);
  if (otherUser) return askSms(facts, otherUser, url);
  const advice = 'If someone on the phone asked for it, hang up.';
  return oneSmsFrom(
    shortSms((name) => `${brand.name}: ${foundText(facts, name)} ${advice}`),
    url,
  );
}

export function guardianScanSms(facts: ScanFacts, holder_name: string, url: string): string {
  return askSms(facts, atComputer(facts.person, facts.device, holder_name), url);
}

function askSms(facts: ScanFacts, user: AtComputer, url: string): string {
  const number = user.number === null ? '' : `: ${user.number}`;
  return oneSmsFrom(
    shortSms((name) => `${brand.name}: ${foundText(facts, name)} Ask ${nameOrThePerson(user, name)} how it got there${number}.`),
    url,
  );
}

const foundText = ({ items, device }: ScanFacts, shorten: (name: string) => string) =>
  `${shorten(namesOf(items, 2))} on ${shorten(device)}: ${allBlocked(items) ? 'found and blocked.' : 'found, not blocked.'}`;

function sectionsOf({ items, device, time, time_zone }: ScanFacts) {
  return [
    {
      title: 'What happened',
      text: `We checked ${device} at ${momentInWords(time, time_zone)} and found ${namesOf(items)}.`,
    },
    { title: 'What we did', text: describeReaction(items) },
    { title: 'Is it over?', text: describeState(items) },
  ];
}

export interface ScanNotice extends ScanFacts {
  device_uuid: string;
  /** Generated on the device, so unique only together with `device_uuid`. */
  uuid: string;
}

export const scan: Rendering<ScanNotice> = {
  delivery: ({ device_uuid, uuid }) => ({ category: 'scan', about: `${device_uuid}/${uuid}`, urgency: 'ordinary' }),
  toHolder(facts, { dashboard_url }) {
    const url = `${dashboard_url}/devices/${facts.device_uuid}`;
    return { email: holderScanEmail(facts, url), sms: holderScanSms(facts, url) };
  },
  toGuardian: (facts, { holder_name, link }) => ({
    email: guardianScanEmail(facts, holder_name, link),
    sms: guardianScanSms(facts, holder_name, link),
  }),
};
