import { config } from '../../lib/config.ts';

/** FEATURE_GUARDIANS: without guardians only the holder is notified. */
const has = config.features.guardians;

export const messages = {
  heading: 'Practice',
  lead: `A practice alert goes to you${has ? ' and every guardian' : ''}, the way a real one does. It says that it is only practice.`,
  button: 'Send a practice alert',
  ask: {
    heading: 'Send a practice alert?',
    body: `You ${has ? 'and each guardian who accepted ' : ''}get an email, and a text where texts are on. It says that nothing happened.`,
    confirm: 'Send it',
  },
  sent: (when: string) => `Sent ${when}`,
  reached: 'Who was reached',
  you: 'You',
  by: { mail: 'by email', sms: 'by text', push: 'by notification' },
  states: { waiting: 'On its way', sent: 'Arrived', failed: 'Not reached' },
  all: 'Everyone was reached.',
  some: (n: number) => `${n} of these did not arrive. Look below what to do.`,
} as const;
