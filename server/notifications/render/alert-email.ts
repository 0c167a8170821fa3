import type { Person } from '@porchlight/contract/devices.ts';
import type { Category, Certainty } from '@porchlight/contract/shapes.ts';
import { type AtComputer, atComputer, callFirst, seeHow, someoneElse, who, whom } from '../../lib/at-computer.ts';
import { type Email, type WrittenEmail, writeEmail } from '../../lib/email.ts';
import { firstName, momentInWords } from '../../lib/formatting.ts';
import type { DefinitionHelp } from '../../ports.ts';
import { did, generalHelp, say, title, happened as whatHappened } from './alert-wording.ts';
import { wordsLeft } from './word-budget.ts';

export interface AlertFacts {
  name: string;
  category: Category;
  site: boolean;
  blocked: boolean;
  certainty: Certainty;
  time: Date;
  /** When the message is rendered: one that leaves late says the day. */
  now: Date;
  device: string;
  /** The person who uses it; null where that is unknown. */
  person: Person | null;
  time_zone: string;
  /** The family's own words; undefined for one that is not published any more. */
  help: DefinitionHelp | undefined;
}

/** To the holder: about their own computer, or about one that another person uses. */
export function holderAlert(facts: AlertFacts, url: string): WrittenEmail {
  return writeEmail(holderWords(facts, url));
}

/** The email that leaves long after the alert. */
export const lateHolderAlert = (facts: AlertFacts, url: string): Email => holderWords(facts, url, true);

function holderWords(facts: AlertFacts, url: string, late = false): Email {
  const other = someoneElse(facts.person, facts.device);
  const button = { label: 'See what happened', url };
  if (other) return otherWords(facts, late, other, button);
  const heading = title(facts, facts.device);
  const unsaid =
    facts.person === null
      ? `If someone else uses this computer, call and say: ${facts.blocked ? '“You did nothing wrong. Hang up.' : '“Hang up.'} I’m with you.”`
      : '';
  return alertEmail(facts, late, { subject: heading, heading, advice: joined(ownAdvice(facts, late), unsaid), button });
}

/** Shorter where it is unknown who uses the computer, because more has to be said. */
function ownAdvice({ blocked, site, person }: AlertFacts, late: boolean): string {
  if (late) return 'If someone is still on the phone with you, hang up and don’t call back.';
  const hangUp = person
    ? 'If someone is on the phone with you, hang up now and don’t call back.'
    : 'If someone is on the phone, hang up now.';
  return blocked ? hangUp : `${hangUp} Then ${site ? 'close the page' : 'turn the computer off'}.`;
}

/** To a guardian: who, which device, what, blocked or not, when, what to say (P5.3). */
export function guardianAlert(facts: AlertFacts, holder_name: string, url: string): WrittenEmail {
  return writeEmail(guardianWords(facts, holder_name, url));
}

/** The email that leaves long after the alert: the scammer may not be on the phone any more. */
export const lateGuardianAlert = (facts: AlertFacts, holder_name: string, url: string): Email =>
  guardianWords(facts, holder_name, url, true);

function guardianWords(facts: AlertFacts, holder_name: string, url: string, late = false): Email {
  const at = atComputer(facts.person, facts.device, holder_name);
  const whose = someoneElse(facts.person, facts.device) ? `${facts.device} is on ${firstName(holder_name)}’s account.` : '';
  return otherWords(facts, late, at, { label: seeHow(at, holder_name), url }, whose);
}

/** To a reader who can call the person at that computer. */
function otherWords(facts: AlertFacts, late: boolean, at: AtComputer, button: AlertWords['button'], extra = ''): Email {
  const call = `Call ${whom(at)} now. A scammer may be on the phone. Say: ${say(facts)}`;
  const callLate = `Call ${whom(at)} and ask if everything is all right. If a scammer is still on the phone, say: ${say(facts)}`;
  const may = `${who(at)} may need you`;
  const inside = !facts.blocked && !facts.site && facts.category === 'RemoteControl';
  return alertEmail(facts, late, {
    ...callFirst(at),
    subject: `${facts.blocked || late ? may : `Call ${whom(at)} now`}: ${named(facts)} was ${facts.blocked ? 'blocked' : 'not blocked'} on ${facts.device}`,
    heading: inside && !late ? `Someone may be using ${at.name ? `${at.name}’s computer` : at.device}` : may,
    there: true,
    advice: late ? callLate : call,
    extra,
    button,
  });
}

interface AlertWords extends Pick<Email, 'call'> {
  subject: string;
  heading: string;
  /** What to do now: it is never cut. */
  advice: string;
  /** Something more about what happened, where there is room for it. */
  extra?: string;
  /** It is read somewhere else than at that computer, for whose person the definition says what to do. */
  there?: boolean;
  button: { label: string; url: string };
}

/** The four parts, with as many whole sentences of the definition's own words as a short email has room for. */
function alertEmail(facts: AlertFacts, late: boolean, { advice, extra = '', there = false, ...words }: AlertWords): Email {
  const [happened, done, over] = [started(facts), didInShort(facts), late && !facts.blocked ? 'We don’t know.' : overInShort(facts, there)];
  const help = facts.help ?? (facts.site ? generalHelp.ScamWebsite : undefined);
  const call = words.call ? `${words.call.label} ${words.call.shown}` : '';
  // The address of the button is a word too.
  const must = [words.heading, call, words.button.label, 'address', ...titles, happened, done, over, advice];
  const room = wordsLeft(late ? [lateNote, ...must] : must);
  const why = room.take(late && !facts.blocked ? '' : overMore(facts, there));
  const about = room.take(extra);
  // To hang up was said already, and while it runs there is nothing else to do.
  const more = !there && facts.blocked && !/hang up/i.test(help?.what_to_do ?? '') ? room.take(help?.what_to_do ?? '', 1) : '';
  const what_it_is = room.take(help?.what_it_is ?? '', 1);
  const texts = [joined(happened, about, what_it_is), done, joined(over, why), joined(advice, more)];
  return { ...words, parts: titles.map((title, n) => ({ title, text: texts[n] ?? '' })) };
}

const titles = ['What happened', 'What we did', 'Is it over?', 'What to do now'];

function didInShort(facts: AlertFacts): string {
  if (!facts.blocked) return did(facts);
  return facts.site ? 'We kept the page from opening.' : 'We closed it right away.';
}

function overInShort({ blocked }: AlertFacts, there: boolean): string {
  return blocked ? `Yes, on ${there ? 'that' : 'this'} computer.` : 'No.';
}

/** What is said about it where there is room. */
function overMore({ blocked, site, category }: AlertFacts, there: boolean): string {
  if (blocked) return site ? '' : 'We’ll stop it if anyone tries again.';
  if (site) return 'It may still be open.';
  const computer = `${there ? 'that' : 'this'} computer`;
  return category === 'RemoteControl' ? `Someone may be using ${computer} right now.` : 'It may still be running.';
}

/** As long as the longest sentence that `lib/late-message.ts` puts above a late email. */
const lateNote = 'This happened on Wednesday, November 21, at 10:05 PM UTC, 23 hours ago. We could not send it sooner.';

const joined = (...texts: string[]) => texts.filter(Boolean).join(' ');

function started(facts: AlertFacts): string {
  const when = `at ${momentInWords(facts.time, facts.time_zone)}`;
  if (facts.site) return whatHappened(facts, facts.device).replace(/\.$/, ` ${when}.`);
  return `${named(facts)} was started on ${facts.device} ${when}.`;
}

const named = ({ certainty, name }: AlertFacts) => (certainty === 'likely' ? `What looks like ${name}` : name);
