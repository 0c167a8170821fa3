import { brand } from '@porchlight/contract/brand.ts';
import type { CallState } from '../../db/reach-tables.ts';
import type { CallScript } from '../../notifications/calls/call-script.ts';

type Result = { state: CallState; pressed: string | null };

/** What became of a call, a sentence for the time line; null while it rings. */
function resultWords({ state, pressed }: Result): string | null {
  if (pressed === '1') return 'They pressed 1.';
  const words: Record<CallState, string | null> = {
    queued: null,
    ringing: null,
    answered: 'They picked up.',
    completed: 'They picked up, and did not press 1.',
    machine: 'Voicemail picked up, and we left a message.',
    busy: 'The line was busy.',
    no_answer: 'Nobody picked up.',
    failed: 'The call did not go through.',
  };
  return words[state];
}

/** Lines of the time line (P11.1). */
export const stepWords = {
  second_messages: 'Nobody had answered, so we wrote to everyone again.',
  call: (name: string, result: Result) => {
    const words = resultWords(result);
    return words === null ? `We are calling ${name}.` : `We called ${name}. ${words}`;
  },
  /** The user of the computer hears a warning, and has nothing to press. */
  person_call: (name: string, result: Result) => {
    const words = result.state === 'completed' ? 'They picked up, and heard our warning.' : resultWords(result);
    return words === null ? `We are calling ${name} on their own phone.` : `We called ${name} on their own phone. ${words}`;
  },
  /** Without its result. */
  old_call: (name: string) => `We called ${name}.`,
  ended: 'We tried everyone, and nobody has answered.',
};

/** What happens next unless somebody answers. */
export const nextWords = {
  second_messages: 'we write to everyone again',
  call: (name: string) => `we call ${name}`,
  person_call: (name: string) => `we call ${name} on their own phone`,
};

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

/** What the user of the computer hears (P11.1). `stopped`: whether a program was ended. */
export const personCall = (stopped: boolean): CallScript => ({
  say: [
    `This is ${brand.name}.`,
    stopped ? 'We stopped a program on your computer.' : 'A program that lets strangers in was started on your computer.',
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
