import { bankNumber, notRude, screenOff, screenQuestion } from '@porchlight/contract/advice.ts';
import type { PersonAt } from './person-messages.ts';

export interface HelpLine {
  lead: string;
  text: string;
}

/** The four lines for a user who may be talking to a scammer (P9.5), for every screen that has them. `fourth`: who can help. */
export function helpLines(fourth: HelpLine, user?: PersonAt): HelpLine[] {
  const other = user?.kind === 'other' ? user.again : null;
  return [
    other ? { lead: `Get ${other} off the phone`, text: 'Call on the number you know.' } : { lead: 'Hang up', text: notRude },
    { lead: `${screenQuestion} ${screenOff}`, text: 'Then they can’t trick you with what it shows.' },
    { lead: 'Call the bank', text: bankNumber },
    fourth,
  ];
}

/** `names`: the guardians, and `first` is one of them. */
export const fourthLines = {
  sending: { lead: 'We are asking for help', text: 'One moment.' },
  reaching: (names: string, first: string) => ({ lead: `We are trying to reach ${names}`, text: `Don’t wait. Call ${first}, too.` }),
  nobody: { lead: 'Call someone you trust', text: 'We have nobody to write to for you yet.' },
  failed: (first: string | undefined) => ({ lead: `Call ${first ?? 'someone you trust'}`, text: 'Our message didn’t go out.' }),
  unsent: (first: string | undefined) => ({
    lead: `Call ${first ?? 'someone you trust'}`,
    text: 'Say what happened, and ask them to stay with you.',
  }),
  stranger: { lead: 'Call a relative you trust', text: 'Say what happened, and ask them to stay with you.' },
} as const;
