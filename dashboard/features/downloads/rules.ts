import { FormError } from '../../lib/error-text.ts';
import { messages } from './messages.ts';

export interface FreeDownloadForm {
  email: string;
  terms: boolean;
  marketing: boolean;
}

/** 3.16: sends the address only with consent to updates. Throws `FormError` for missing fields (5.28). */
export function freeDownloadBody({ email, terms, marketing }: FreeDownloadForm): { email: string | null } {
  const updatesEmail = marketing ? email.trim() : null;
  const problems = {
    ...(terms ? {} : { terms: messages.termsNeeded }),
    ...(updatesEmail === null || looksLikeEmail(updatesEmail) ? {} : { email: messages.emailNeeded }),
  };
  if (Object.keys(problems).length) throw new FormError(problems);
  return { email: updatesEmail };
}

/** 5.30: something, an @, a host with a dot, and no spaces. The server validates the rest. */
function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);
}
