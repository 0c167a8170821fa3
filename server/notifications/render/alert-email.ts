import type { Person } from '@porchlight/contract/devices.ts';
import type { Category, Certainty } from '@porchlight/contract/shapes.ts';
import { type AtComputer, atComputer, callButton, nameOrSomeone, nameOrThePerson, seeHow, someoneElse } from '../../lib/at-computer.ts';
import { type Email, stopLink, type WrittenEmail, writeEmail } from '../../lib/email.ts';
import { firstName, momentInWords } from '../../lib/formatting.ts';
import type { DefinitionHelp } from '../../ports.ts';
import { describeReaction, generalHelp, quoteAdvice, title, describeEvent as whatHappened } from './alert-wording.ts';
import { wordsLeft } from './word-budget.ts';

export interface AlertFacts {
  name: string;
  category: Category;
  site: boolean;
  blocked: boolean;
  certainty: Certainty;
  time: Date;
  /** The time of writing: a late message names the day. */
  now: Date;
  device: string;
  person: Person | null;
  time_zone: string;
  /** The definition's own texts; undefined for a definition that is no longer published. */
  help: DefinitionHelp | undefined;
  /** Whether a text `1` answers it (P11.1). */
  may_reply?: boolean;
}

export function holderAlert(facts: AlertFacts, url: string): WrittenEmail {
  return writeEmail(holderContent(facts, url));
}

export const lateHolderAlert = (facts: AlertFacts, url: string): Email => holderContent(facts, url, true);

function holderContent(facts: AlertFacts, url: string, late = false): Email {
  const otherUser = someoneElse(facts.person, facts.device);
  const button = { label: 'See what happened', url };
  if (otherUser) return otherUserContent(facts, late, otherUser, button);
  const heading = title(facts, facts.device);
  const adviceForOthers =
    facts.person === null
      ? `If someone else uses this computer, call and say: ${facts.blocked ? '“You did nothing wrong. Hang up.' : '“Hang up.'} I’m with you.”`
      : '';
  return alertEmail(facts, late, { subject: heading, heading, advice: joinTexts(ownAdvice(facts, late), adviceForOthers), button });
}

/** If the user is unknown, the advice is shorter, because the email needs one more sentence. */
function ownAdvice({ blocked, site, person }: AlertFacts, late: boolean): string {
  if (late) return 'If someone is still on the phone with you, hang up and don’t call back.';
  const hangUp = person
    ? 'If someone is on the phone with you, hang up now and don’t call back.'
    : 'If someone is on the phone, hang up now.';
  return blocked ? hangUp : `${hangUp} Then ${site ? 'close the page' : 'turn the computer off'}.`;
}

/** Who, which device, what, blocked or not, when, what to say (P5.3). */
export function guardianAlert(facts: AlertFacts, holder_name: string, url: string): WrittenEmail {
  return writeEmail(guardianContent(facts, holder_name, url));
}

/** Sent long after the alert: the scammer may not be on the phone any more. */
export const lateGuardianAlert = (facts: AlertFacts, holder_name: string, url: string): Email =>
  guardianContent(facts, holder_name, url, true);

function guardianContent(facts: AlertFacts, holder_name: string, url: string, late = false): Email {
  const user = atComputer(facts.person, facts.device, holder_name);
  const ownerSentence = someoneElse(facts.person, facts.device) ? `${facts.device} is on ${firstName(holder_name)}’s account.` : '';
  return otherUserContent(facts, late, user, { label: seeHow(user, holder_name), url }, { extra: ownerSentence, quiet: stopLink(url) });
}

