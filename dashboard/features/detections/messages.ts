import type { Category } from '@porchlight/contract/shapes.ts';

export const messages = {
  parts: { happened: 'What happened', did: 'What we did', over: 'Is it over?', now: 'What to do now' },
  blocked: (name: string) => `${name} was blocked`,
  notBlocked: (name: string) => `Not blocked: ${name}`,
  looksLike: (name: string) => `What looks like ${name}`,
  category: { RemoteControl: 'Remote control', DeceptiveUtility: 'Deceptive program', ScamWebsite: 'Scam website' } satisfies Record<
    Category,
    string
  >,
  none: 'No recent alerts',
  noneLead: 'When we stop something on this device, it shows up here.',
  times: (n: number, lastTime: string) => `${n} times, last ${lastTime}`,
  seen: 'What was seen',
  /** For a visit on the day that the row already shows. */
  seenBy: (name: string, time: string) => `${name} saw this at ${time}`,
  seenOn: (name: string, when: string) => `${name} saw this ${when}`,
  you: 'you',
  by: { mail: 'by email', sms: 'by text', push: 'by notification' },
  wait: 'Please wait...',
  listLabel: 'Recent alerts',
  noneOfAll: 'When we stop something on one of your computers, it shows up here.',
  gone: 'We could not find that alert. It may have been erased together with its device.',
  on: (actionText: string, device: string) => `${actionText} on ${device}`,
  pages: { label: 'Pages', newer: 'Newer alerts', older: 'Older alerts', page: (n: number) => `Page ${n}` },
  beforeAnswer: 'Is someone on the phone telling you what to press? Hang up first.',
  answer: { mine: 'It was me', sorted: 'This is sorted' },
  /** `by`: null for the reader's own answer. */
  answers: {
    mine: (by: string | null, when: string) => `${by ?? 'You'} said: “It was me,” ${when}`,
    sorted: (by: string | null, when: string) => `${by ?? 'You'} said this is sorted, ${when}`,
  },
  print: 'Print',
  wrong: 'This was wrong',
  openSite: (site: string, device: string) => `Open ${site} on ${device}`,
  thanks: {
    opened: (site: string, device: string) => `${site} opens on ${device} now. To block it again, take it off the Allow List.`,
    answered: 'Thank you. Everyone who can see this alert can read your answer.',
    wrong: 'Thank you for telling us. We will look at what we recognized. Nothing about you was sent.',
  },
  report: {
    heading: (brand: string) => `Alert report from ${brand}`,
    what: 'What it was',
    device: 'Computer',
    time: 'When',
    last: 'Last time',
    stopped: 'Stopped',
    yes: 'Yes',
    no: 'No',
    number: 'Alert number',
  },
  history: {
    heading: 'Alert History',
    lead: 'All alerts from all your computers, newest first.',
    noPlan: 'Your plan has ended, and the free plan still protects your computers. You can read and answer your alerts here.',
    plans: 'See the plans',
    back: 'Back to dashboard',
  },
  ofAll: 'Alerts from all computers',
  incident: 'See what else happened, and what to do',
} as const;
