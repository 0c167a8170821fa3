import { limits } from '@porchlight/contract/limits.ts';

/** The two rules for a new password, live (2.104, 5.1). */
export function passwordRules(password: string, again: string): { long: boolean; same: boolean } {
  return { long: password.length >= limits.password_min, same: password.length > 0 && password === again };
}

/** `ann@example.org` → `a••@example.org`: enough to recognise, not enough to read over a shoulder (P2.3). */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? email : `${email[0]}${'•'.repeat(Math.max(2, at - 1))}${email.slice(at)}`;
}
