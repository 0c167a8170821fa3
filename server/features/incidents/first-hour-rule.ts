import { after } from '../../lib/clock.ts';
import { suspicious_after } from './opening.ts';

const hour = 3_600_000;

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

export const freedHere = (freed: FreedFact[], device: string): FreedFact[] =>
  freed.filter((one) => one.device === null || one.device === device);

/** `freed`: of the account, the oldest first. `asks`: the account has, or within 7 days had, an active guardian. */
export function cautionOf(freed: FreedFact[], device: string, asks: boolean, now: Date): DeviceCaution {
  const ifLater = (time: Date) => (time > now ? time : null);
  const cautionSince = (time: Date | undefined): Caution => ({
    asks_until: time && asks ? ifLater(after(time, hour)) : null,
    reported_until: time ? ifLater(after(time, suspicious_after)) : null,
  });
  const here = freedHere(freed, device);
  const exceptions = here.flatMap(({ exception, time }) => (exception === null ? [] : [[exception, cautionSince(time)] as const]));
  return { exceptions: new Map(exceptions), profile: cautionSince(here.findLast(({ kind }) => kind !== 'allowed')?.time) };
}
