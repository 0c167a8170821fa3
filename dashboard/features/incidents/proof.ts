import type { MayAnswer } from '@porchlight/contract/may-answer.ts';
import { errorText, FormError } from '../../lib/error-text.ts';
import { HttpError } from '../../lib/http.ts';

/** What the dialog of an answer asks for. */
export type ProofStep = 'confirm' | 'password' | 'code';

/** The dialog's first step (P10.2). */
export function firstStep({ may }: Exclude<MayAnswer, { may: 'no' }>): ProofStep {
  return may === 'yes' ? 'confirm' : may;
}

/** The step that the server asks for instead, if what was known has changed; null for any other error. */
export function nextStep(error: unknown, canReauthenticate: boolean): ProofStep | null {
  if (!(error instanceof HttpError)) return null;
  if (error.code === 'code_needed') return 'code';
  return error.code === 'password_needed' && canReauthenticate ? 'password' : null;
}

/** Puts an error about the password beside its field. */
export const atField = (error: unknown): unknown =>
  error instanceof HttpError && error.code === 'password_wrong' ? new FormError({ password: errorText(error) }) : error;
