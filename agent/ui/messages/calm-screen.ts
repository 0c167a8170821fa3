import { notRude } from '@porchlight/contract/advice.ts';
import { inSentence } from '@porchlight/contract/names.ts';
import type { FoundMatch, StartState } from '../../ports.ts';
import type { WhoKnows } from '../window/who-knows.ts';
import { capitalized, clock, names, someOf } from './format.ts';

const likely = ({ name, certainty }: FoundMatch) => (certainty === 'likely' ? `what looks like ${name}` : inSentence(name));
const times = (count: number) => (count > 1 ? ` It has happened ${count} times so far.` : '');
const onThePhone = 'Not while someone is on the phone with you. Hang up first.';

const startWords: Record<StartState, string> = {
  waits: 'It waits, and does nothing.',
  runs: 'Someone said yes, so we let it go on.',
  refused: 'Someone said no, so we ended it.',
  ended: 'We ended it. It can’t run without a yes.',
};
const untilYes = 'It stays blocked until someone says yes.';
const untilAllowed = (owner: string) => `It stays blocked until ${owner} allows it.`;

/** Texts of the calm screen. While a scammer may still be on the phone, no text says that the danger is over. */
export const calmMessages = {
  stopped: {
    program: (match: FoundMatch) => `We stopped ${likely(match)}`,
    site: ({ name }: FoundMatch) => `We blocked a website: ${name}`,
  },
  notStopped: {
    program: (match: FoundMatch) => `We did not stop ${likely(match)}`,
    site: ({ name }: FoundMatch) => `We did not block a website: ${name}`,
  },
  first: {
    hangUp: 'Hang up the phone.',
    off: 'Turn this computer off now.',
    quit: 'Close it now.',
    close: 'Close that page.',
    safe: 'You can close that page.',
  },
  more: {
    hangUp: `If someone on the phone told you to open it, it’s a scam. ${notRude}`,
    off: 'Hold the power button until the screen goes dark. Then hang up the phone. If you opened it yourself, and nobody told you to, you can keep it on.',
    quit: 'Don’t pay for anything in it. If someone on the phone told you to open it, hang up.',
    close: 'Don’t type anything into it. If someone on the phone told you to open it, hang up.',
    safe: 'Nothing was sent to it. If someone on the phone told you to open it, hang up.',
  },
  call: (relatives: string[]) => (relatives.length ? `Call ${someOf(relatives)}` : 'Call someone you trust'),
  /** Names only people whom the server confirmed as notified. */
  notified: (who: WhoKnows): string => {
    if (who.kind === 'notified') return `We wrote to ${names(who.names)}.`;
    if (who.kind === 'wrote') return 'We wrote to you.';
    if (who.kind === 'offline') return `We’ll write to ${names(who.names)} as soon as there is a connection.`;
    if (who.kind === 'trying') return `We are trying to reach ${names(who.names)}.`;
    return who.kind === 'failed' ? `We couldn’t reach ${names(who.names)}.` : '';
  },
  open: 'See what happened',
  parts: { happened: 'What happened', did: 'What we did', over: 'Is it over?', now: 'What to do now' },
  happened: {
    program: ({ name, certainty }: FoundMatch, when: Date) =>
      `${certainty === 'likely' ? `What looks like ${name}` : name} was started at ${clock(when)}.`,
    site: ({ name }: FoundMatch, when: Date) => `Something on this computer tried to open ${name} at ${clock(when)}.`,
  },
  did: {
    program: (blocked: boolean, count: number) =>
      blocked ? `We closed it right away.${times(count)}` : `We couldn’t close it, or your account lets it run.${times(count)}`,
    site: (blocked: boolean, count: number) =>
      blocked ? `We kept it from opening. Nothing was sent there.${times(count)}` : `Your account lets it open.${times(count)}`,
  },
  over: {
    hangUp: `${onThePhone} If anyone opens it again, we’ll stop it again.`,
    off: 'No. Turn the computer off if you didn’t ask for this.',
    quit: 'No. It may still be running. Close it.',
    close: 'No. Close the page, and don’t type anything into it.',
    safe: 'Yes, if nobody is on the phone with you. You can close that page.',
  },
  hangUp: `If someone on the phone is telling you what to do, hang up. ${notRude}`,
  siteNow: 'If you typed a password or a card number there before, change the password and call the bank.',
  /** A start that waits (P12.3, P12.4), and money pages (P12.6): the guardians are asked without a press. */
  waiting: {
    title: {
      start: (match: FoundMatch) => `We stopped ${likely(match)}`,
      money: (relatives: string[]) =>
        `Money pages rest until ${relatives.length ? `${someOf(relatives)} says it’s all right` : 'this is over'}`,
    },
    happened: { money: (when: Date) => `A bank or money page was opened at ${clock(when)}.` },
    did: {
      start: (state: StartState, relatives: string[], count: number) =>
        `${state === 'waits' && relatives.length ? `It waits, and does nothing until ${someOf(relatives)} says yes.` : startWords[state]}${times(count)}`,
      money:
        'Someone may have control of this computer, or we stopped something here. So pages of banks, exchanges and gift cards don’t open for now.',
    },
    over: {
      start: `${onThePhone} Close the page that told you to do this.`,
      money: `${onThePhone} To reach your bank, call the number on your card.`,
    },
    /** Nobody is asked any more about this start. */
    answered: 'You don’t need to press anything. Talk about it first, on the phone.',
    /** `isAway`: the server has not answered since. */
    asked: (relatives: string[], isAway: boolean) =>
      relatives.length
        ? isAway
          ? `We’ll ask ${names(relatives)} as soon as there is a connection. Call first: nobody can say yes before.`
          : `We asked ${names(relatives)}. You don’t need to press anything. Talk about it first, on the phone.`
        : 'Nobody can say yes yet. Ask someone you trust to look at it with you.',
  },
  ask: 'I asked for this',
  askMore: (name: string, relatives: string[], owner: string) =>
    `Do you need ${name} yourself? ${relatives.length ? `We’ll ask ${names(relatives)}. ${untilYes}` : untilAllowed(owner)}`,
  asked: (name: string, relatives: string[], owner: string, isAway: boolean) =>
    relatives.length
      ? `${isAway ? `We’ll ask ${names(relatives)} about ${name} as soon as there is a connection.` : `We’re asking ${names(relatives)} about ${name}.`} ${untilYes}`
      : untilAllowed(owner),
  askedHow: (name: string, device: string, relatives: string[], owner: string) =>
    relatives.length
      ? 'After a yes, open it again. Talk about it first, on the phone.'
      : `${capitalized(owner)} can allow it on the dashboard, under ${device}, Allow List, ${name}. Talk about it first, on the phone.`,
} as const;