/** For a reader who can call the user of that computer. */
function otherUserContent(
  facts: AlertFacts,
  late: boolean,
  user: AtComputer,
  button: AlertContent['button'],
  forGuardian: Pick<AlertContent, 'extra' | 'quiet'> = {},
): Email {
  const call = `Call ${nameOrThePerson(user)} now. A scammer may be on the phone. Say: ${quoteAdvice(facts)}`;
  const callLate = `Call ${nameOrThePerson(user)} and ask if everything is all right. If a scammer is still on the phone, say: ${quoteAdvice(facts)}`;
  const needSentence = `${nameOrSomeone(user)} may need you`;
  const isRemoteControlOpen = !facts.blocked && !facts.site && facts.category === 'RemoteControl';
  return alertEmail(facts, late, {
    ...callButton(user),
    subject: `${facts.blocked || late ? needSentence : `Call ${nameOrThePerson(user)} now`}: ${programName(facts)} was ${facts.blocked ? 'blocked' : 'not blocked'} on ${facts.device}`,
    heading: isRemoteControlOpen && !late ? `Someone may be using ${user.name ? `${user.name}’s computer` : user.device}` : needSentence,
    there: true,
    advice: late ? callLate : call,
    ...forGuardian,
    button,
  });
}

interface AlertContent extends Pick<Email, 'call'> {
  subject: string;
  heading: string;
  /** Never cut. */
  advice: string;
  /** Left out if there is no space. */
  extra?: string;
  /** The reader is not at that computer, so the definition's advice does not apply. */
  there?: boolean;
  button: { label: string; url: string };
  /** *Stop this*, for a guardian. */
  quiet?: Email['quiet'];
}

/** Four sections, with as many whole sentences of the definition as a short email can hold. */
function alertEmail(facts: AlertFacts, late: boolean, { advice, extra = '', there = false, ...words }: AlertContent): Email {
  const [happened, reactionText, stateText] = [
    started(facts),
    didInShort(facts),
    late && !facts.blocked ? 'We don’t know.' : overInShort(facts, there),
  ];
  const help = facts.help ?? (facts.site ? generalHelp.ScamWebsite : undefined);
  const call = words.call ? `${words.call.label} ${words.call.shown}` : '';
  // The button's URL counts as a word.
  const requiredTexts = [words.heading, call, words.button.label, 'address', ...titles, happened, reactionText, stateText, advice];
  const budget = wordsLeft(late ? [lateNote, ...requiredTexts] : requiredTexts);
  const reasonText = budget.take(late && !facts.blocked ? '' : overMore(facts, there));
  const extraText = budget.take(extra);
  // The definition's advice must not repeat the advice to hang up, and while the program runs only that counts.
  const moreAdvice = !there && facts.blocked && !/hang up/i.test(help?.what_to_do ?? '') ? budget.take(help?.what_to_do ?? '', 1) : '';
  const what_it_is = budget.take(help?.what_it_is ?? '', 1);
  const texts = [joinTexts(happened, extraText, what_it_is), reactionText, joinTexts(stateText, reasonText), joinTexts(advice, moreAdvice)];
  return { ...words, parts: titles.map((title, n) => ({ title, text: texts[n] ?? '' })) };
}

const titles = ['What happened', 'What we did', 'Is it over?', 'What to do now'];

function didInShort(facts: AlertFacts): string {
  if (!facts.blocked) return describeReaction(facts);
  return facts.site ? 'We kept the page from opening.' : 'We closed it right away.';
}

function overInShort({ blocked }: AlertFacts, there: boolean): string {
  return blocked ? `Yes, on ${there ? 'that' : 'this'} computer.` : 'No.';
}

function overMore({ blocked, site, category }: AlertFacts, there: boolean): string {
  if (blocked) return site ? '' : 'We’ll stop it if anyone tries again.';
  if (site) return 'It may still be open.';
  const computer = `${there ? 'that' : 'this'} computer`;
  return category === 'RemoteControl' ? `Someone may be using ${computer} right now.` : 'It may still be running.';
}

/** The longest note that `lib/late-message.ts` adds to a late email. */
const lateNote = 'This happened on Wednesday, November 21, at 10:05 PM UTC, 23 hours ago. We could not send it sooner.';

const joinTexts = (...texts: string[]) => texts.filter(Boolean).join(' ');

function started(facts: AlertFacts): string {
  const when = `at ${momentInWords(facts.time, facts.time_zone)}`;
  if (facts.site) return whatHappened(facts, facts.device).replace(/\.$/, ` ${when}.`);
  return `${programName(facts)} was started on ${facts.device} ${when}.`;
}

const programName = ({ certainty, name }: AlertFacts) => (certainty === 'likely' ? `What looks like ${name}` : name);
