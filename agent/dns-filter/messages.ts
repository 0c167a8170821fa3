import { notRude } from '@porchlight/contract/advice.ts';
import { brand } from '@porchlight/contract/brand.ts';

export const dnsMessages = {
  byHand:
    'Websites are not blocked, because Porchlight was started by hand and leaves the internet settings of this computer alone. With --system it blocks them.',
  notAdministrator: (command: string) =>
    `Scam websites are not blocked, because only an administrator may change how this computer looks up websites. To block them, run “${command}” instead.`,
  listening: (address: string) => `The DNS server is at ${address}.`,
  pointed: 'Scam sites are blocked: this computer now looks up websites through Porchlight.',
  passedBy:
    'Scam sites are not blocked right now: another setting of this computer looks up websites past Porchlight. Porchlight keeps trying. If this stays, restart the computer.',
  taken: (address: string, why: string) =>
    `Another program is already using ${address} (${why}), so only the best-known dangerous sites are blocked, in the hosts file.`,
  takenByHand: (address: string, why: string) => `${address} is already in use (${why}). Websites are not blocked.`,
  overruled: 'another setting of this computer overrides it',
  notAllowed: (why: string) => `The internet settings of this computer could not be changed (${why}). Websites are not blocked.`,
  failing:
    'The part of Porchlight that blocks websites keeps stopping. Internet settings are back to normal, and scam sites are not blocked right now.',
  resolverAway: (name: string) => `${name} cannot be reached, so names are looked up in your network’s usual way.`,
  restored: (works: boolean) =>
    works
      ? 'Internet settings are back to normal.'
      : 'Internet settings are back to normal, but no website could be found. Is this computer connected?',
  moneyPage: {
    title: 'Money pages are resting',
    hangUp: 'If someone on the phone wants you to open this, hang up.',
    parts: [
      ['What happened', 'Someone may have control of this computer, or we stopped something here a short while ago.'],
      ['What we did', 'Until someone says it’s all right, pages of banks, exchanges and gift cards don’t open on this computer.'],
      [
        'What to do now',
        `Call the people who look out for you. One tap from them opens money pages again. To reach your bank, call the number on your card. ${notRude}`,
      ],
    ] as const,
    wrong: 'Is this page not about money? The account owner can let it open at all times, on the dashboard under Protection Profiles.',
  },
  /** A name that looks like another’s (P16.2), or with null a site that was just registered (P16.3). */
  pausedPage: {
    title: (brand: string | null) =>
      brand === null ? 'This site is only a few days old' : `This isn’t really ${brand}, as far as we can tell`,
    first: 'You can close this page.',
    parts: (brand: string | null) =>
      [
        [
          'What happened',
          brand === null
            ? 'Something on this computer tried to open a site that was made within the last 14 days, as scam sites often are.'
            : `Something on this computer tried to open a page whose name looks like ${brand}. It is none of the sites of ${brand} that we know.`,
        ],
        ['What we did', 'We kept it from opening. Nothing was sent there.'],
        ['What to do now', `If someone on the phone or a message told you to open it, hang up, or delete the message. ${notRude}`],
      ] as const,
    wrong: 'Do you know this page? You can open it for an hour in the Porchlight window on this computer.',
  },
  page: {
    title: 'We blocked this page',
    safe: 'You can close this page.',
    hangUp: 'Hang up the phone.',
    happened: (site: string) => `Something on this computer tried to open ${site}.`,
    listed: 'It is on a list of sites made to steal money or passwords.',
    family: (name: string) => `It belongs to ${name}, which lets someone else see and use a computer.`,
    did: 'We kept it from opening. Nothing was sent there.',
    over: 'Yes, if nobody is on the phone with you. You can close this page.',
    notOver: 'Not while someone is on the phone with you. Hang up first. Then close this page.',
    now: `If someone on the phone is telling you what to do, hang up. ${notRude}`,
    wrong:
      'Do you need this page, and nobody told you to open it? The account owner can open it from its alert on the dashboard. Without an account, write to us.',
    parts: { happened: 'What happened', did: 'What we did', over: 'Is it over?', now: 'What to do now' },
    support: `${brand.support.title}: ${brand.support.email}, ${brand.support.phone}`,
  },
} as const;
