import { type RequestRow, requestState } from './request-store.ts';

export interface ReaderFacts {
  /** The first names of those who were asked. */
  asked: string[];
  needs_password: boolean;
  now: Date;
}

const names = new Intl.ListFormat('en-US');

/** Why a call waits, for the user at the screen. */
export function becauseOf(row: RequestRow, { asked, needs_password, now }: ReaderFacts): string {
  if (requestState(row, now) === 'no') {
    const by = row.answers.findLast(({ answer }) => answer === 'no')?.name ?? '';
    return `${by} said no. Nothing has changed.`;
  }
  if (needs_password) return 'Nobody has answered. Enter your password to go on.';
  return `${causeWords[row.cause]} ${whoIsAsked(asked)} ${withoutAnswer[row.rule]}`;
}

const causeWords: Record<RequestRow['cause'], string> = {
  incident: 'We stopped something on one of your computers, so changes to your protection wait.',
  second_act: 'This is the second change to your protection within an hour, so it waits.',
  ask_first: 'You chose that we ask first.',
};

const whoIsAsked = (asked: string[]) => (asked.length ? `We asked ${names.format(asked)}.` : 'There is nobody we can ask.');

const withoutAnswer: Record<RequestRow['rule'], string> = {
  hour: 'You can do it in an hour, with your password.',
  day: 'If nobody answers, you can do it tomorrow, with your password.',
};
