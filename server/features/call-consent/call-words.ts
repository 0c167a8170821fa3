import { brand } from '@porchlight/contract/brand.ts';
import type { CallScript } from '../../notifications/calls/call-script.ts';

const onlyThis = 'We never ask for money, passwords or codes.';
const spoken = (...say: string[]): CallScript => ({ say, keys: false });

/** `asker`: the first name of who asked for the call; null: the listener. */
const opening = (asker: string | null) =>
  asker === null
    ? [`Hello. This is ${brand.name}.`, 'You asked us to call you on this number.']
    : [`Hello. This is ${brand.name}.`, `${asker} asked us to call you.`];

/** What the user of a computer hears, who is asked whether we may call after a stop (P11.1). */
export const consentCall = {
  question: (asker: string | null): CallScript => ({
    say: [
      ...opening(asker),
      'If we stop a scammer on your computer and nobody answers us, may we call you here?',
      'To say yes, press 1.',
      'If you never want a call from us, press 9.',
      onlyThis,
    ],
    keys: true,
  }),
  voicemail: (asker: string | null): CallScript =>
    spoken(
      ...opening(asker),
      'We wanted to ask: if we stop a scammer on your computer and nobody answers us, may we call you here?',
      'Nothing has changed, and there is nothing to do.',
      'Goodbye.',
    ),
  agreed: spoken(
    'Thank you.',
    'We call this number only if we stop a scammer on your computer and nobody answers us.',
    `${onlyThis} Goodbye.`,
  ),
  unchanged: spoken('Nothing has changed.', 'Goodbye.'),
  refused: spoken('We will never call or text this number again.', 'We are sorry that we disturbed you.', 'Goodbye.'),
};
