import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Incident, Incidents } from '../../ports.ts';

const shown = 24 * 3_600_000;

export function incidentLog(): Incidents {
  const open = new Map<string, Incident>();
  let newest: Incident | null = null;
  let opened = Number.NEGATIVE_INFINITY;
  const current = (now: Date) => (newest && now.getTime() - newest.last.getTime() < shown ? newest : null);
  const all = () => new Set(newest ? [newest, ...open.values()] : []);
  /** Whether `time` is within the last ten minutes; a time in the future means that the clock was set back. */
  const within = (time: number, now: Date) => now.getTime() >= time && now.getTime() - time < serverLimits.alert_grouping;
  return {
    add(happened, now) {
      const { match, kind, blocked } = happened;
      for (const [old, { first }] of open) if (!within(first.getTime(), now)) open.delete(old);
      const key = `${kind} ${match.identifier}`;
      const formerIncident = open.get(key);
      // A program that is no longer stopped is a new alert; other repeats belong to the earlier alert.
      const isRepeat = formerIncident?.detection?.device === happened.detection?.device && !(formerIncident?.blocked && !blocked);
      const alert = formerIncident && isRepeat ? formerIncident : { detection: happened.detection, notified: null };
      const { detection, notified } = alert;
      const incident = {
        ...happened,
        detection,
        notified,
        first: formerIncident?.first ?? now,
        last: now,
        times: (formerIncident?.times ?? 0) + 1,
      };
      open.set(key, incident);
      if (kind === 'program') {
        newest = incident;
        return !formerIncident || (formerIncident.blocked && !blocked);
      }
      // One page opens many sites: sites open the window once, and do not replace a recent program.
      if (newest?.kind === 'program' && within(newest.last.getTime(), now)) return false;
      newest = incident;
      if (within(opened, now)) return false;
      opened = now.getTime();
      return true;
    },
    current,
    forget() {
      open.clear();
      newest = null;
    },
    asks(now, device) {
      const incident = current(now);
      const open = !incident?.notified || incident.notified.some(({ state }) => state === 'waiting');
      return incident?.detection && incident.detection.device === device && open ? [incident.detection.uuid] : [];
    },
    addAnswers(notified) {
      for (const { detection, people } of notified)
        for (const incident of all()) if (incident.detection?.uuid === detection) incident.notified = people;
    },
    noteStart(identifier, state) {
      for (const incident of all()) if (incident.start && incident.match.identifier === identifier) incident.start = state;
    },
  };
}
