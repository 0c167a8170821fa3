import type { PolicyAction } from '@porchlight/contract/shapes.ts';
import { hour } from '@porchlight/contract/time.ts';
import { after } from '../../lib/clock.ts';
import { suspicious_after } from './opening.ts';

/** An activity that lets remote control run, without a yes. */
export interface FreedFact {
  /** The id of its activity-log entry. */
  entry: string;
  kind: 'allowed' | 'profile_chosen' | 'profile_changed';
  /** Null: every device that has the profile. */
  device: string | null;
  /** The program's name. */
  what: string | null;
  /** The id of the allow-list entry. */
  exception: string | null;
  time: Date;
}

/** Until when a start waits for a yes, and until when it is reported (P9.1). Null: no longer, or not at all. */
export interface Caution {
  asks_until: Date | null;
  reported_until: Date | null;
}

export interface DeviceCaution {
  /** By the id of the allow-list entry. */
  exceptions: Map<string, Caution>;
  /** For what a weaker profile lets run. */
  profile: Caution;
}

/** `freed`: at the device, the oldest first. `asks`: the account has, or within 7 days had, an active guardian. */
export function cautionOf(freed: FreedFact[], asks: boolean, now: Date): DeviceCaution {
  const ifLater = (time: Date) => (time > now ? time : null);
  const cautionSince = (time: Date | undefined): Caution => ({
    asks_until: time && asks ? ifLater(after(time, hour)) : null,
    reported_until: time ? ifLater(after(time, suspicious_after)) : null,
  });
  const exceptions = freed.flatMap(({ exception, time }) => (exception === null ? [] : [[exception, cautionSince(time)] as const]));
  return { exceptions: new Map(exceptions), profile: cautionSince(freed.findLast(({ kind }) => kind !== 'allowed')?.time) };
}

/**
 * What let a program start within the last hour, so that it waits for a yes. `exception`: the id of the program's allow-list entry. `action`:
 * what the profile does with remote control.
 */
export function waitingFor(
  freed: FreedFact[],
  caution: DeviceCaution,
  { action, exception }: { action: PolicyAction; exception: string | null },
): FreedFact[] {
  const isWaiting = (id: string) => caution.exceptions.get(id)?.asks_until !== null;
  return freed.filter((one) =>
    one.kind === 'allowed'
      ? exception !== null && one.exception === exception && isWaiting(exception)
      : action !== 'block' && caution.profile.asks_until !== null,
  );
}
