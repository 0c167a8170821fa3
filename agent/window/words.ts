import { brand } from '@porchlight/contract/brand.ts';
import type { Match } from '@porchlight/definitions/format.ts';

/** All that the agent says to the person at the computer, on its screen and on the terminal. */
export const words = {
  protected: 'This computer is protected',
  protectedMore: (device: string) => `It is called ${device} on the dashboard. There is nothing you need to do.`,
  unlinked: 'This computer is not protected yet',
  unlinkedMore: 'Type the code that you were given. It has eight letters and numbers.',
  free: 'This computer has the free plan',
  freeMore:
    'We stop remote-control programs on it. Nobody hears of it but you. To tell your family too, type the code that you were given.',
  removed: 'This computer was removed from its account',
  removedMore: 'We still stop remote-control programs. To connect it again, type a new code.',
  stopped: ({ name, certainty }: Match) => `We stopped ${certainty === 'likely' ? `what looks like ${name}` : name}`,
  notStopped: ({ name, certainty }: Match) => `${certainty === 'likely' ? `What looks like ${name}` : name} was started and is not stopped`,
  safe: 'You are safe. Take your time.',
  parts: { happened: 'What happened', did: 'What we did', over: 'Is it over?', now: 'What to do now' },
  happened: ({ name, certainty }: Match, when: string) =>
    `${certainty === 'likely' ? `A program that looks like ${name}` : name} was started at ${when}.`,
  did: (blocked: boolean, times: number, told: boolean) =>
    blocked
      ? `We closed it right away${times > 1 ? `, ${times} times by now` : ''}${told ? ', and told your family' : ''}.`
      : `We could not close it, or were asked not to.${told ? ' We told your family.' : ''}`,
  over: (blocked: boolean) =>
    blocked ? 'Yes, as long as nobody starts it again. We keep watching.' : 'No. Switch the computer off if you did not ask for this.',
  call: (names: string[]) => `Someone to call: ${names.join(', ')}.`,
  hangUp: 'Is someone on the phone telling you what to do? Hang up. You are not being rude, and nothing bad will happen.',
  code: 'Your code',
  connect: 'Connect',
  connecting: 'Connected.',
  support: `${brand.support.title}: ${brand.support.email}, ${brand.support.phone}`,
  never: `${brand.name} never calls you first, and never asks for your password or PIN.`,

  terminal: {
    idle: 'Porchlight is not linked yet. It watches nothing and blocks nothing until you connect it from the dashboard or with --code.',
    freeWaits: 'The free plan begins as soon as the server can be reached.',
    free: 'Porchlight protects this computer with the free plan: remote-control programs are stopped, and nobody is told.',
    watching: (device: string) => `Porchlight protects this computer as ${device}.`,
    stopped: (name: string, blocked: boolean) => (blocked ? `Stopped ${name}.` : `${name} runs, and was not stopped.`),
    removed: 'This device was removed from its account. Remote-control programs are still stopped. Link it again with a new code.',
    revoked: 'The server does not know this device any more. Remote-control programs are still stopped. Link it again with a new code.',
    portTaken: (port: number) =>
      `Another program already answers on port ${port}, so the dashboard cannot reach this agent by itself. A typed code works all the same.`,
    window: (url: string) => `What happened, on a page: ${url}`,
    linked: (device: string) => `Linked as ${device}.`,
  },
} as const;
