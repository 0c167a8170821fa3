import { config } from '../../lib/config.ts';

/** FEATURE_GUARDIANS: without guardians only the holder is notified. */
const has = config.features.guardians;

export const messages = {
  heading: 'What was changed',
  lead: `Changes that lower your protection. We told you ${has ? 'and your guardians ' : ''}about each one. If one wasn’t you, change it back here, choose a new password, and call support.`,
  none: 'Nothing has been changed so far.',
  done: {
    resume: 'We told the computer. It protects again as soon as it’s online.',
    disallow: 'Done. It isn’t allowed anymore. Changes can take up to an hour to reach your computer.',
    profile_back: 'Done. The computer has its old profile again.',
    settings: 'Done. It’s the way it was before.',
    browsing: 'Done. It’s the way it was before. Changes can take up to an hour to reach your computers.',
    unlisted: 'Done. It’s the way it was before. Changes can take up to an hour to reach your computers.',
    ask_first: 'Done. Changes wait for somebody’s yes again.',
    isolation: 'Done. It’s the way it was before.',
    guardian_order: 'Done. It’s the way it was before.',
    remove_guardian: 'Done. They’re no longer a guardian.',
    keep_account: 'Done. The account stays.',
    end_helping: 'Done. The program closes there within seconds, if the computer is online.',
  },
  askRemove: {
    heading: 'Remove Guardian?',
    body: 'They will no longer receive email or text notifications.',
    confirm: 'Remove',
    danger: true,
  },
} as const;
