import { expect, test } from 'vitest';
import { lateText } from '../../texts/late-message.ts';
import { fitsOneSms } from '../../texts/sms-text.ts';
import { emailInsteadOf, lastSmsToday, smsInsteadOf } from './fallback.ts';

const queued = new Date('2026-11-21T14:05:00Z');
const mail = (subject: string) => ({ to: 'bob@example.org', subject, html: '', text: '' });
const link = 'http://localhost:4380/dashboard';

test.each([
  'How did it go on Den PC?',
  'Ann may need you: AnyDesk was blocked on Den PC',
  `Ann may need you: ${'AnyDesk '.repeat(20)}was blocked on Großmutters Rechner 🙂`,
])('[P11.4] the SMS about a failed email is one SMS, also when it is late: %s', (subject) => {
  const { body, happened } = smsInsteadOf(mail(subject), queued, link);
  const late = happened && lateText(body, happened, new Date('2026-11-23T14:05:00Z'));
  expect([fitsOneSms(body), fitsOneSms(late ?? '')]).toEqual([true, true]);
  expect(body).toMatch(/^Porchlight: Our email to you did not arrive\. (How did it go on Den PC\?|Ann may need you: .*\.) ?/);
  expect(late).toMatch(
    /^Porchlight: Our email to you did not arrive\. (How did it go on Den PC|Ann may need you: .*) on Nov 21 at 2:05 PM UTC/,
  );
});

test('[P11.4] the link is in the SMS if it fits, and a late SMS takes its facts from the late email, without urging', () => {
  const short = smsInsteadOf(mail('Practice alert: nothing happened'), queued, link);
  expect(short.body).toBe(`Porchlight: Our email to you did not arrive. Practice alert: nothing happened. ${link}`);
  const late = { subject: 'Mum may need you: AnyDesk was not blocked on Den PC', heading: '' };
  const happened = { time: queued.toISOString(), time_zone: 'America/New_York', late_email: late };
  const sms = smsInsteadOf({ ...mail('Call Mum now: AnyDesk was not blocked on Den PC'), happened }, queued, link);
  expect(sms.body).toContain('Call Mum now');
  expect(lateText(sms.body, { time: '', time_zone: '', ...sms.happened }, new Date('2026-11-22T14:05:00Z'))).toBe(
    'Porchlight: Our email to you did not arrive. Mum may need you: AnyDesk was not blocked on Den PC on Nov 21 at 9:05 AM, 24 hours ago.',
  );
});

test('[P11.4] the email about a failed text quotes its facts, and not that the texts of the day are used up', () => {
  const body = 'Porchlight: AnyDesk was blocked on Den PC, 9:05am. Someone on the phone? Hang up.';
  const { text, happened } = emailInsteadOf({ to: '+12025550143', body: `${body} ${lastSmsToday}` }, queued, link);
  expect(text).toContain(`Our text to you did not arrive\n\nIt says: “${body}”\n\nSee what happened:\n${link}\n`);
  expect(text).not.toContain(lastSmsToday);
  expect(happened).toMatchObject({ time: queued.toISOString(), time_zone: 'UTC' });
});
