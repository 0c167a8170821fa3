import { brand } from '@porchlight/contract/brand.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';

/** The site that passkeys are for: browsers answer with them nowhere else. */
export interface PasskeySite {
  id: string;
  origin: string;
  name: string;
  timeout_ms: number;
}

export function passkeySite(public_url: string): PasskeySite {
  const { hostname, origin } = new URL(public_url);
  return { id: hostname, origin, name: brand.name, timeout_ms: serverLimits.passkey_question_life };
}

/** WebAuthn's user handle. It is not an address or a name, since authenticators show it to anybody who has them. */
export const userHandleOf = (account: string) => Buffer.from(account.replaceAll('-', ''), 'hex');
