import { brand } from '@porchlight/contract/brand.ts';
import type { IncidentOpener } from '@porchlight/contract/incident-events.ts';
import type { CallScript } from '../../notifications/calls/call-script.ts';

/** Digits are read one by one. */
export const digitsAloud = (e164: string): string => Array.from(e164.replace(/\D/g, '')).join(' ');

export interface CallWordsFacts {
  /** The first name of the guardian who is called. */
  name: string;
  /** How the incident began, a sentence. */
  happened: string;
  /** Whom they should call: a name, or `the person at Den PC`; `number`: E.164 or null. */
  user: string;
  number: string | null;
  /** Whether a key counts as their answer. */
  keys: boolean;
}

const hello = (name: string) => `Hello ${name}. This is ${brand.name}.`;
const numberAloud = (number: string | null) => (number === null ? [] : [`The number is ${digitsAloud(number)}.`]);

/** What guardians hear; each a call of under half a minute. */
export const guardianCall = {
  asks: ({ name, happened, user, keys }: CallWordsFacts): CallScript => ({
    say: [
      hello(name),
      happened,
      'Nobody has answered yet.',
      keys ? 'Press 1 if you are on it.' : 'Please open our email.',
      `Then call ${user}, and say: Hang up. I am with you.`,
    ],
    keys,
  }),
  voicemail: ({ name, happened, user, number }: CallWordsFacts): CallScript => ({
    say: [hello(name), happened, 'Nobody has answered yet.', `Please call ${user}, and open our email.`, ...numberAloud(number)],
    keys: false,
  }),
  thanks: ({ user, number }: CallWordsFacts): CallScript => ({
    say: ['Thank you. You are on it.', `Please call ${user} now.`, ...numberAloud(number)],
    keys: false,
  }),
  otherKey: ({ user }: CallWordsFacts): CallScript => ({
    say: ['That was not 1, so we ask someone else.', `You can still call ${user}, and open our email.`],
    keys: false,
  }),
  /** `by`: the first name of who answered; null if it is over. */
  needless: (name: string, by: string | null): CallScript => ({
    say: [
      hello(name),
      by === null ? 'We called about a computer, and it is over now.' : `${by} is on it already.`,
      'There is nothing to do.',
    ],
    keys: false,
  }),
};

const strangersProgram = 'A program that lets strangers in was started on your computer.';
const question = 'Someone wants us to protect your computer less.';
/** What happened, as its user hears it. */
const happenedThere: Record<IncidentOpener, string> = {
  started: strangersProgram,
  allowed_started: strangersProgram,
  weaker_started: strangersProgram,
  pasted_command: 'A command from a stranger may have been started on your computer.',
  door: 'Someone opened a way into your computer.',
  asked: question,
  second_act: question,
  help: 'Someone at your computer asked us for help.',
  pin_locked: 'Someone entered wrong PINs on your computer.',
  guardian_stop: 'Your family stopped everything on your computer.',
};

/** What the user of the computer hears (P11.1). `opener`: null once the incident is gone. `stopped`: whether a program was ended. */
export const personCall = (opener: IncidentOpener | null, stopped: boolean): CallScript => ({
  say: [
    `This is ${brand.name}.`,
    ...(stopped ? ['We stopped a program on your computer.'] : opener ? [happenedThere[opener]] : []),
    'If you are talking to someone about it, hang up on them.',
    'We never ask you for anything.',
  ],
  keys: false,
});

/** Answers to a text `1`. */
export const replyTexts = {
  thanks: (user: string, number: string | null) =>
    `${brand.name}: Thank you, you're on it. Call ${user} now${number === null ? '.' : `: ${number}.`} Say: Hang up. I'm with you.`,
  already: (by: string) => `${brand.name}: ${by} is on it already. There is nothing to do.`,
  openPage: `${brand.name}: We can't take an answer from this number yet. Please press I'm on it on your page. The link is in our email.`,
  nothing: `${brand.name}: There is nothing to answer right now. Our emails have the link to your page.`,
};
