import { brand } from '@porchlight/contract/brand.ts';
import type { CodePurpose } from '@porchlight/contract/one-time-codes.ts';

/** What a guardian reads. `holder` and `user` are names; `computer` is the name of a device. */
export const messages = {
  stop: {
    button: 'Stop this',
    hint: (holder: string) => `Not sure what is going on? Stop it first. You can talk to ${holder} after that.`,
    ask: (holder: string) => ({
      heading: 'Stop this?',
      body: `Everything on our list is stopped on all of ${holder}’s computers for 24 hours, even what was allowed. ${holder} sees that you did it.`,
      confirm: 'Stop this',
    }),
    /** `by`: null for the reader. `since`: `at 3:05 PM`. */
    done: (by: string | null, since: string) => `${by ?? 'You'} stopped everything ${since}.`,
    until: (until: string) => `It stays so until ${until}, or until someone presses “It’s over”.`,
  },
  isolate: {
    heading: 'The internet',
    button: (minutes: number) => `Cut the internet there for ${minutes} minutes`,
    buttonAt: (minutes: number, computer: string) => `Cut the internet there for ${minutes} minutes: ${computer}`,
    /** `back`: `at 3:05 PM`. `stops`: the press also stops everything, which is not in force yet. */
    ask: (minutes: number, computer: string, back: string, stops: boolean) => ({
      heading: `Cut the internet on ${computer}?`,
      body: `${computer} is offline for ${minutes} minutes, and comes back on its own ${back}. Video calls and email stop there, too.${stops ? ' It also stops everything on our list, on every computer, for 24 hours.' : ''}`,
      confirm: 'Cut the internet',
    }),
    done: (by: string | null, computer: string) => `${by ?? 'You'} cut the internet on ${computer}.`,
    until: (back: string) => `It comes back on its own ${back}.`,
    lost: (computer: string) =>
      `The internet on ${computer} is not cut right now. Something there keeps us from it. We keep trying. Call and have them turn ${computer} off.`,
    putBack: (times: number) =>
      `Something there turned the internet on again${times > 1 ? ` ${times} times` : ''}. We cut it again${times > 1 ? ' each time' : ''}.`,
    mayEnd: 'Someone at that computer can end it earlier.',
  },
  code: {
    heading: 'A code for the computer',
    lead: (user: string) => `Does the computer ask ${user} for eight digits? Open a code here. It works once, even without internet.`,
    open: 'Open a code',
    close: 'Close',
    cancel: 'Cancel',
    computer: 'For which computer?',
    purpose: 'What is it for?',
    purposes: {
      pause: `Pause ${brand.name} there`,
      uninstall: `Uninstall ${brand.name} there`,
      allow: 'Allow one program there for an hour',
      link: 'Link that computer to another account',
    } satisfies Record<CodePurpose, string>,
    /** For `Works once, until 3:20 PM, to …`. */
    to: (purpose: CodePurpose, computer: string, program: string | null) =>
      ({
        pause: `pause ${brand.name} on ${computer}`,
        uninstall: `uninstall ${brand.name} on ${computer}`,
        allow: `allow ${program ?? 'a program'} on ${computer} for an hour`,
        link: `link ${computer} to another account`,
      })[purpose],
    program: 'Which program?',
    noPrograms: 'You can allow a program once we have stopped it there.',
    show: 'Show the code',
    notify: (holder: string) => `We tell ${holder} and the other guardians that you opened it.`,
    shown: 'Your code',
    works: (until: string, to: string) => `Works once, until ${until}, to ${to}.`,
    over: 'This code no longer works.',
    readOut: (user: string, holder: string) =>
      `Read it out only to ${user}, on a call you started. We tell ${holder} and the other guardians that you opened it.`,
  },
} as const;
