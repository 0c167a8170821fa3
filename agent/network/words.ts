import { brand } from '@porchlight/contract/brand.ts';

/** What the site filter says to the person at the computer. */
export const siteWords = {
  byHand:
    'Sites are not blocked: Porchlight was started by hand and changes nothing of how this computer looks names up. With --system it does.',
  listening: (place: string) => `Names are answered at ${place}.`,
  pointed: 'Names are looked up through Porchlight now, and scam sites have no address.',
  taken: (place: string, why: string) =>
    `Another program already answers name look-ups on ${place} (${why}), so only the best known dangerous sites are blocked, through the hosts file.`,
  takenByHand: (place: string, why: string) => `Names cannot be answered at ${place} (${why}). Sites are not blocked.`,
  overruled: 'another setting of this computer comes before it',
  notAllowed: (why: string) => `How this computer looks names up could not be changed (${why}). Sites are not blocked.`,
  failing:
    'The part of Porchlight that blocks sites keeps stopping. Names are looked up as before, and scam sites are not blocked meanwhile.',
  restored: (works: boolean) =>
    works
      ? 'Names are looked up as before Porchlight.'
      : 'Names are put back as before Porchlight. None could be looked up: is there a network?',
  page: {
    title: 'We stopped this page',
    safe: 'You are safe. Take your time.',
    happened: (site: string) => `Something on this computer tried to open ${site}.`,
    listed: 'It is on a list of sites that are made to take money or passwords.',
    family: (name: string) => `It belongs to ${name}, which lets someone else see and use a computer.`,
    did: 'We did not let it open. Nothing was sent there.',
    over: 'Yes. You can close this page.',
    now: 'Is someone on the phone telling you what to do? Hang up. You are not being rude, and nothing bad will happen.',
    wrong: 'Do you need this page, and nobody told you to open it? Whoever looks after this computer can allow it on the dashboard.',
    parts: { happened: 'What happened', did: 'What we did', over: 'Is it over?', now: 'What to do now' },
    support: `${brand.support.title}: ${brand.support.email}, ${brand.support.phone}`,
  },
} as const;
