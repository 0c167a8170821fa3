import { Declined } from '../lib/error-text.ts';

type Step = 'create' | 'answer';

const declinedWords = {
  create: 'No passkey was made, and nothing has changed.',
  answer: 'No passkey was used. Try again, or use another way.',
} as const;

const failedWords = {
  create: 'This device could not make a passkey. Try it on your phone, or use an authenticator app.',
  answer: 'This device could not use a passkey. Use another way.',
} as const;

const alreadyHereWords = 'This device already has a passkey for your account.';

/**
 * In words, by the error's name in WebAuthn. `NotAllowedError` means that the user closed the browser's dialog, waited too long, or has no
 * passkey on this device; browsers do not say which.
 */
export function passkeyError(error: unknown, step: Step): Error {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return new Declined(declinedWords[step]);
  if (name === 'InvalidStateError' && step === 'create') return new Declined(alreadyHereWords);
  return new Error(failedWords[step], { cause: error });
}
