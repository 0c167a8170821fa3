import type { ActivityFacts } from '@porchlight/contract/activity-log.ts';
import type { UndoWay } from '@porchlight/contract/activity-undo.ts';
import { comfort } from '@porchlight/contract/advice.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { undoButtons } from '@porchlight/contract/undo-buttons.ts';
import { actSentence, sentenceForGuardian, wholeSentenceForGuardian } from '@porchlight/contract/words/activities.ts';
import { type AtComputer, atComputer, callButton, callInText, nameOrThePerson, seeHow, someoneElse } from '../../texts/at-computer.ts';
import { type Email, type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { dayInWords, firstName, momentInWords } from '../../texts/formatting.ts';
import { shortSms } from '../../texts/short-text.ts';
import { actMeaning, actMeaningFirstHour, actMeaningOnceOver, type StartPossible } from './activity-meanings.ts';
import { undoWays } from './undo-ways.ts';

export interface LoggedAct extends Omit<ActivityFacts, 'who'> {
  time: Date;
  time_zone: string;
  /** Reported long after it was done. */
  late?: boolean;
  /** Has ended, such as a pause. */
  over?: boolean;
  /** The computer's user; null if unknown, undefined for an activity without a computer. */
  person?: Person | null;
  /** Who did it, if neither the holder nor somebody at the computer: a guardian's first name. */
  by?: string | undefined;
  /** How long it makes a start possible that is stopped for an hour, and asked about (P9.1). */
  asks?: StartPossible | undefined;
}

/** Null if the holder need not call anybody else. */
const holderCalls = ({ person = null, device }: LoggedAct) => someoneElse(person, device);
const guardianCalls = ({ person = null, device }: LoggedAct, holder: string) => atComputer(person, device, holder);

const when = ({ time, time_zone }: LoggedAct) => `This happened at ${momentInWords(time, time_zone)}.`;
/** `asked`: who is asked about a start within the hour, for this reader. */
const meaning = ({ kind, over, asks }: LoggedAct, asked: 'you' | 'your guardians') =>
  asks ? actMeaningFirstHour(kind, asks, asked) : (over && actMeaningOnceOver[kind]) || actMeaning[kind];
/** For a reader who is not at that computer. */
const meaningThere = (act: LoggedAct, user: AtComputer) =>
  act.kind === 'asked' ? `It’s still blocked. Ask ${nameOrThePerson(user)} what it’s for.` : meaning(act, 'you');
/** Includes the time of an activity that was reported late. */
const sentenceWithTime = (act: LoggedAct, { holder }: ActivityReader) => {
  const sentence = holder === null ? actSentence({ ...act, who: 'You' }) : wholeSentenceForGuardian({ ...act, who: firstName(holder) });
  return `${sentence}${act.late ? ` ${when(act)}` : ''}`;
};
const adviceToCall = (user: AtComputer) =>
  `Not expected? Call ${nameOrThePerson(user)}. If a stranger on the phone tells them what to press, it’s a scam. Say: ${comfort}`;
/** Advice about an activity without a computer. `holder`: a first name. */
const callHolder = (holder: string) => adviceToCall(atComputer(null, '', holder));

const ifNotYou = 'If this was you, there’s nothing to do. If not, or if someone on the phone asked for it, hang up';
/** The activity log, whose entries have buttons. */
const activityUrl = (dashboard: string) => `${dashboard}/profile/alerts`;
const onceOver = 'If someone on the phone asked for it, hang up. If you don’t know who did it, call the person at that computer.';

/** For a holder who uses that computer. */
const ownAdvice: Partial<Record<ActivityFacts['kind'], string>> = {
  asked: 'If someone on the phone wants it, it’s a scam. Hang up.',
  pin_guessed: 'Nobody got in. If a stranger is on the phone with you, hang up.',
};

/** `answerUrl`: where the holder answers a request. */
export interface ActLinks {
  dashboard: string;
  uuid: string;
  answerUrl?: string | undefined;
}

function actButton(undoWay: UndoWay | null, { dashboard, uuid, answerUrl }: ActLinks): { label: string; url: string } {
  if (answerUrl) return { label: 'See it and answer', url: answerUrl };
  return undoWay
    ? { label: undoButtons[undoWay], url: `${activityUrl(dashboard)}?act=${uuid}` }
    : { label: 'Go to my dashboard', url: dashboard };
}

/** The button undoes the activity, where that is possible. */
export function holderActEmail(act: LoggedAct, links: ActLinks): WrittenEmail {
  const undo = undoWays[act.kind];
  const isOver = act.over && actMeaningOnceOver[act.kind] !== undefined;
  const undoWay = typeof undo === 'string' && !isOver ? undo : null;
  const adviceForUser = act.person?.is_holder ? ownAdvice[act.kind] : undefined;
  const sentence = actSentence({ ...act, who: act.by ?? 'You' });
  const button = actButton(undoWay, links);
  const otherUser = holderCalls(act);
  if (otherUser) return otherUserEmail(act, { sentence, note: '' }, otherUser, button);
  return writeEmail({
    subject: withoutStop(sentence),
    heading: sentence,
    paragraphs: [
      `${when(act)} ${meaning(act, 'your guardians')}`,
      undoWay ? `${ifNotYou} and press ${undoButtons[undoWay]}.` : typeof undo === 'string' ? onceOver : (adviceForUser ?? undo.advice),
    ],
    button,
  });
}

/** Like `You allowed AnyDesk on Den PC. Did someone on the phone ask you to? Hang up.` */
export function holderActSms(act: LoggedAct): string {
  const otherUser = holderCalls(act);
  if (otherUser) return otherUserSms(act, otherUser, () => act.by ?? 'You', actSentence);
  return shortSms((name) => {
    const [subject, device] = [name(act.what), name(act.device)];
    return `${actSentence({ kind: act.kind, who: act.by ?? 'You', what: subject, device })} Not you, or did someone on the phone ask for it? Hang up.`;
  });
}

export function guardianActEmail(act: LoggedAct, holder: string, url: string): WrittenEmail {
  const user = guardianCalls(act, holder);
  return otherUserEmail(act, sentenceForGuardian({ ...act, who: act.by ?? firstName(holder) }), user, { label: seeHow(user, holder), url });
}

/** For a reader who can call the user of that computer. */
function otherUserEmail(
  act: LoggedAct,
  { sentence, note }: { sentence: string; note: string },
  user: AtComputer,
  button: { label: string; url: string },
): WrittenEmail {
  return writeEmail({
    ...callButton(user),
    subject: withoutStop(sentence),
    heading: sentence,
    sections: [
      { title: 'What it means', text: `${note && `${note} `}${meaningThere(act, user)} ${when(act)}` },
      { title: 'What to do now', text: adviceToCall(user) },
    ],
    button,
  });
}

/** Like `Ann allowed AnyDesk on Den PC. Not expected? Call Ann.` Who is in the account is not known: see `sentenceForGuardian`. */
export function guardianActSms(act: LoggedAct, holder: string): string {
  const sentenceOf = act.by === undefined ? wholeSentenceForGuardian : actSentence;
  return otherUserSms(act, guardianCalls(act, holder), (name) => name(act.by ?? firstName(holder)), sentenceOf);
}

function otherUserSms(
  act: LoggedAct,
  user: AtComputer,
  who: (name: (full: string) => string) => string,
  sentenceOf: (facts: ActivityFacts) => string,
): string {
  return shortSms((name) => {
    const [subject, device] = [name(act.what), name(act.device)];
    // The sentence about a pause already contains the day.
    const day = act.late && act.kind !== 'paused' ? ` It was on ${dayInWords(act.time, act.time_zone)}.` : '';
    return `${sentenceOf({ kind: act.kind, who: who(name), what: subject, device })}${day} Not expected? ${callInText(user, name)}.`;
  });
}

/** A scammer removes the guardians first. The email has no link, because the guardian's link no longer works. */
export function removedEmail(name: string, holder: string): WrittenEmail {
  const who = firstName(holder);
  return writeEmail({
    subject: `${who} removed you as a guardian`,
    heading: `You are not ${who}’s guardian anymore, ${firstName(name)}`,
    paragraphs: [`${who} removed you, so we won’t email you anymore. Thank you for looking out.`, callHolder(who)],
  });
}

export function removedSms(holder: string): string {
  return shortSms((name) => {
    const who = name(firstName(holder));
    return `${who} removed you as a guardian. Not expected? Call ${who}.`;
  });
}

/** `holder`: the whole name for a guardian as reader, null for the holder. `at`: whom the reader can call. */
export interface ActivityReader {
  holder: string | null;
  at: AtComputer | null;
}

/** `at`: the other user, if all was done at that user's computer. */
export const holderReads = (entries: LoggedAct[]): ActivityReader => ({ holder: null, at: otherUserOfAll(entries) });

/** Guardians call the user of the one computer, and otherwise the holder. */
export function guardianReads(entries: LoggedAct[], holder: string): ActivityReader {
  return { holder, at: otherUserOfAll(entries) ?? atComputer(null, '', holder) };
}

/** Null unless all activities were done at one computer, which somebody else uses. */
function otherUserOfAll(entries: LoggedAct[]): AtComputer | null {
  const user = entries.map(holderCalls);
  const [firstUser = null] = user;
  return firstUser && user.every((one) => one?.name === firstUser.name && one.device === firstUser.device) ? firstUser : null;
}

function aboutSeveral({ holder, at }: ActivityReader, url: string): Pick<Email, 'button' | 'call'> & { advice: string } {
  const advice = at ? adviceToCall(at) : 'If this wasn’t you, or if someone on the phone asked for it, hang up.';
  return {
    ...callButton(at),
    advice: holder === null ? `${advice} ${seeEach}` : advice,
    button: holder === null || !at ? { label: seeChanges, url: activityUrl(url) } : { label: seeHow(at, holder), url },
  };
}

/** An email about each of so many mild activities would hide what matters. `act`: the newest. */
export function floodEmail(act: LoggedAct, count: number, reader: ActivityReader, url: string): WrittenEmail {
  const { advice, ...rest } = aboutSeveral(reader, url);
  return writeEmail({
    subject: `${count} changes in a few minutes: check now`,
    heading: `${count} changes to ${possessiveName(reader)} protection in a few minutes`,
    paragraphs: [`The newest: ${sentenceWithTime(act, reader)} We’ll send any more in one email.`, advice],
    ...rest,
  });
}

export function floodSms(count: number, reader: ActivityReader): string {
  return smsOfSeveral((possessiveName) => `${count} changes to ${possessiveName} protection in a few minutes.`, reader);
}

/** About activities that were too many for separate messages. */
export function groupedEmail(entries: LoggedAct[], reader: ActivityReader, url: string): WrittenEmail {
  const shownSentences = entries.slice(0, 8).map((act) => sentenceWithTime(act, reader));
  const moreCount = entries.length - shownSentences.length;
  const list = [...shownSentences, ...(moreCount ? [`And ${moreCount} more.`] : [])].join(' ');
  const { advice, ...rest } = aboutSeveral(reader, url);
  return writeEmail({
    subject: `${entries.length} more changes to ${possessiveName(reader)} protection`,
    heading: `${entries.length} more changes${withinMinutes(entries)}`,
    paragraphs: [list, advice],
    ...rest,
  });
}

export function groupedSms(entries: Pick<LoggedAct, 'late'>[], reader: ActivityReader): string {
  return smsOfSeveral(
    (possessiveName) => `${entries.length} more changes to ${possessiveName} protection${withinMinutes(entries)}.`,
    reader,
  );
}

function smsOfSeveral(facts: (possessiveName: string) => string, reader: ActivityReader): string {
  const { at } = reader;
  return shortSms((name) => {
    const todo = at ? `Not expected? ${callInText(at, name)}.` : 'Not you, or did someone on the phone ask for it? Hang up.';
    return `${facts(possessiveName(reader, name))} ${todo}`;
  });
}

/** `your`, or `Ann’s`. `short`: shortens a name to fit an SMS. */
const possessiveName = ({ holder }: ActivityReader, short = (name: string) => name) =>
  holder === null ? 'your' : `${short(firstName(holder))}’s`;
const seeChanges = 'See the changes';
const seeEach = `Then press ${seeChanges}.`;
const withinMinutes = (entries: Pick<LoggedAct, 'late'>[]) => (entries.some(({ late }) => late) ? '' : ' within a few minutes');
const withoutStop = (sentence: string) => sentence.replace(/\.$/, '');
