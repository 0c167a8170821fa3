import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { type Email, type WrittenEmail, withNote, writeEmail } from './email.ts';
import { oneSmsFrom } from './sms-text.ts';

/** When something happened that is written about. `time`: ISO 8601; `time_zone`: IANA, of the computer it happened on. */
export interface Happened {
  time: string;
  time_zone: string;
}

/** The facts before and after the moment, and of what follows whatever still fits (`oneSmsFrom`). */
export interface LateSms {
  before: string;
  after: string;
  more: string[];
}

/**
 * A mail as it may leave now: what leaves long after it happened says when that was, and does not ask anybody to hurry. `letter`: what it says then;
 * without it the same words, with that sentence above them.
 */
export function lateMail(written: WrittenEmail, { letter, ...happened }: Happened & { letter?: Email }, now: Date): WrittenEmail {
  const moment = momentOf(happened, now);
  if (!moment) return written;
  const note = `This happened ${moment.on_the_day}, ${moment.ago}. We could not send it sooner.`;
  const { subject, html, text } = letter
    ? writeEmail({ ...letter, paragraphs: [note, ...(letter.paragraphs ?? [])] })
    : withNote(written, note);
  return { subject, html, text };
}

/** The same of a text message. */
export function lateText(body: string, { text, ...happened }: Happened & { text?: LateSms }, now: Date): string {
  const moment = momentOf(happened, now);
  if (!moment) return body;
  const when = `${moment.short}, ${moment.ago}`;
  if (!text) return oneSmsFrom(`Sent late, this was ${when}. ${body}`);
  return oneSmsFrom(`${text.before} ${when}${text.after}`, 'We could not send it sooner.', ...text.more);
}

/** `at 9:05 PM`, or `on Saturday, November 21, at 9:05 PM` when that was another day; `3 hours ago`. Null when it happened just now. */
function momentOf({ time, time_zone }: Happened, now: Date) {
  const then = new Date(time);
  const ms = now.getTime() - then.getTime();
  if (ms < serverLimits.alert_late) return null;
  const zone = knownZone(time_zone);
  const words = (date: Date, options: Intl.DateTimeFormatOptions) =>
    // The space that no line may be broken at is in no alphabet of text messages.
    new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone }).format(date).replaceAll('\u202f', ' ');
  const clock = `${words(then, { hour: 'numeric', minute: '2-digit' })}${zone === 'UTC' ? ' UTC' : ''}`;
  const day = (date: Date) => words(date, { dateStyle: 'short' });
  const today = day(then) === day(now);
  return {
    on_the_day: today ? `at ${clock}` : `on ${words(then, { weekday: 'long', month: 'long', day: 'numeric' })}, at ${clock}`,
    short: today ? `at ${clock}` : `on ${words(then, { month: 'short', day: 'numeric' })} at ${clock}`,
    ago: ago(ms),
  };
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  const [n, unit] = minutes < 60 ? [minutes, 'minute'] : hours < 48 ? [hours, 'hour'] : [Math.floor(hours / 24), 'day'];
  return `${n} ${unit}${n === 1 ? '' : 's'} ago`;
}

function knownZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
