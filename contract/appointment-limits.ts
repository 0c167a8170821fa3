import { hour, minute } from './time.ts';

/** Limits of appointments (P15.1), apart from `appointments.ts` because the dashboard needs them. */
export const appointmentLimits = {
  minutes: [15, 30, 60, 120],
  /** Appointments of a device in 24 hours, and their minutes together; a further one waits for a yes. */
  per_day: 2,
  minutes_per_day: 120,
  /** Minutes, while an incident is open: as long as any yes (P10.1). */
  minutes_in_incident: 60,
  /** How long before its end the agent says so, in milliseconds. */
  says_end: 5 * minute,
  /** How long after its end the agent ends the program without an alarm, in milliseconds of running time. */
  ends_calmly: minute,
  /** Presses of a person in an hour. */
  presses: { max: 20, per: hour },
} as const;
