import { suspicious_after } from '@porchlight/contract/incident-events.ts';
import type { PolicyAction } from '@porchlight/contract/shapes.ts';
import { hour } from '@porchlight/contract/time.ts';
import type { RecentPermission } from '../../incident-ports.ts';
import { after } from '../../lib/clock.ts';

/** Until when a start waits for a yes, and until when it is reported (P9.1). Null: no longer, or not at all. */
export interface Restriction {
  asks_until: Date | null;
  reported_until: Date | null;
}

export interface DeviceRestrictions {
  /** By the id of the allow-list entry. */
  exceptions: Map<string, Restriction>;
  /** For what a weaker profile lets run. */
  profile: Restriction;
}

/** `permissions`: at the device, the oldest first. `asks`: the account has, or within 7 days had, an active guardian. */
export function restrictionsOf(permissions: RecentPermission[], asks: boolean, now: Date): DeviceRestrictions {
  const ifLater = (time: Date) => (time > now ? time : null);
  const restrictionSince = (time: Date | undefined): Restriction => ({
    asks_until: time && asks ? ifLater(after(time, hour)) : null,
    reported_until: time ? ifLater(after(time, suspicious_after)) : null,
  });
  const exceptions = permissions.flatMap(({ exception, time }) =>
    exception === null ? [] : [[exception, restrictionSince(time)] as const],
  );
  return { exceptions: new Map(exceptions), profile: restrictionSince(permissions.findLast(({ kind }) => kind !== 'allowed')?.time) };
}

/**
 * What let a program start within the last hour, so that it waits for a yes. `exception`: the id of the program's allow-list entry. `action`:
 * what the profile does with remote control.
 */
export function waitingFor(
  permissions: RecentPermission[],
  restrictions: DeviceRestrictions,
  { action, exception }: { action: PolicyAction; exception: string | null },
): RecentPermission[] {
  const isWaiting = (id: string) => restrictions.exceptions.get(id)?.asks_until !== null;
  return permissions.filter((one) =>
    one.kind === 'allowed'
      ? exception !== null && one.exception === exception && isWaiting(exception)
      : action !== 'block' && restrictions.profile.asks_until !== null,
  );
}
