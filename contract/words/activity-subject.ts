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
  if (kind === 'paused' || kind === 'deletion_asked') {
    // What was stored before it was a time is in words already.
    if (!isoTime.test(what)) return what;
    return kind === 'paused' ? times.moment(new Date(what)) : times.date(new Date(what));
  }
  if (kind === 'outage_later') return /^\d+$/.test(what) ? counted(Number(what), 'day') : what;
  if (kind === 'recovery_code_used') return /^\d+$/.test(what) ? `${what} left` : what;
  const label = labels[kind]?.[what];
  const sites = what.split(' ');
  if (kind === 'unlisted_off' && sites.every((site) => site.includes('.'))) return `resting ${listOf(sites)}`;
  if (kind === 'notifications_allowed') return listOf(sites);
  return label ?? what;
}

/** The same activity with its subject in words. */
export const inWordsOf = <A extends { kind: RequestedKind; what: string }>(activity: A, times: TimesInWords): A => ({
  ...activity,
  what: subjectWords(activity.kind, activity.what, times),
});
