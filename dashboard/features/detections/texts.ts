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
  wait: 'Please wait...',
  listLabel: 'Recent alerts',
} as const;
