import type { Guardian, GuardianState } from '@porchlight/contract/guardians.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { after } from '../../lib/clock.ts';

/** Where a guardian stands: pending until accepted, and an invitation waits 14 days (P5.1). */
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

/** Where texts go, E.164; null where none is proved or they are not wanted. */
export function phoneOf({ sms, phone_number, phone_number_verified }: Phone): string | null {
  return sms && phone_number_verified ? phone_number : null;
}

/** What the holder is told of it. `silent`: the numbers that opted out. */
export function textsOf(phone: Phone, silent: Set<string>): Guardian['texts'] {
  if (!phone.sms || phone.phone_number === null || silent.has(phone.phone_number)) return 'off';
  return phone.phone_number_verified ? 'on' : 'unverified';
}

/** A phone number as someone else sees it: `••••43`. */
export function maskedPhone(number: string): string {
  return `••••${number.slice(-2)}`;
}
