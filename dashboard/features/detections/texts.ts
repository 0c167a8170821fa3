import type { Category } from '@porchlight/contract/shapes.ts';

export const t = {
  parts: { happened: 'What happened', did: 'What we did', over: 'Is it over?', now: 'What to do now' },
  blocked: (name: string) => `${name} was blocked`,
  notBlocked: (name: string) => `Not blocked: ${name}`,
  looksLike: (name: string) => `What looks like ${name}`,
  category: { RemoteControl: 'Remote control', DeceptiveUtility: 'Deceptive program', ScamWebsite: 'Scam website' } satisfies Record<
    Category,
    string
  >,
  none: 'No recent alerts',
  noneLead: 'When we stop something on this device, it stands here.',
  times: (n: number, last: string) => `${n} times, last ${last}`,
  seen: 'What was seen',
  /** The day stands in the row already, unless it was another one. */
  seenBy: (name: string, time: string) => `${name} saw this at ${time}`,
  seenOn: (name: string, when: string) => `${name} saw this ${when}`,
  told: 'Told',
  nobodyTold: 'Nobody was told.',
  you: 'you',
  by: { mail: 'by mail', sms: 'by text' },
  notArrived: (name: string, by: string, reason: string) => `${name} could not be told ${by}. ${reason}`,
  waiting: (name: string, by: string) => `${name} ${name === 'you' ? 'are' : 'is'} being told ${by}.`,
  wait: 'Please wait...',
  listLabel: 'Recent alerts',
} as const;
