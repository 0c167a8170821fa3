import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Incident, Incidents } from '../../ports.ts';

const shown = 24 * 3_600_000;

export function incidentLog(): Incidents {
  const open = new Map<string, Incident>();
  let newest: Incident | null = null;
  /** When the screen was opened for a site. */
  let opened = Number.NEGATIVE_INFINITY;
  const current = (now: Date) => (newest && now.getTime() - newest.last.getTime() < shown ? newest : null);
  /** What lies ahead was told by a clock that was set back since, and is over. */
  const within = (time: number, now: Date) => now.getTime() >= time && now.getTime() - time < serverLimits.alert_grouping;
  return {
    add(happened, now) {
      const { match, kind, blocked } = happened;
      for (const [old, { first }] of open) if (!within(first.getTime(), now)) open.delete(old);
      const key = `${kind} ${match.identifier}`;
      const before = open.get(key);
      // What was stopped before and is not any more is told anew; all else is counted into what was told already.
      const counted = before?.detection?.device === happened.detection?.device && !(before?.blocked && !blocked);
      const same = before && counted ? before : { detection: happened.detection, told: null };
      const { detection, told } = same;
      const incident = { ...happened, detection, told, first: before?.first ?? now, last: now, times: (before?.times ?? 0) + 1 };
      open.set(key, incident);
      if (kind === 'program') {
        newest = incident;
        return !before || (before.blocked && !blocked);
      }
      // One page names many sites: a program that was just told of stays on the screen, and many sites open it once.
      if (newest?.kind === 'program' && within(newest.last.getTime(), now)) return false;
      newest = incident;
      if (within(opened, now)) return false;
      opened = now.getTime();
      return true;
    },
    current,
    asks(now, device) {
      const incident = current(now);
      const open = !incident?.told || incident.told.some(({ state }) => state === 'waiting');
      return incident?.detection && incident.detection.device === device && open ? [incident.detection.uuid] : [];
    },
    heard(told) {
      const all = new Set(newest ? [newest, ...open.values()] : []);
      for (const { detection, people } of told) for (const one of all) if (one.detection?.uuid === detection) one.told = people;
    },
  };
}
