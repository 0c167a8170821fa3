import type { Guardian, GuardianState } from '@porchlight/contract/guardians.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { after } from '../../lib/clock.ts';

/** Invitations expire after 14 days (P5.1). */
export function stateOf(
  guardian: { invited: Date; accepted: Date | null; declined: Date | null; left_at: Date | null },
  now: Date,
): GuardianState {
  if (guardian.accepted) return 'active';
  if (guardian.left_at) return 'left';
  if (guardian.declined) return 'declined';
  return after(guardian.invited, serverLimits.guardian_invitation) <= now ? 'expired' : 'pending';
}

interface Phone {
  sms: boolean;
  phone_number: string | null;
  phone_number_verified: boolean;
}

/** The verified phone number for text messages (E.164); null if unverified or switched off. */
export function phoneOf({ sms, phone_number, phone_number_verified }: Phone): string | null {
  return sms && phone_number_verified ? phone_number : null;
}

/** Whether text messages reach a guardian, as the holder sees it. `optedOut`: numbers that opted out. */
export function textsOf(phone: Phone, optedOut: Set<string>): Guardian['texts'] {
  if (!phone.sms || phone.phone_number === null || optedOut.has(phone.phone_number)) return 'off';
  return phone.phone_number_verified ? 'on' : 'unverified';
}

/** A phone number as other people see it: `••••43`. */
export function maskedPhone(number: string): string {
  return `••••${number.slice(-2)}`;
}

/**
 * Whether a new choice of `may_isolate` takes from a guardian what they can do now (P10.6). `someone_elses`: the account has a computer of
 * someone else than the holder, where null lets them cut the internet.
 */
export function takesIsolationAway(before: boolean | null, after: boolean | null, someone_elses: boolean): boolean {
  return before === true ? after !== true : before === null && after === false && someone_elses;
}

/** The guardians of `order` first, and then the others in the order that they had. Unknown ids are left out. */
export function orderOf<Guardian extends { uuid: string }>(guardians: Guardian[], order: string[]): Guardian[] {
  const first = order.flatMap((uuid) => guardians.find((guardian) => guardian.uuid === uuid) ?? []);
  return [...first, ...guardians.filter((guardian) => !first.includes(guardian))];
}
