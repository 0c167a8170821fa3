import type { UndoWay } from '@porchlight/contract/act-undo.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { undoButtons } from '@porchlight/contract/undo-buttons.ts';
import { type AtComputer, atComputer, callFirst, callInText, seeHow, someoneElse, whom } from '../../lib/at-computer.ts';
import { type WrittenEmail, writeEmail } from '../../lib/email.ts';
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

/** About so many mild acts that an email for each would hide what matters. `act`: the newest. `who`: `You`, or the first name. */
export function floodEmail(act: LoggedAct, count: number, who: string, url: string): WrittenEmail {
  const you = who === 'You';
  const ours = you ? 'your' : `${who}’s`;
  return writeEmail({
    subject: `${count} changes in a few minutes: check now`,
    heading: `${who} made ${count} changes to ${ours} protection in a few minutes`,
    paragraphs: [
      `The newest: ${said(act, who)} So many at once is unusual. More will come in one email, so that you see the important ones.`,
      you ? `If this wasn’t you, or if someone on the phone asked for it, hang up. ${seeEach}` : callHolder(who),
    ],
    button: you ? { label: seeChanges, url: actsAt(url) } : { label: `See how ${who} is`, url },
  });
}

/** `who`: `You`, or the first name. */
export function floodSms(count: number, who: string): string {
  const end = who === 'You' ? 'Not you, or did someone on the phone ask for it? Hang up.' : 'Not expected?';
  return shortSms((name) => {
    const short = who === 'You' ? who : name(who);
    const last = who === 'You' ? end : `${end} Call ${short}.`;
    return `${short} made ${count} changes to protection in a few minutes. ${last}`;
  });
}

/** About the acts after a flood. `who`: `You`, or the first name. */
export function togetherEmail(acts: LoggedAct[], who: string, url: string): WrittenEmail {
  const shown = acts.slice(0, 8).map((act) => said(act, who));
  const more = acts.length - shown.length;
  const list = [...shown, ...(more ? [`And ${more} more.`] : [])].join(' ');
  const you = who === 'You';
  return writeEmail({
    subject: `${who} changed ${acts.length} more things that protect`,
    heading: `${acts.length} more changes${withinMinutes(acts)}`,
    paragraphs: [list, you ? `If this wasn’t you, hang up if someone is on the phone. ${seeEach}` : callHolder(who)],
    button: you ? { label: seeChanges, url: actsAt(url) } : { label: `See how ${who} is`, url },
  });
}

export function togetherSms(acts: Pick<LoggedAct, 'late'>[], holder: string): string {
  return shortSms((name) => {
    const who = name(firstName(holder));
    return `${who} changed ${acts.length} more things that protect ${who}${withinMinutes(acts)}. Not expected? Call ${who}.`;
  });
}

const seeChanges = 'See the changes';
const seeEach = `Then press ${seeChanges}: each one shows what you can do about it.`;
const withinMinutes = (acts: Pick<LoggedAct, 'late'>[]) => (acts.some(({ late }) => late) ? '' : ' within a few minutes');
const withoutStop = (sentence: string) => sentence.replace(/\.$/, '');
