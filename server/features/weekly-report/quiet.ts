import type { OutageDays } from '@porchlight/contract/alert-settings.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day } from '@porchlight/contract/time.ts';
import type { Happening, WeekFacts } from '../../notifications/render/weekly.ts';

/** A computer that is switched off or asleep is silent only after the days that the holder chose, as for its own email. */
const restful: WeekFacts['devices'][number]['outage'][] = [null, 'switched_off', 'asleep'];

/** Everything that makes a week not quiet (P15.6). Empty: a quiet week. New programs and what a computer cannot do are no event. */
export function happeningsOf(week: Omit<WeekFacts, 'happenings'>, now: Date, notify_after_days: OutageDays): Happening[] {
  const isOlder = (time: Date, ms: number) => now.getTime() - time.getTime() > ms;
  const isSilent = ({ outage, last_seen }: WeekFacts['devices'][number]) =>
    !restful.includes(outage) || isOlder(last_seen, notify_after_days * day);
  const happened: Record<Happening, boolean> = {
    detections: week.alerts.length > 0,
    opened_sites: week.opened_sites.length > 0,
    undelivered: week.undelivered.length > 0,
    old_definitions: week.definitions_from !== null && isOlder(week.definitions_from, serverLimits.definitions_old),
    incident: week.incident,
    silent: week.was_silent || week.devices.some(isSilent),
    scan: week.found > 0,
    requests: week.requests > 0,
    changes: week.changes > 0,
  };
  return (Object.keys(happened) as Happening[]).filter((happening) => happened[happening]);
}
