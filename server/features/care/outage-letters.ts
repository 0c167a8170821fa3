import { brand } from '@porchlight/contract/brand.ts';
import { type WrittenLetter, writeLetter } from '../../lib/letter.ts';
import { shortText } from '../../lib/short-text.ts';
import { dayInWords, firstName, timeInWords } from '../../lib/words.ts';

/** A device that fell silent without a goodbye, as people are notified of it. */
export interface Outage {
  uuid: string;
  name: string;
  time_zone: string;
  since: Date;
  /** Something was stopped there, or protection weakened, shortly before. */
  trouble: boolean;
}

const soft = 'It may only have lost power or Wi-Fi.';
const trouble = 'Shortly before, we stopped something there, or its protection was changed.';
/** `today`: when it is read is some minutes after it happened. */
const sinceOf = ({ since, time_zone }: Outage) => timeInWords(since, time_zone);
const said = (outage: Outage, name = outage.name) => `We have not heard from ${name} since ${sinceOf(outage)}.`;
const maybe = (outage: Outage) => (outage.trouble ? `${trouble} ${soft}` : soft);

export function holderOutageLetter(outage: Outage, url: string): WrittenLetter {
  return writeLetter({
    subject: said(outage).replace(/\.$/, ''),
    heading: said(outage),
    parts: [
      { title: 'What it may be', text: `${maybe(outage)} It was ${dayInWords(outage.since, outage.time_zone)}.` },
      {
        title: 'What to do now',
        text: `Look at ${outage.name}: is it on, and on the internet? Is a stranger on the phone, telling you what to press? Hang up. We write again when it is back.`,
      },
    ],
    button: { label: `See ${outage.name}`, url },
  });
}

export function guardianOutageLetter(outage: Outage, holder_name: string, link: string): WrittenLetter {
  const holder = firstName(holder_name);
  return writeLetter({
    subject: `${holder}: ${said(outage).replace(/^We/, 'we').replace(/\.$/, '')}`,
    heading: said(outage),
    parts: [
      { title: 'What it may be', text: `${maybe(outage)} It was ${dayInWords(outage.since, outage.time_zone)}.` },
      {
        title: 'What to do now',
        text: `Call ${holder} and ask if all is well. Is a stranger on the phone? Say: “Hang up.” We write again when it is back.`,
      },
    ],
    button: { label: `See how ${holder} is`, url: link },
  });
}

/** `holder`: the first name, for a guardian; null for the holder. */
export function outageText(outage: Outage, holder: string | null): string {
  return shortText(
    (name) => `${said(outage, name(outage.name))} ${soft}${holder === null ? ' Please look at it.' : ` Please call ${name(holder)}.`}`,
  );
}

/** How it came back: its agent ran all the time and only could not reach us; or it was started since. `protecting`: as it says itself. */
export interface Return {
  how: 'was_offline' | 'started';
  protecting: boolean;
}

const backMeans: Record<Return['how'], string> = {
  was_offline: `It was only without internet or asleep. ${brand.name} ran there all the time.`,
  started: `It was off, or ${brand.name} was ended there.`,
};
const meaning = ({ how, protecting }: Return) => {
  if (!protecting) return `${backMeans[how]} But it is not protecting now. Look at it.`;
  return how === 'started' ? `${backMeans[how]} It is protected again now.` : backMeans[how];
};

export function backLetter(outage: Outage, how: Return, button: { label: string; url: string }): WrittenLetter {
  const heading = `${outage.name} is back`;
  const since = `We had not heard from it since ${sinceOf(outage)}.`;
  return writeLetter({ subject: heading, heading, paragraphs: [`${since} ${meaning(how)}`], button });
}

export function backText(outage: Outage, how: Return): string {
  return shortText((name) => `${name(outage.name)} is back. ${meaning(how)}`);
}
