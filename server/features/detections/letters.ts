import type { Category, Certainty } from '@porchlight/contract/shapes.ts';
import { type Letter, type WrittenLetter, writeLetter } from '../../lib/letter.ts';
import { firstName, momentInWords } from '../../lib/words.ts';
import { type DefinitionHelp, did, generalHelp, title, happened as whatHappened } from './rules.ts';
import { wordsLeft } from './word-budget.ts';

export interface AlertFacts {
  name: string;
  category: Category;
  site: boolean;
  blocked: boolean;
  certainty: Certainty;
  time: Date;
  /** When it is written: what is told late says the day. */
  now: Date;
  device: string;
  time_zone: string;
  /** The family's own words; undefined for one that is not published any more. */
  help: DefinitionHelp | undefined;
}

/** What to say to someone who may have the scammer on the phone: first that it is not their fault, then the one thing that stops it. */
function say({ site, blocked }: AlertFacts): string {
  const stop = site && blocked ? 'close that page' : 'switch the computer off';
  return `“You did nothing wrong. Hang up, and ${stop}. I am with you.”`;
}

/** To the person who holds the account. */
export function holderAlert(facts: AlertFacts, url: string): WrittenLetter {
  return writeLetter(holderWords(facts, url));
}

/** The same for a mail that leaves long after it happened. */
export const lateHolderAlert = (facts: AlertFacts, url: string): Letter => holderWords(facts, url, true);

function holderWords(facts: AlertFacts, url: string, late = false): Letter {
  const heading = title(facts, facts.device);
  return alertLetter(facts, late, {
    subject: heading,
    heading,
    advice: 'Is someone on the phone? Hang up, and do not call back.',
    now: `Not your computer? Call, and say: ${say(facts)}`,
    button: { label: 'See what happened', url },
  });
}

/** To a guardian: who, which device, what, blocked or not, when, what to say (P5.3). */
export function guardianAlert(facts: AlertFacts, holder_name: string, url: string): WrittenLetter {
  return writeLetter(guardianWords(facts, holder_name, url));
}

/** The same for a mail that leaves long after it happened: whoever reads it cannot catch the scammer on the phone any more, perhaps. */
export const lateGuardianAlert = (facts: AlertFacts, holder_name: string, url: string): Letter =>
  guardianWords(facts, holder_name, url, true);

function guardianWords(facts: AlertFacts, holder_name: string, url: string, late = false): Letter {
  const holder = firstName(holder_name);
  const call = `Call ${holder}${facts.blocked ? '' : ' right now'}. A scammer may be on the phone. Say: ${say(facts)}`;
  const callLate = `Call ${holder} and ask if all is well. Is a scammer still on the phone? Say: ${say(facts)}`;
  return alertLetter(facts, late, {
    subject: `${holder} may need you: ${title(facts, facts.device)}`,
    heading: `${holder} may need you`,
    advice: '',
    now: late ? callLate : call,
    button: { label: `See how ${holder} is`, url },
  });
}

interface AlertWords {
  subject: string;
  heading: string;
  /** For someone at the computer; the family's own advice takes its place where there is room for a sentence of it. */
  advice: string;
  now: string;
  button: { label: string; url: string };
}

/** The four parts, with as many whole sentences of the family's own words as a short mail has room for: what to do comes first. */
function alertLetter(facts: AlertFacts, late: boolean, { subject, heading, advice, now, button }: AlertWords): Letter {
  const [happened, done, over] = [started(facts), didInShort(facts), late ? overOnceLate(facts) : overInShort(facts)];
  // The address of the button is a word too.
  const help = facts.help ?? (facts.site ? generalHelp.ScamWebsite : undefined);
  const room = wordsLeft([late ? lateNote : '', heading, button.label, 'address', ...titles, happened, done, over, now]);
  const what_to_do = advice && (room.take(help?.what_to_do ?? '', 1) || room.take(advice));
  const what_it_is = room.take(help?.what_it_is ?? '', 1);
  const texts = [joined(happened, what_it_is), done, over, joined(what_to_do, now)];
  return { subject, heading, parts: titles.map((title, n) => ({ title, text: texts[n] ?? '' })), button };
}

const titles = ['What happened', 'What we did', 'Is it over?', 'What to do now'];

function didInShort(facts: AlertFacts): string {
  if (!facts.blocked) return did(facts);
  return facts.site ? 'We kept the page from opening.' : 'We closed it right away.';
}

function overInShort({ blocked, site, category }: AlertFacts): string {
  if (blocked) return site ? 'Yes, on this computer.' : 'Yes, unless somebody starts it again.';
  if (site) return 'No. It may still be open.';
  return category === 'RemoteControl' ? 'No. Someone may be able to see and use this computer right now.' : 'No. It may still be running.';
}

function overOnceLate(facts: AlertFacts): string {
  return facts.blocked ? overInShort(facts) : 'We do not know. Look together.';
}

/** As long as the longest sentence that `lib/late.ts` puts above a late mail. */
const lateNote = 'This happened on Wednesday, November 21, at 10:05 PM UTC, 23 hours ago. We could not send it sooner.';

const joined = (...texts: string[]) => texts.filter(Boolean).join(' ');

function started(facts: AlertFacts): string {
  const when = `at ${momentInWords(facts.time, facts.time_zone)}`;
  if (facts.site) return whatHappened(facts, facts.device).replace(/\.$/, ` ${when}.`);
  const what = facts.certainty === 'likely' ? `What looks like ${facts.name}` : facts.name;
  return `${what} was started on ${facts.device} ${when}.`;
}
