import { bankNumber, hangUpIfAsked, screenOff, screenQuestion } from '@porchlight/contract/advice.ts';
import { brand } from '@porchlight/contract/brand.ts';
import { capitalized, clockAndDay, names, someOf } from './format.ts';

const helper = (relatives: string[]) => (relatives.length ? someOf(relatives) : 'a guardian');

/** Texts of the lock and of one-time codes (P10.5, P10.7). */
export const lockMessages = {
  pinNotEnough: (relatives: string[]) =>
    `The Admin PIN alone isn’t enough right now, because something was just stopped here.${relatives.length ? ` Call ${someOf(relatives)}: they can end this, or read you a code.` : ' It will be again once this is over.'} ${hangUpIfAsked}`,
  codeNeeded: 'That’s not a code. It has eight digits.',
  wrongCode: (left: number) =>
    `That code doesn’t work. Each one is for one thing, works once, and lasts 20 minutes at most. ${left === 1 ? 'You can try once more.' : `You can try ${left} more times.`}`,
  noCodes: 'This computer doesn’t know any codes yet. It will as soon as we can reach our server.',
  nothingAllowed: 'Nothing can be allowed on this computer right now.',
  label: (relatives: string[]) => `The code from ${helper(relatives)}`,
  where: (relatives: string[]) =>
    `${capitalized(helper(relatives))} can read you the code from a ${brand.name} page. Did anyone else give it to you? Hang up.`,
  allowTitle: (relatives: string[]) => `Did ${helper(relatives)} give you a code?`,
  allowMore: (name: string) => `With it, ${name} can run for an hour.`,
  allow: (name: string) => `Allow ${name} for an hour`,
  allowed: (name: string) => `${name} can run for an hour. You need to start it again.`,
} as const;

/** *I need help now* (P9.5), and what a guardian’s *Stop this* changes here (P10.6). */
export const helpMessages = {
  button: 'I need help now',
  title: 'Do these four things now',
  hangUp: 'Hang up the phone.',
  screen: `${screenQuestion} ${screenOff}.`,
  bank: `Call the bank. ${bankNumber}`,
  reaching: (relatives: string[]) => `We are trying to reach ${names(relatives)}.`,
  offline: (relatives: string[]) => `Call ${someOf(relatives)}. We can’t reach anyone from here right now.`,
  writing: (first_name: string) => `We are trying to reach ${first_name}. Call someone you trust, too.`,
  alone: 'Call someone you trust.',
  stopped: 'Remote-control programs can’t run here now, even if they were allowed.',
  stop: (by: string, until: Date, now: Date) =>
    `${by} stopped everything on our list here until ${clockAndDay(until, now)}. Until then, nothing can be allowed here.`,
  isolated: 'The internet is off on this computer',
  isolatedMore: (by: string, until: Date, now: Date) =>
    `${by} cut the internet here, to keep you safe. It comes back on its own at ${clockAndDay(until, now)}. Your phone still works: call ${by}.`,
  reconnect: 'Turn the internet on again',
  reconnected: 'The internet is on again.',
} as const;

/** Somebody helps here, or a code allowed a program for an hour (P15.1, P10.7). */
export const helpingMessages = {
  title: (by: string | null, program: string, until: Date, now: Date) =>
    by === null ? `${program} can run until ${clockAndDay(until, now)}` : `${by} is helping until ${clockAndDay(until, now)}`,
  more: (by: string | null, program: string) =>
    by === null
      ? 'A code from your family allowed it. Did anyone else ask for that? Press the button.'
      : `${by} can use ${program} here. Is anyone but ${by} on the phone with you? Press the button.`,
  soon: (program: string) => `It ends in less than five minutes. Then we close ${program}.`,
  end: 'End it now',
  ended: 'It’s over. We closed the program.',
} as const;
