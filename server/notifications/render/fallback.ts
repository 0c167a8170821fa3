import { brand } from '@porchlight/contract/brand.ts';
import type { MailJob, SmsJob } from '../../jobs/kinds.ts';
import { type Email, writeEmail } from '../../texts/email.ts';
import { momentInWords } from '../../texts/formatting.ts';
import { oneSmsFrom, shortInGsm, smsLength } from '../../texts/sms-text.ts';
import { longestMoment } from './late-sms.ts';

/** An SMS about an email that failed permanently, with the facts of its subject (P11.4). `link`: as far as it fits. */
export function smsInsteadOf({ subject, happened }: MailJob, queued: Date, link: string): Pick<SmsJob, 'body' | 'happened'> {
  const lead = `${brand.name}: Our email to you did not arrive.`;
  const lateFacts = shortInGsm(withoutEnd(happened?.late_email?.subject ?? subject), smsLength - lead.length - longestMoment.length - 3);
  return {
    body: oneSmsFrom(`${lead} ${withEnd(shortInGsm(subject, smsLength - lead.length - 2))}`, link),
    happened: { ...momentOf(happened, queued), text: { before: `${lead} ${lateFacts}`, after: '.', more: [link] } },
  };
}

/** An email about a text that failed permanently. Null: its content is deleted, as that of a text that the carrier accepted. */
export function emailInsteadOf(text: SmsJob | null, sent: Date, url: string): Pick<MailJob, 'subject' | 'html' | 'text' | 'happened'> {
  const emailWith = (paragraph: string): Email => ({
    subject: 'Our text to you did not arrive',
    heading: 'Our text to you did not arrive',
    paragraphs: [paragraph],
    button: { label: 'See what happened', url },
  });
  if (!text) return writeEmail(emailWith(`We sent it at ${momentInWords(sent, 'UTC')}. Press the button to see what it was about.`));
  const quoted = (body: string) => emailWith(`It says: “${body.replace(` ${lastSmsToday}`, '')}”`);
  const late = text.happened?.text;
  const lateEmail = quoted(late ? `${late.before}${late.after}` : text.body);
  return { ...writeEmail(quoted(text.body)), happened: { ...momentOf(text.happened, sent), late_email: lateEmail } };
}

/** In the last SMS of the day. */
export const lastSmsToday = 'No more texts today: read your email.';

/** The time of a message about an event without one: when it was queued. */
const momentOf = (happened: { time: string; time_zone: string } | undefined, queued: Date) =>
  happened ? { time: happened.time, time_zone: happened.time_zone } : { time: queued.toISOString(), time_zone: 'UTC' };

const withoutEnd = (sentence: string) => sentence.replace(/(?<![.!?])[.!?]+$/, '');
const withEnd = (sentence: string) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);
