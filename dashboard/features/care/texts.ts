import { config } from '../../lib/config.ts';

/** FEATURE_GUARDIANS: without them nobody is told but the holder. */
const has = config.features.guardians;

/** The words of the page about alerts. */
export const t = {
  back: has ? 'Back to guardians' : 'Back to my profile',
  heading: 'Alerts',
  lead: `How you ${has ? 'and your guardians ' : ''}are told, and what was changed.`,
  drill: {
    heading: 'Practice',
    lead: `A practice alert goes to you${has ? ' and every guardian' : ''}, the way a real one does. It says that it is only practice.`,
    button: 'Send a practice alert',
    ask: {
      heading: 'Send a practice alert?',
      body: `You ${has ? 'and each guardian who accepted ' : ''}get a mail, and a text where texts are on. It says that nothing happened.`,
      confirm: 'Send it',
    },
    sent: (when: string) => `Sent ${when}`,
    reached: 'Who was reached',
    you: 'You',
    by: { mail: 'by mail', sms: 'by text' },
    states: { waiting: 'On its way', sent: 'Arrived', failed: 'Not reached' },
    all: 'Everyone was reached.',
    some: (n: number) => `${n} of these did not arrive. Look below what to do.`,
  },
  settings: {
    heading: 'How you are told',
    ways: 'Tell me',
    mail: 'By email',
    sms: `By text message${config.features.phone_verification ? ', where my phone number is confirmed' : ''}`,
    weekly: 'Every Sunday, a short mail that says how the week was',
    days: `Tell me ${has ? 'and my guardians ' : ''}when a device says nothing for`,
    day: { 1: '1 day', 3: '3 days', 7: '7 days' },
    dayHint: 'A computer that is switched off says so. We tell you which of the two it is.',
    save: 'Save',
    saved: 'Your alert settings have been saved.',
    keepOne: 'Keep at least one on, emails or texts, so that we can reach you.',
  },
  acts: {
    heading: 'What was changed',
    lead: `Changes that lower your protection. We told you ${has ? 'and your guardians ' : ''}about each one. If one wasn’t you, change it back here, choose a new password, and call support.`,
    none: 'Nothing has been changed so far.',
    done: {
      resume: 'We told the computer. It protects again as soon as it’s online.',
      disallow: 'Done. It isn’t allowed anymore. Changes can take up to an hour to reach your computer.',
      profile_back: 'Done. The computer has its old profile again.',
      settings: 'Done. It’s the way it was before.',
      remove_guardian: 'Done. They’re no longer a guardian.',
    },
    askRemove: {
      heading: 'Remove Guardian?',
      body: 'They will no longer receive email or text notifications.',
      confirm: 'Remove',
      danger: true,
    },
  },
} as const;
