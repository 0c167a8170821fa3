import type { RequestedKind } from '../held-requests.ts';
import { counted, listOf } from '../language.ts';

/** Moments in words, in the reader's zone. */
export interface TimesInWords {
  /** After *until*: `2:05 PM on Tuesday, March 3`. */
  moment(time: Date): string;
  /** After *on*: `March 3`. */
  date(time: Date): string;
}

/** The codes that activities have as their `what`, each with the words for it in a sentence. */
const labels: Partial<Record<RequestedKind, Record<string, string>>> = {
  alerts_off: { mail: 'emails', sms: 'texts' },
  /** Follows *got stuck at*. */
  left_out: {
    download_folders: 'the list of download folders',
    autostart: 'the list of programs that start by themselves',
    menu: 'the menu of programs',
    units: 'the list of background services',
    flatpaks: 'the list of Flatpak apps',
    cron: 'the list of scheduled tasks',
    scan: 'what it found on the disk',
    browsers: 'the settings of web browsers',
  },
  unlisted_off: {
    pasted_commands: 'stopping pasted commands',
    new_programs_always: 'asking about every new program',
    new_programs_incident: 'asking about new programs',
    doors: 'watching for ways in',
    money_pages: 'resting money pages',
  },
};

const isoTime = /^\d{4}-\d\d-\d\dT/;

/** The subject of an activity, as its sentence names it. Names stay as they are. */
export function subjectWords(kind: RequestedKind, what: string, times: TimesInWords): string {
  // What was stored before it was a time is in words already.
  if (isoTime.test(what)) {
    if (kind === 'paused') return times.moment(new Date(what));
    if (kind === 'deletion_asked') return times.date(new Date(what));
  }
  if (/^\d+$/.test(what)) {
    if (kind === 'outage_later') return counted(Number(what), 'day');
    if (kind === 'recovery_code_used') return `${what} left`;
  }
  const sites = what.split(' ');
  if (kind === 'unlisted_off' && sites.every((site) => site.includes('.'))) return `resting ${listOf(sites)}`;
  if (kind === 'notifications_allowed') return listOf(sites);
  return labels[kind]?.[what] ?? what;
}

/** The same activity with its subject in words. */
export const inWordsOf = <A extends { kind: RequestedKind; what: string }>(activity: A, times: TimesInWords): A => ({
  ...activity,
  what: subjectWords(activity.kind, activity.what, times),
});
