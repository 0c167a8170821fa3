import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Match } from '@porchlight/definitions/format.ts';

/** What the calm screen tells of: the same program within ten minutes is one incident (P4.4). */
export interface Incident {
  match: Match;
  first: Date;
  last: Date;
  times: number;
  blocked: boolean;
  what_to_do: string;
  /** There is a family, and it hears of this. */
  family_told: boolean;
}

export interface Incidents {
  /** Answers whether the screen should be opened: for a new incident, and when one that was stopped is not any more. */
  add(happened: Pick<Incident, 'match' | 'blocked' | 'what_to_do' | 'family_told'>, now: Date): boolean;
  /** The newest, while it is less than a day old. */
  current(now: Date): Incident | null;
}

const shown = 24 * 3_600_000;

export function incidents(): Incidents {
  const open = new Map<string, Incident>();
  let newest: Incident | null = null;
  return {
    add(happened, now) {
      const { match, blocked, family_told } = happened;
      const before = open.get(match.identifier);
      if (before && now.getTime() - before.first.getTime() < serverLimits.alert_grouping) {
        const worse = before.blocked && !blocked;
        newest = { ...before, last: now, times: before.times + 1, blocked, family_told };
        open.set(match.identifier, newest);
        return worse;
      }
      newest = { ...happened, first: now, last: now, times: 1 };
      open.set(match.identifier, newest);
      return true;
    },
    current: (now) => (newest && now.getTime() - newest.last.getTime() < shown ? newest : null),
  };
}
