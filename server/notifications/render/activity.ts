import type { UndoWay } from '@porchlight/contract/act-undo.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { undoButtons } from '@porchlight/contract/undo-buttons.ts';
import { type AtComputer, atComputer, callFirst, callInText, seeHow, someoneElse, whom } from '../../lib/at-computer.ts';
import { type Email, type WrittenEmail, writeEmail } from '../../lib/email.ts';
import { dayInWords, firstName, momentInWords } from '../../lib/formatting.ts';
import { shortSms } from '../../lib/short-text.ts';
import { type ActFacts, actMeaning, actMeaningOnceOver, actSentence } from './activity-sentences.ts';
import { undoWays } from './undo-ways.ts';

export interface LoggedAct extends Omit<ActFacts, 'who'> {
  time: Date;
  time_zone: string;
  /** It was reported long after it was done. */
  late?: boolean;
  /** It lasts no longer. */
  over?: boolean;
  /** The person who uses the computer at which it was done; null where that is unknown. Left out where it was done with the account. */
  person?: Person | null;
}

/** Whom the holder calls about it; null where it is the holder, or was done with the account. */
const holderCalls = ({ person = null, device }: LoggedAct) => someoneElse(person, device);
const guardianCalls = ({ person = null, device }: LoggedAct, holder: string) => atComputer(person, device, holder);

const when = ({ time, time_zone }: LoggedAct) => `This happened at ${momentInWords(time, time_zone)}.`;
const meaning = ({ kind, over }: LoggedAct) => (over && actMeaningOnceOver[kind]) || actMeaning[kind];
/** The meaning for a reader who is not the person at that computer. */
const meaningThere = (act: LoggedAct, at: AtComputer) =>
  act.kind === 'asked' ? `It’s still blocked. Ask ${whom(at)} what it’s for.` : meaning(act);
/** With when it was, where that is not now. */
const said = (act: LoggedAct, who: string) => `${actSentence({ ...act, who })}${act.late ? ` ${when(act)}` : ''}`;
const call = (at: AtComputer) =>
  `Did you expect this? If not, call ${whom(at)}. If a stranger on the phone is telling them what to press, it’s a scam. Say: “Hang up. I’m with you.”`;
/** What was done with the account: `holder` is a first name. */
const callHolder = (holder: string) => call(atComputer(null, '', holder));

const ifNotYou = 'If this was you, there’s nothing to do. If not, or if someone on the phone asked for it, hang up';
/** Where acts are listed, each with its button. */
const actsAt = (dashboard: string) => `${dashboard}/profile/alerts`;
const onceOver = 'If someone on the phone asked for it, hang up. If you don’t know who did it, call the person at that computer.';

/** Where the holder is the one at that computer. */
const ownAdvice: Partial<Record<ActFacts['kind'], string>> = {
  asked: 'If someone on the phone wants it, it’s a scam. Hang up.',
  pin_guessed: 'Nobody got in. If a stranger is on the phone with you, hang up.',
};

/** `uuid`: of the act. `wish`: where the holder answers a request. */
export interface ActPlace {
  dashboard: string;
  uuid: string;
  wish?: string | undefined;
}

function actButton(way: UndoWay | null, { dashboard, uuid, wish }: ActPlace): { label: string; url: string } {
  if (wish) return { label: 'See it and answer', url: wish };
  return way ? { label: undoButtons[way], url: `${actsAt(dashboard)}?act=${uuid}` } : { label: 'Go to my dashboard', url: dashboard };
}

/** To the person whose account it is. With a button only what can be taken back, and that leads to where it is. */
export function holderActEmail(act: LoggedAct, place: ActPlace): WrittenEmail {
  const undo = undoWays[act.kind];
  const over = act.over && actMeaningOnceOver[act.kind] !== undefined;
  const way = typeof undo === 'string' && !over ? undo : null;
  const own = act.person?.is_holder ? ownAdvice[act.kind] : undefined;
  const sentence = actSentence({ ...act, who: 'You' });
  const button = actButton(way, place);
  const other = holderCalls(act);
  if (other) return thereEmail(act, sentence, other, button);
  return writeEmail({
    subject: withoutStop(sentence),
    heading: sentence,
    paragraphs: [
      `${when(act)} ${meaning(act)}`,
      way ? `${ifNotYou} and press ${undoButtons[way]}.` : typeof undo === 'string' ? onceOver : (own ?? undo.advice),
    ],
    button,
  });
}

/** `You allowed AnyDesk on Den PC. Did someone on the phone ask you to? Hang up.` */
export function holderActSms(act: LoggedAct): string {
  const other = holderCalls(act);
  if (other) return thereSms(act, other, () => 'You');
  return shortSms((name) => {
    const [what, device] = [name(act.what), name(act.device)];
    return `${actSentence({ kind: act.kind, who: 'You', what, device })} Not you, or did someone on the phone ask for it? Hang up.`;
  });
}

/** `holder`: the whole name. */
export function guardianActEmail(act: LoggedAct, holder: string, url: string): WrittenEmail {
  const at = guardianCalls(act, holder);
  return thereEmail(act, actSentence({ ...act, who: firstName(holder) }), at, { label: seeHow(at, holder), url });
}

/** To a reader who can call the person at that computer. */
function thereEmail(act: LoggedAct, sentence: string, at: AtComputer, button: { label: string; url: string }): WrittenEmail {
  return writeEmail({
    ...callFirst(at),
    subject: withoutStop(sentence),
    heading: sentence,
    parts: [
      { title: 'What it means', text: `${meaningThere(act, at)} ${when(act)}` },
      { title: 'What to do now', text: call(at) },
    ],
    button,
  });
}

