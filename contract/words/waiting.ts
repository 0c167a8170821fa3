import type { HeldRequest, RequestCause, RequestedKind } from '../held-requests.ts';

/** Whose account it is, for the reader. */
export interface Owner {
  /** `your`, or `Ann’s`. */
  whose: string;
  /** `You`, or `Ann`. */
  who: string;
}

/** A no to money pages changes nothing about that, and nor does the end of a question. */
export const moneyRests = 'Money pages rest while a stranger may be at the computer.';

const scammersDoThat = 'Scammers do that.';
const causes: Record<Exclude<RequestCause, 'waiting'>, (owner: Owner) => string> = {
  incident: ({ whose }) => `There was trouble on one of ${whose} computers, and it isn’t over yet.`,
  second_act: () => `This is the second change within an hour. ${scammersDoThat}`,
  first_hour: () => `It started within an hour of being allowed. ${scammersDoThat}`,
  asked: () => 'We stopped it, and someone at that computer asked for it.',
  ask_first: ({ who }) => `${who} turned on Ask first.`,
  helped_twice: () => 'Someone helped there twice in a day already, or for two hours.',
};

/** Why a call waits. `kind`: of what it would do first. */
export function causeWords(cause: RequestCause, kind: RequestedKind | undefined, owner: Owner): string {
  if (cause !== 'waiting') return causes[cause](owner);
  if (kind === 'open_site') return 'It is on no list, and looks like a scam site to us.';
  return kind === 'open_money' ? moneyRests : 'It is on no list, and came from the internet. Scammers have people start such things.';
}

/** Whether not a call waits, which is made again, but a program, which a yes allows or lets go on (P9.1, P12.4). */
export const isAboutProgram = (cause: RequestCause): boolean => cause === 'first_hour' || cause === 'asked' || cause === 'waiting';

type Refused = Pick<HeldRequest, 'cause' | 'state'> & { activities: { kind: RequestedKind }[] };

/** What is so once a request has ended without a yes. */
export function endedWords({ cause, state, activities }: Refused): string {
  if (state === 'undone') return 'It was taken back.';
  if (!isAboutProgram(cause)) return 'Nothing has changed.';
  return activities[0]?.kind === 'open_money' ? moneyRests : 'It stays off.';
}

export const refusalWords = (by: string, request: Refused): string => `${by} said no. ${endedWords(request)}`;

export const passwordMissing = 'Nobody has answered. Enter your password to go on.';

type Waiting = Pick<HeldRequest, 'cause' | 'rule' | 'asked' | 'unproven'> & { activities: { kind: RequestedKind }[] };

/** Why a call waits and what the holder can do without an answer, to the holder. `passes`: when the password is enough, like `on Tuesday at 2:05 PM`. */
export const waitingWords = (request: Waiting, passes: string): string =>
  `${causeWords(request.cause, request.activities[0]?.kind, { who: 'You', whose: 'your' })} ${unansweredWords(request, passes)}`;

function unansweredWords({ cause, rule, asked, unproven }: Waiting, passes: string): string {
  if (isAboutProgram(cause)) return 'It stays off until someone says yes.';
  if (rule === 'hour') return `There is nobody we can ask. You can do it ${passes}.`;
  const then = `you can do it ${passes}.`;
  if (unproven) return `A new guardian’s yes counts after three days. If nobody answers, ${then}`;
  return asked.length ? `If nobody answers, ${then}` : `There is nobody we can ask. You had a guardian until a few days ago, so ${then}`;
}
