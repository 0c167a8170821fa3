import { brand } from '@porchlight/contract/brand.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { ScanItem } from '@porchlight/contract/scan.ts';
import { type AtComputer, atComputer, callFirst, seeHow, someoneElse, whom } from '../../lib/at-computer.ts';
import { type WrittenEmail, writeEmail } from '../../lib/email.ts';
import { firstName, momentInWords } from '../../lib/formatting.ts';
import { shortSms } from '../../lib/short-text.ts';
import { oneSmsFrom } from '../../lib/sms-text.ts';
import type { Rendering } from './rendering.ts';
import { allBlocked, did, namesOf, over, title } from './scan-wording.ts';

export interface ScanFacts {
  items: ScanItem[];
  device: string;
  /** The person who uses it; null where that is unknown. */
  person: Person | null;
  time: Date;
  time_zone: string;
}

/** Everything that one scan found, in one email. */
export function holderScanEmail(facts: ScanFacts, url: string): WrittenEmail {
  const at = someoneElse(facts.person, facts.device);
  const unsaid = facts.person === null ? ' If someone else uses it, ask them.' : '';
  const own = `If a caller wanted it, hang up and call your bank.${unsaid}`;
  return scanEmail(facts, at, at ? askThem(at) : own, '', { label: 'See the device', url });
}

export function guardianScanEmail(facts: ScanFacts, holder_name: string, url: string): WrittenEmail {
  const at = atComputer(facts.person, facts.device, holder_name);
  return scanEmail(facts, at, askThem(at), `${at.name || firstName(holder_name)}: `, { label: seeHow(at, holder_name), url });
}

const askThem = (at: AtComputer) => `Ask ${whom(at)} how it got there. If a caller asked for it, call the bank together.`;

/** `at`: whom the reader can ask; null where it is the reader's own computer. */
function scanEmail(facts: ScanFacts, at: AtComputer | null, todo: string, from: string, button: { label: string; url: string }) {
  return writeEmail({
    ...callFirst(at),
    subject: `${from}${title(facts.items, facts.device)}`,
    heading: `What we found on ${facts.device}`,
    parts: [...parts(facts), { title: 'What to do now', text: todo }],
    button,
  });
}

export function holderScanSms(facts: ScanFacts, url: string): string {
  const other = someoneElse(facts.person, facts.device);
  if (other) return askSms(facts, other, url);
  const advice = 'If someone on the phone asked for it, hang up.';
  return oneSmsFrom(
    shortSms((name) => `${brand.name}: ${found(facts, name)} ${advice}`),
    url,
  );
}

export function guardianScanSms(facts: ScanFacts, holder_name: string, url: string): string {
  return askSms(facts, atComputer(facts.person, facts.device, holder_name), url);
}

function askSms(facts: ScanFacts, at: AtComputer, url: string): string {
  const number = at.number === null ? '' : `: ${at.number}`;
  return oneSmsFrom(
    shortSms((name) => `${brand.name}: ${found(facts, name)} Ask ${whom(at, name)} how it got there${number}.`),
    url,
  );
}

const found = ({ items, device }: ScanFacts, short: (name: string) => string) =>
  `${short(namesOf(items, 2))} on ${short(device)}: ${allBlocked(items) ? 'found and blocked.' : 'found, not blocked.'}`;

function parts({ items, device, time, time_zone }: ScanFacts) {
  return [
    {
      title: 'What happened',
      text: `We checked ${device} at ${momentInWords(time, time_zone)} and found ${namesOf(items)}.`,
    },
    { title: 'What we did', text: did(items) },
    { title: 'Is it over?', text: over(items) },
  ];
}

export interface ScanNotice extends ScanFacts {
  device_uuid: string;
  /** Made on the device: another one could have made the same. */
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
