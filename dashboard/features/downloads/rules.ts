import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import type { Platform } from '../../integrations/platform.ts';
import { FormError } from '../../lib/error-text.ts';
import { messages } from './messages.ts';

export interface FreeDownloadForm {
  email: string;
  terms: boolean;
  marketing: boolean;
}

/** 3.16: the address is sent only by who agreed to hear from us. Throws `FormError` with what is missing (5.28). */
export function freeDownloadBody({ email, terms, marketing }: FreeDownloadForm): { email: string | null } {
  const wanted = marketing ? email.trim() : null;
  const problems = {
    ...(terms ? {} : { terms: messages.termsNeeded }),
    ...(wanted === null || looksLikeEmail(wanted) ? {} : { email: messages.emailNeeded }),
  };
  if (Object.keys(problems).length) throw new FormError(problems);
  return { email: wanted };
}

/** 5.30: something, an @, a host with a dot, and no spaces. What else makes an address the server knows. */
function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);
}

/** Which installer is made for this computer; null: none. */
export function installerFor(platform: Platform | undefined): InstallerPlatform | null {
  if (platform?.kind === 'Windows') return 'windows';
  if (platform?.kind === 'macOS') return 'macos';
  return platform?.description === 'Linux' ? 'linux' : null;
}

/** The installers that are worth showing on this computer, its own first. A package for Linux is of use only there. */
export function shownTo(own: InstallerPlatform | null): InstallerPlatform[] {
  if (own === 'linux') return ['linux', 'windows', 'macos'];
  return own === 'macos' ? ['macos', 'windows'] : ['windows', 'macos'];
}

/** Its installer is missing, and someone might wait for it. On Linux the page says itself that it is not compatible (8.19). */
export function lacks(items: InstallerPlatform[], own: InstallerPlatform | null): boolean {
  return own !== null && own !== 'linux' && !items.includes(own);
}
