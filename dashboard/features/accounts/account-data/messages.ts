import { brand } from '@porchlight/contract/brand.ts';
import { config } from '../../../lib/config.ts';

/** FEATURE_GUARDIANS: without guardians only the holder is notified. */
const has = config.features.guardians;

export const messages = {
  download: {
    heading: 'Download your data',
    lead: 'Everything we store about your account, in one file.',
    inIt: 'In it:',
    contents: [
      'your name, email address, phone number and settings',
      'your devices, and what we found on them',
      'when we sent messages, and what changed in your account',
      ...(has ? ['your guardians, and what they answered'] : []),
    ],
    notInIt: `Not in it: passwords, PINs, codes and keys${has ? ', and what your guardians entered for themselves' : ''}.`,
    page: 'A page to read',
    json: 'A file for programs',
    logged: `We email you about each download${has ? ', and your guardians too' : ''}.`,
    which: 'The page opens in any browser. Of very long lists it shows the newest entries. The file for programs has all of them.',
    warning: `Store it where only you can open it. Nobody from ${brand.name} will ever ask you for it. If someone does, hang up.`,
    ask: {
      heading: 'Download your data',
      body: 'Before we give out your data, we make sure that it is you.',
      confirm: 'Download',
    },
    done: (file: string) => `We saved ${file}. You find it in your downloads.`,
  },
  deletion: {
    heading: 'Delete the account',
    lead: 'This is what happens:',
    what: [
      `For 7 days nothing changes, and one press keeps the account: on any page here, or in the email we send you.${has ? ' We let your guardians know too.' : ''}`,
      `Then we delete your devices, alerts${has ? ', guardians' : ''}, and everything else we store about you. Nobody can bring that back.`,
      'Your computers fall back to the free protection: it blocks remote-control programs, and only people at the computer know.',
      ...(has ? ['Your guardians get no more alerts.'] : []),
      'If you have a plan, it ends with the account, and nothing more is charged. A payment that is due before that day is still charged. What you have paid is not refunded automatically.',
    ],
    backups: 'Backups of our database have your account a little longer, until newer ones replace them.',
    privacy: 'Our privacy policy says how long.',
    scam: 'Did someone else tell you to do this? It could be a scam. Contact support first.',
    button: 'Delete the account',
    ask: {
      heading: 'Delete the account?',
      body: 'Before we do that, we make sure that it is you. You then have 7 days to change your mind.',
      confirm: 'Delete the account',
    },
  },
  waiting: {
    until: (moment: string) => `Until then everything works as before. You can keep the account until ${moment}, with one press.`,
    due: 'The 7 days are over. Until we have deleted it, one press still keeps it.',
    after: 'After that, nobody can bring it back.',
    notYou: 'You did not ask for this? Keep the account, and choose a new password.',
    newPassword: 'Choose a new password',
  },
  byLink: {
    heading: 'Keep the account',
    lead: 'Someone asked us to delete this account. One press, and it stays, with everything in it.',
    notYou: 'If you did not ask us to delete it, someone may know the password of that account. Log in to it, and choose a new one.',
    newPassword: 'Choose a new password',
    goOn: 'Go to the dashboard',
  },
} as const;
