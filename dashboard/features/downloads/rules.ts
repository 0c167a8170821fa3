import { FormError } from '../../lib/error-text.ts';
import { t } from './texts.ts';

export interface FreeDownloadForm {
  email: string;
  terms: boolean;
  marketing: boolean;
}

/** 3.16: the address is sent only by who agreed to hear from us. Throws `FormError` with what is missing (5.28). */
export function freeDownloadBody({ email, terms, marketing }: FreeDownloadForm): { email: string | null } {
  const wanted = marketing ? email.trim() : null;
  const problems = {
    ...(terms ? {} : { terms: t.termsNeeded }),
    ...(wanted === null || looksLikeEmail(wanted) ? {} : { email: t.emailNeeded }),
  };
  if (Object.keys(problems).length) throw new FormError(problems);
  return { email: wanted };
}

/** 5.30: something, an @, a host with a dot, and no spaces. What else makes an address the server knows. */
function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);
}
