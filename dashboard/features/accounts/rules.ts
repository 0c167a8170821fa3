import type { Profile } from '@porchlight/contract/accounts.ts';
import type { DashboardConfig } from '@porchlight/contract/dashboard-config.ts';
import { limits } from '@porchlight/contract/limits.ts';

/** The two rules for a new password (2.104, 5.1). */
export function passwordRules(password: string, repeatedPassword: string): { long: boolean; same: boolean } {
  return { long: password.length >= limits.password_min, same: password.length > 0 && password === repeatedPassword };
}

/** `ann@example.org` → `a••@example.org`: recognisable, but not readable over a shoulder (P2.3). */
export function maskEmail(email: string): string {
  const atIndex = email.lastIndexOf('@');
  return atIndex < 1 ? email : `${email[0]}${'•'.repeat(Math.max(2, atIndex - 1))}${email.slice(atIndex)}`;
}

/** 4.24: the feature is on (which needs text messages), and the account has an unverified number. */
export function phoneNumberRequiresVerification(
  { phone_number, phone_number_verified }: Pick<Profile, 'phone_number' | 'phone_number_verified'>,
  { sms, phone_verification }: Pick<DashboardConfig['features'], 'sms' | 'phone_verification'>,
): boolean {
  return sms && phone_verification && Boolean(phone_number) && !phone_number_verified;
}
