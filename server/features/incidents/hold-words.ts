import { waitingReason } from '../../notifications/render/held-request/held-request.ts';
import { timeWithDay, weekdayAndTime } from '../../texts/formatting.ts';
import { isAboutProgram, passesAt, type RequestRow, requestState } from './request-store.ts';

export interface HolderFacts {
  /** The first names of those who were asked. */
  asked: string[];
  needs_password: boolean;
  now: Date;
  /** Of the device. */
  time_zone: string;
}

/** Why a call waits, for the holder at the screen. The screen names those who were asked. */
export function becauseOf(row: RequestRow, { asked, needs_password, now, time_zone }: HolderFacts): string {
  const refusal = refusalOf(row, now);
  if (refusal) return refusal;
  if (needs_password) return 'Nobody has answered. Enter your password to go on.';
  return `${causeOf(row).holder} ${withoutAnswer(row, asked.length > 0, time_zone)}`;
}

/** Why a call waits, for a guardian. */
export const becauseForGuardian = (row: RequestRow, holder: string, now: Date): string =>
  refusalOf(row, now) ?? causeOf(row).guardian(holder);

function refusalOf(row: RequestRow, now: Date): string | null {
  if (requestState(row, now) !== 'no') return null;
  return `${row.answers.findLast(({ answer }) => answer === 'no')?.name ?? ''} said no. Nothing has changed.`;
}

interface CauseWords {
  holder: string;
  guardian: (holder: string) => string;
}

/** What waits at the computer is named to everybody in the same way. */
function causeOf({ cause, activities }: RequestRow): CauseWords {
  if (cause !== 'waiting') return causeWords[cause];
  const reason = waitingReason(activities[0]?.kind);
  return { holder: reason, guardian: () => reason };
}

const causeWords: Record<Exclude<RequestRow['cause'], 'waiting'>, CauseWords> = {
  incident: {
    holder: 'There was trouble on one of your computers, and it isn’t over yet.',
    guardian: (holder) => `There was trouble on one of ${holder}’s computers, and it isn’t over yet.`,
  },
  second_act: {
    holder: 'This is the second change within an hour. Scammers do that.',
    guardian: () => 'This is the second change within an hour. Scammers do that.',
  },
  first_hour: {
    holder: 'It started within an hour of being allowed. Scammers do that.',
    guardian: () => 'It started within an hour of being allowed. Scammers do that.',
  },
  asked: {
    holder: 'We stopped it, and someone at that computer asked for it.',
    guardian: () => 'We stopped it, and someone at that computer asked for it.',
  },
  ask_first: { holder: 'You turned on Ask first.', guardian: (holder) => `${holder} turned on Ask first.` },
};

/** When the password is enough, and why then. */
function withoutAnswer(row: RequestRow, someoneAsked: boolean, zone: string): string {
  if (isAboutProgram(row)) return 'It stays off until someone says yes.';
  const passes = passesAt(row);
  if (row.rule === 'hour')
    return `There is nobody we can ask. You can do it at ${timeWithDay(passes, row.time, zone)}, with your password.`;
  const then = `you can do it on ${weekdayAndTime(passes, zone)}, with your password.`;
  return someoneAsked ? `If nobody answers, ${then}` : `There is nobody we can ask. You had a guardian until a few days ago, so ${then}`;
}
