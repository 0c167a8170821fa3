import { config } from '../../lib/config.ts';

export const messages = {
  hello: (part: string, name: string) => `Good ${part}, ${name}`,
  signedIn: (email: string) => `Signed in as ${email}`,
  safe: 'Is everyone safe?',
  seeWhat: 'See what happened',
  seenBy: (name: string, time: string) => `${name} saw this at ${time}`,
  subscribe: 'Subscribe',
  subscribeLead: 'With a plan you protect yourself, friends and family.',
  profileCard: {
    heading: 'Your profile',
    lead: config.features.guardians ? 'Your name, email and guardians.' : 'Your name and email.',
    link: 'Profile',
  },
  guardiansCard: {
    heading: 'Guardians',
    none: 'Nobody yet. We’ll alert a guardian when something happens.',
    some: (names: string) => `We write to ${names} when something happens.`,
    unreached: (names: string) => `We can’t reach ${names} now.`,
    waiting: 'Your guardians have not accepted the invitation yet.',
    link: 'Guardians',
  },
  alertsCard: { heading: 'Alerts', lead: 'Send a practice alert, choose how we reach you, and see what changed.', link: 'Alerts' },
  supportCard: { lead: 'We never ask you for anything. We call only after a stop, and only if you agreed to it.' },
} as const;
