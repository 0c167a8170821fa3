import { brand } from '@porchlight/contract/brand.ts';
import type { ScanItem } from '@porchlight/contract/scan.ts';
import { type WrittenLetter, writeLetter } from '../../lib/letter.ts';
import { oneTextFrom, shortInGsm } from '../../lib/texts.ts';
import { firstName, momentInWords } from '../../lib/words.ts';
import { allBlocked, did, namesOf, over, title } from './rules.ts';

export interface ScanFacts {
  items: ScanItem[];
  device: string;
  time: Date;
  time_zone: string;
}

/** All that one look found, in one mail. */
export function holderScanLetter(facts: ScanFacts, url: string): WrittenLetter {
  return writeLetter({
    subject: title(facts.items, facts.device),
    heading: `What we found on ${facts.device}`,
    parts: [
      ...parts(facts),
      {
        title: 'What to do now',
        text: 'Did someone on the phone want it? Hang up, and call the bank.',
      },
    ],
    button: { label: 'See the device', url },
  });
}

export function guardianScanLetter(facts: ScanFacts, holder_name: string, url: string): WrittenLetter {
  const holder = firstName(holder_name);
  return writeLetter({
    subject: `For ${holder}: ${title(facts.items, facts.device)}`,
    heading: `What we found on ${facts.device}`,
    parts: [
      ...parts(facts),
      { title: 'What to do now', text: `Ask ${holder} who wanted it. Someone on the phone? Call the bank together.` },
    ],
    button: { label: `See how ${holder} is`, url },
  });
}

export function holderScanText(facts: ScanFacts, url: string): string {
  return oneTextFrom(`${brand.name}: ${shortTitle(facts)}`, 'Asked for by someone on the phone? Hang up.', url);
}

export function guardianScanText(facts: ScanFacts, holder_name: string, url: string): string {
  const holder = shortInGsm(firstName(holder_name), 14);
  return oneTextFrom(`${brand.name}, for ${holder}: ${shortTitle(facts)}`, `Ask ${holder} who had it installed.`, url);
}

const shortTitle = ({ items, device }: ScanFacts) =>
  `${shortInGsm(namesOf(items, 2), 44)} on ${shortInGsm(device, 24)}: ${allBlocked(items) ? 'found and blocked.' : 'found, not blocked.'}`;

function parts({ items, device, time, time_zone }: ScanFacts) {
  return [
    {
      title: 'What happened',
      text: `We looked at ${device} at ${momentInWords(time, time_zone)}, and found ${namesOf(items)}.`,
    },
    { title: 'What we did', text: did(items) },
    { title: 'Is it over?', text: over(items) },
  ];
}
