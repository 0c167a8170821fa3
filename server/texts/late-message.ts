import { counted } from '@porchlight/contract/language.ts';
import type { PushMessage } from '@porchlight/contract/push.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { formattedDate, knownZone } from './date-formatters.ts';
import { type Email, type WrittenEmail, withNote, writeEmail } from './email.ts';
import { sentencesWithin } from './short-sentences.ts';
import { oneSmsFrom } from './sms-text.ts';

/** The time of an event. `time`: ISO 8601; `time_zone`: IANA, of the computer it happened on. */
export interface Happened {
  time: string;
  time_zone: string;
}

/** A late SMS: the text before and after the time, and further sentences as far as they fit. */
export interface LateSms {
  before: string;
  after: string;
  more: string[];
}

/** A late email says when the event was, and does not urge. `late_email`: its late text; default: a note in the original. */
export function lateMail(original: WrittenEmail, { late_email, ...happened }: Happened & { late_email?: Email }, now: Date): WrittenEmail {
  const moment = momentOf(happened, now);
  if (!moment) return original;
  const note = `This happened ${moment.on_the_day}, ${moment.ago}. We could not send it sooner.`;
  const { subject, html, text } = late_email
    ? writeEmail({ ...late_email, paragraphs: [note, ...(late_email.paragraphs ?? [])] })
    : withNote(original, note);
  return { subject, html, text };
}

/** A late SMS says when the event was, and does not urge. */
export function lateText(body: string, { text, ...happened }: Happened & { text?: LateSms }, now: Date): string {
  const moment = momentOf(happened, now);
  if (!moment) return body;
  const when = `${moment.short}, ${moment.ago}`;
  if (!text) return oneSmsFrom(`Sent late, this was ${when}. ${body}`);
  return oneSmsFrom(`${text.before} ${when}${text.after}`, 'We could not send it sooner.', ...text.more);
}

/** A late push message says first when the event was. */
export function latePush(message: PushMessage, happened: Happened, now: Date): PushMessage {
  const moment = momentOf(happened, now);
  if (!moment) return message;
  return {
    ...message,
    body: sentencesWithin(`This happened ${moment.on_the_day}, ${moment.ago}. ${message.body}`, serverLimits.push_body_max),
  };
}

/** `at 9:05 PM`, `on Saturday, November 21, at 9:05 PM`, `3 hours ago`. Null for a recent event. */
function momentOf({ time, time_zone }: Happened, now: Date) {
  const eventTime = new Date(time);
  const ms = now.getTime() - eventTime.getTime();
  if (ms < serverLimits.alert_late) return null;
  const zone = knownZone(time_zone);
  const format = (date: Date, options: Intl.DateTimeFormatOptions) => formattedDate(date, zone, options) ?? '';
  const clock = `${format(eventTime, { hour: 'numeric', minute: '2-digit' })}${zone === 'UTC' ? ' UTC' : ''}`;
  const day = (date: Date) => format(date, { dateStyle: 'short' });
  const today = day(eventTime) === day(now);
  return {
    on_the_day: today ? `at ${clock}` : `on ${format(eventTime, { weekday: 'long', month: 'long', day: 'numeric' })}, at ${clock}`,
    short: today ? `at ${clock}` : `on ${format(eventTime, { month: 'short', day: 'numeric' })} at ${clock}`,
    ago: ago(ms),
  };
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  const [n, unit] = minutes < 60 ? [minutes, 'minute'] : hours < 48 ? [hours, 'hour'] : [Math.floor(hours / 24), 'day'];
  return `${counted(n, unit)} ago`;
}
