import type { WeekFacts } from '../notifications/render/weekly.ts';

/** A week in which nothing happened, at one computer that is on. */
export const quietWeek = (now: Date): WeekFacts => ({
  ...{
    alerts: [],
    opened_sites: [],
    new_programs: 0,
    programs_since: null,
    found: 0,
    incident: false,
    requests: 0,
    changes: 0,
    was_silent: false,
  },
  ...{ undelivered: [], definitions_from: now, had_report: true, happenings: [], time_zone: 'America/New_York' },
  devices: [{ name: 'Den PC', last_seen: now, outage: null, limitations: [] }],
});