/** `Ann allowed AnyDesk on Den PC. Not expected? Call Ann.` */
export function guardianActSms(act: LoggedAct, holder: string): string {
  return thereSms(act, guardianCalls(act, holder), (name) => name(firstName(holder)));
}

function thereSms(act: LoggedAct, at: AtComputer, who: (name: (full: string) => string) => string): string {
  return shortSms((name) => {
    const [what, device] = [name(act.what), name(act.device)];
    // The end of a pause has its day in it.
    const day = act.late && act.kind !== 'paused' ? ` It was on ${dayInWords(act.time, act.time_zone)}.` : '';
    return `${actSentence({ kind: act.kind, who: who(name), what, device })}${day} Not expected? ${callInText(at, name)}.`;
  });
}

/** The last email to a guardian who was removed, since a scammer begins with the guardians. It has no link: theirs no longer works. */
export function removedEmail(name: string, holder: string): WrittenEmail {
  const who = firstName(holder);
  return writeEmail({
    subject: `${who} removed you as a guardian`,
    heading: `You are not ${who}’s guardian any more, ${firstName(name)}`,
    paragraphs: [`${who} removed you, so we won’t email you anymore. Thank you for looking out.`, callHolder(who)],
  });
}

export function removedSms(holder: string): string {
  return shortSms((name) => {
    const who = name(firstName(holder));
    return `${who} removed you as a guardian. Not expected? Call ${who}.`;
  });
}

/**
 * The reader of a notification about several acts. `holder`: the whole name, where a guardian reads; null where the holder does. `at`: whom the reader can
 * call; null where that is the reader.
 */
export interface ActsReader {
  holder: string | null;
  at: AtComputer | null;
}

/** The holder as a reader; whom they call where all of it was done at one computer that somebody else uses. */
export const holderReads = (acts: LoggedAct[]): ActsReader => ({ holder: null, at: oneElsewhere(acts) });

/** `holder`: the whole name. Guardians call whoever uses the one computer, and the holder about all else. */
export function guardianReads(acts: LoggedAct[], holder: string): ActsReader {
  return { holder, at: oneElsewhere(acts) ?? atComputer(null, '', holder) };
}

/** Somebody other than the holder who uses the computer at which each of these acts was done; null where there is no such one. */
function oneElsewhere(acts: LoggedAct[]): AtComputer | null {
  const at = acts.map(holderCalls);
  const [first = null] = at;
  return first && at.every((one) => one?.name === first.name && one.device === first.device) ? first : null;
}

/** What to do about several, and the button that leads to it. */
function aboutSeveral({ holder, at }: ActsReader, url: string): Pick<Email, 'button' | 'call'> & { advice: string } {
  const advice = at ? call(at) : 'If this wasn’t you, or if someone on the phone asked for it, hang up.';
  return {
    ...callFirst(at),
    advice: holder === null ? `${advice} ${seeEach}` : advice,
    button: holder === null || !at ? { label: seeChanges, url: actsAt(url) } : { label: seeHow(at, holder), url },
  };
}

/** So many mild acts that mails about each would hide what matters. `act`: the newest. */
export function floodEmail(act: LoggedAct, count: number, reader: ActsReader, url: string): WrittenEmail {
  const { advice, ...rest } = aboutSeveral(reader, url);
  return writeEmail({
    subject: `${count} changes in a few minutes: check now`,
    heading: `${count} changes to ${whose(reader)} protection in a few minutes`,
    paragraphs: [
      `The newest: ${said(act, doer(reader))} So many at once is unusual. More will come in one email, so that you see the important ones.`,
      advice,
    ],
    ...rest,
  });
}

export function floodSms(count: number, reader: ActsReader): string {
  return smsOfSeveral((whose) => `${count} changes to ${whose} protection in a few minutes.`, reader);
}

/** Several that were too many to be told one by one. */
export function togetherEmail(acts: LoggedAct[], reader: ActsReader, url: string): WrittenEmail {
  const shown = acts.slice(0, 8).map((act) => said(act, doer(reader)));
  const more = acts.length - shown.length;
  const list = [...shown, ...(more ? [`And ${more} more.`] : [])].join(' ');
  const { advice, ...rest } = aboutSeveral(reader, url);
  return writeEmail({
    subject: `${acts.length} more changes to ${whose(reader)} protection`,
    heading: `${acts.length} more changes${withinMinutes(acts)}`,
    paragraphs: [list, advice],
    ...rest,
  });
}

export function togetherSms(acts: Pick<LoggedAct, 'late'>[], reader: ActsReader): string {
  return smsOfSeveral((whose) => `${acts.length} more changes to ${whose} protection${withinMinutes(acts)}.`, reader);
}

function smsOfSeveral(facts: (whose: string) => string, reader: ActsReader): string {
  const { at } = reader;
  return shortSms((name) => {
    const todo = at ? `Not expected? ${callInText(at, name)}.` : 'Not you, or did someone on the phone ask for it? Hang up.';
    return `${facts(whose(reader, name))} ${todo}`;
  });
}

/** Whose protection it is, as this reader says it: `your`, or `Ann’s`. `short`: makes a name fit into an SMS. */
const whose = ({ holder }: ActsReader, short = (name: string) => name) => (holder === null ? 'your' : `${short(firstName(holder))}’s`);
/** Who did it with the account, as this reader knows them. */
const doer = ({ holder }: ActsReader) => (holder === null ? 'You' : firstName(holder));
const seeChanges = 'See the changes';
const seeEach = `Then press ${seeChanges}: each one shows what you can do about it.`;
const withinMinutes = (acts: Pick<LoggedAct, 'late'>[]) => (acts.some(({ late }) => late) ? '' : ' within a few minutes');
const withoutStop = (sentence: string) => sentence.replace(/\.$/, '');
