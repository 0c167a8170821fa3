import { serverLimits } from './server-limits.ts';
import { day } from './time.ts';

/** How long something is stored, and what it is, in words for the people whom it is about. One of the three numbers is given. */
export interface RetentionPeriod {
  months?: number;
  days?: number;
  hours?: number;
  about: string;
}

/** How long the server stores what comes and goes (P14.4). The server deletes by these numbers, and the privacy page shows them. */
export const retention = {
  alerts: { months: 13, about: 'Alerts: what we found or stopped on your computers, who got the alert, and what you answered.' },
  incidents: {
    months: 13,
    about: 'Emergencies: what happened, who was called, and what was answered. The time counts from the end of the emergency.',
  },
  activity: { months: 13, about: 'The list of changes to your protection, and who made them.' },
  practice_alarms: { months: 13, about: 'Practice alarms, and who got them.' },
  computer_reports: { days: 90, about: 'What your computers report about themselves, such as a pause or a scan.' },
  calls: { days: 90, about: 'Phone calls that we made, and the numbers that we called.' },
  messages: {
    days: serverLimits.dead_letter_life / day,
    about: 'Emails and texts that we sent. We erase their text as soon as they are sent, and within this time if they cannot be sent.',
  },
  email_links: { days: 30, about: 'Links in our emails, after they stop working.' },
  unused_logins: { days: serverLimits.session_unused / day, about: 'Browsers where you are logged in, if you do not use them.' },
  logins: { days: serverLimits.session_life / day, about: 'Browsers where you are logged in, even if you use them.' },
  guardian_logins: { days: serverLimits.guardian_session_life / day, about: 'Browsers in which a guardian opened their page.' },
  login_networks: {
    days: serverLimits.network_known / day,
    about: 'A scrambled note of each internet connection that you logged in from, after you last used it.',
  },
  // Longer than Stripe repeats them.
  payments: { days: 40, about: 'Notices about payments, without what you paid or with which card.' },
  offline_times: { days: serverLimits.offline_spells_in / day, about: 'Times when a computer could not be reached.' },
  emergency_stops: {
    days: 7,
    about: 'Emergency stops, times when a computer was cut off from the internet, and times when somebody helped there, after they end.',
  },
  // Networks of devices count for a day (P10.2), and up to ten minutes longer, the interval of writes.
  computer_networks: { hours: 25, about: 'A scrambled note of each internet connection that your computers used.' },
  // One-time codes are of no use after 20 minutes (P10.7).
  codes: { days: 1, about: 'Codes that were shown or texted, and were not used.' },
} as const satisfies Record<string, RetentionPeriod>;

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** As `13 months`. */
export function periodInWords({ months, days, hours }: RetentionPeriod): string {
  if (months !== undefined) return plural(months, 'month');
  return days === undefined ? plural(hours ?? 0, 'hour') : plural(days, 'day');
}

/** What is older than this moment, or exactly as old, is deleted at `now`. */
export function retentionCutoff({ months = 0, days = 0, hours = 0 }: RetentionPeriod, now: Date): Date {
  const cutoff = new Date(now.getTime() - days * day - hours * 3_600_000);
  const dayOfMonth = cutoff.getUTCDate();
  cutoff.setUTCMonth(cutoff.getUTCMonth() - months);
  // 13 months before March 31 is the last day of February, which has no 31st.
  if (cutoff.getUTCDate() !== dayOfMonth) cutoff.setUTCDate(0);
  return cutoff;
}
