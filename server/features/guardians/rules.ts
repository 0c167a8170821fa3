import { limits } from '@porchlight/contract/limits.ts';
import { after } from '../../lib/clock.ts';

/** Pending until accepted; an invitation waits 14 days (P5.1). */
export function stateOf(guardian: { invited: Date; accepted: Date | null }, now: Date): 'pending' | 'active' | 'expired' {
  if (guardian.accepted) return 'active';
  return after(guardian.invited, limits.guardian_invitation) <= now ? 'expired' : 'pending';
}
