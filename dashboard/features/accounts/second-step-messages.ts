import { brand } from '@porchlight/contract/brand.ts';

export const messages = {
  heading: 'One more step',
  lead: 'Your password is right. Now show us that it’s you.',
  code: 'Code',
  codeHint: 'From your authenticator app, or a recovery code.',
  passkey: 'Use a passkey',
  lost: 'Lost your phone?',
  lostHelp: [
    'Enter one of the recovery codes that you printed or wrote down. Each works once.',
    'No codes? Use a browser where you’re still logged in: open your profile, then “How you log in”, and remove what you lost.',
    'If nothing works, ask us for help:',
  ],
  never: `Nobody from ${brand.name} will ever ask you for this code. If someone does, hang up.`,
  back: 'Use another email',
} as const;
