import { blameless, comfort, hangUpNow } from '@porchlight/contract/advice.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { Certainty, DetectionCategory } from '@porchlight/contract/shapes.ts';
import { type AtComputer, atComputer, callButton, nameOrSomeone, nameOrThePerson, seeHow, someoneElse } from '../../texts/at-computer.ts';
import { type Email, stopLink, type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { firstName, momentInWords } from '../../texts/formatting.ts';
import {
  type DefinitionHelp,
  describeReaction,
  generalHelpOf,
  quoteAdvice,
  stateInParts,
  title,
  describeEvent as whatHappened,
} from './alert-wording.ts';
import { wordsLeft } from './word-budget.ts';

export interface AlertFacts {
  name: string;
  category: DetectionCategory;
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

export interface AlertNotice extends AlertFacts {
  uuid: string;
  url: string;
  /** Nobody is on the line (P15.9). */
  quiet?: boolean;
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
      ? late
        ? 'Someone else uses it? Call them.'
        : `If someone else uses it, call them: ${facts.blocked && !facts.site ? blameless : comfort}`
      : '';
  return alertEmail(facts, late, { subject: heading, heading, advice: joinTexts(ownAdvice(facts, late), adviceForOthers), button });
}

/** If the user is unknown, the advice is shorter, because the email needs one more sentence. */
function ownAdvice({ blocked, site, person }: AlertFacts, late: boolean): string {
  if (late) return 'If someone is still on the phone with you, hang up.';
  if (!blocked) return `${hangUpNow} Then ${site ? 'close the page' : 'turn the computer off'}.`;
  return person ? `${hangUpNow} Don’t call back.` : hangUpNow;
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
  // The third part already speaks of the phone where something was blocked.
  const call = `Call ${nameOrThePerson(user)} now.${facts.blocked ? '' : ' A scammer may be on the phone.'} Say: ${quoteAdvice(facts)}`;
  const callLate = `Call ${user.name || 'them'}. Is a scammer still on the phone? Say: ${comfort}`;
  const needSentence = `${nameOrSomeone(user)} may need you`;
  const isRemoteControlOpen = !facts.blocked && !facts.site && facts.category === 'RemoteControl';
  return alertEmail(facts, late, {
    ...callButton(user),
    subject: `${facts.blocked || late ? needSentence : `Call ${nameOrThePerson(user)} now`}: ${programName(facts)} was ${facts.blocked ? 'blocked' : 'not blocked'} on ${facts.device}`,
    heading: isRemoteControlOpen && !late ? `Someone may be using ${user.name ? `${user.name}’s computer` : user.device}` : needSentence,
    user,
    advice: late ? callLate : call,
    ...forGuardian,
    button,
  });
}

/** Whether a definition describes it, which may no longer be published. */
const isListed = ({ category }: AlertFacts) => category === 'RemoteControl' || category === 'DeceptiveUtility';

interface AlertContent extends Pick<Email, 'call'> {
  subject: string;
  heading: string;
  /** Never cut. */
  advice: string;
  /** Left out if there is no space. */
  extra?: string;
  /** Whom the reader can call; null at the reader's own computer, where the definition's advice applies. */
  user?: AtComputer | null;
  button: { label: string; url: string };
  /** *Stop this*, for a guardian. */
  quiet?: Email['quiet'];
}

/** Four sections, with as many whole sentences of the definition as a short email can hold. */
function alertEmail(facts: AlertFacts, late: boolean, { advice, extra = '', user = null, ...words }: AlertContent): Email {
  const stateOf = stateInParts(facts, user);
  const [happened, reactionText, stateText] = [
    started(facts, late),
    describeReaction(facts),
    late && !facts.blocked ? 'We don’t know.' : stateOf.answer,
  ];
  const help = facts.help ?? (facts.site || !isListed(facts) ? generalHelpOf(facts) : undefined);
  const call = words.call ? `${words.call.label} ${words.call.shown}` : '';
  // The button's URL counts as a word.
  const around = [words.heading, call, words.button.label, 'address', ...Object.values(titles)];
  const budget = wordsLeft({ around, body: [late ? lateNote : '', happened, reactionText, stateText, advice] });
  // A late email does not claim what is so now; and a reader elsewhere needs to know what was stopped more than what happens next time.
  const isReasonLeftOut = facts.blocked ? user !== null : late;
  const reasonText = budget.take(isReasonLeftOut ? '' : stateOf.reason);
  const extraText = budget.take(extra);
  // The definition's advice must not repeat the advice to hang up, and while the program runs only that counts.
  const moreAdvice = !user && facts.blocked && !/hang up/i.test(help?.what_to_do ?? '') ? budget.take(help?.what_to_do ?? '', 1) : '';
  const what_it_is = budget.take(help?.what_it_is ?? '', 1);
  const texts = [joinTexts(happened, extraText, what_it_is), reactionText, joinTexts(stateText, reasonText), joinTexts(advice, moreAdvice)];
  return { ...words, sections: Object.values(titles).map((title, n) => ({ title, text: texts[n] ?? '' })) };
}

export const titles = { happened: 'What happened', done: 'What we did', over: 'Is it over?', next: 'What to do now' };

/** The longest note that `lib/late-message.ts` adds to a late email. */
const lateNote = 'This happened on Wednesday, November 21, at 10:05 PM UTC, 23 hours ago. We could not send it sooner.';

const joinTexts = (...texts: string[]) => texts.filter(Boolean).join(' ');

/** The note of a late email already says when. */
function started(facts: AlertFacts, late: boolean): string {
  const when = late ? '' : ` at ${momentInWords(facts.time, facts.time_zone)}`;
  return whatHappened(facts, facts.device).replace(/\.$/, `${when}.`);
}

const programName = ({ certainty, name }: AlertFacts) => (certainty === 'likely' ? `What looks like ${name}` : name);
