import { dayAndTime, timeInWords } from '../../lib/formatting.ts';
import { passesAt, type RequestRow, requestState } from './request-store.ts';

export interface ReaderFacts {
  /** The first names of those who were asked. */
  asked: string[];
  needs_password: boolean;
  now: Date;
  /** Of the device. */
  time_zone: string;
}

const names = new Intl.ListFormat('en-US');

/** Why a call waits, for the user at the screen. */
export function becauseOf(row: RequestRow, { asked, needs_password, now, time_zone }: ReaderFacts): string {
  if (requestState(row, now) === 'no') {
    const by = row.answers.findLast(({ answer }) => answer === 'no')?.name ?? '';
    return `${by} said no. Nothing has changed.`;
  }
  if (needs_password) return 'Nobody has answered. Enter your password to go on.';
  const whoIsAsked = asked.length ? `We asked ${names.format(asked)}.` : 'There is nobody we can ask.';
  return `${causeWords[row.cause]} ${whoIsAsked} ${withoutAnswer(row, asked.length > 0, time_zone)}`;
}

const causeWords: Record<RequestRow['cause'], string> = {
  incident: 'We stopped something on one of your computers, so changes to your protection wait.',
  second_act: 'This is the second change to your protection within an hour, so it waits.',
  ask_first: 'You chose that we ask first.',
};

/** When the password is enough, and why then. */
function withoutAnswer(row: RequestRow, someoneAsked: boolean, zone: string): string {
  const passes = passesAt(row);
  if (row.rule === 'hour') return `You can do it at ${timeInWords(passes, zone)}, with your password.`;
  const then = `you can do it on ${dayAndTime(passes, zone)}, with your password.`;
  return someoneAsked ? `If nobody answers, ${then}` : `You had a guardian until a few days ago, so ${then}`;
}
