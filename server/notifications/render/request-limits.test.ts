import { activityKind } from '@porchlight/contract/activity-log.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { describe, expect, test } from 'vitest';
import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { fitsOneSms, inGsm } from '../../texts/sms-text.ts';
import type { RequestFacts } from './held-request/wording.ts';
import { type Notification, render } from './render.ts';
import type { Message } from './rendering.ts';

/** The most digits that E.164 allows. */
const longestNumber = '+881234567890123';
const wide = 'x'.repeat(100);
/** The names with the most words and the most characters, each with the users for whom the messages are longest. */
const longest: [name: string, users: RequestFacts['person'][]][] = [
  ['Łucja-Małgorzata-Aleksandra-Wilhelmina-Zuzanna Ćwierć', [{ name: '', phone_number: longestNumber, is_holder: false }]],
  [wide, [null, { name: wide.slice(0, 40), phone_number: longestNumber, is_holder: false }]],
];
const time = new Date('2026-11-25T14:05:00Z');
/** The longest note of a late email, from `lib/late-message.ts`. */
const longestNote = 'This happened on Wednesday, November 25, at 10:05 PM UTC, 23 hours ago. We could not send it sooner.';
const wordsOf = ({ text }: WrittenEmail) => (text.split('Nobody from Porchlight')[0] ?? '').split(/\s+/).filter(Boolean).length;

/** One notification of each kind about a held request. */
function notificationsOf(facts: RequestFacts, name: string): Notification[] {
  const answered = { ...facts, by: name, by_person: 'carol', undone: false, remains: false, lets: 'by_caller' } as const;
  return [
    { kind: 'held_request', facts: { ...facts, cause: 'incident', can_answer: true, asked: [name, name] } },
    { kind: 'held_request', facts: { ...facts, cause: 'second_act', can_answer: false } },
    { kind: 'held_request', facts: { ...facts, cause: 'ask_first', can_answer: true } },
    { kind: 'request_answered', facts: { ...answered, answer: 'yes' } },
    { kind: 'request_answered', facts: { ...answered, answer: 'no' } },
    { kind: 'request_answered', facts: { ...answered, answer: 'no', undone: true, remains: false } },
    { kind: 'request_answered', facts: { ...answered, answer: 'no', undone: false, remains: true } },
    { kind: 'request_passed', facts: { ...facts, after: 'hour' } },
    { kind: 'request_lifted', facts: { ...facts, lets: 'by_caller' } },
    { kind: 'request_ended', facts: { ...facts, end: { kind: 'unanswered', after: 'day' } } },
    { kind: 'request_ended', facts: { ...facts, end: { kind: 'impossible', failure: 'exception_limit' } } },
  ];
}

const messagesOf = (notification: Notification, name: string): Message[] => {
  const { toHolder, toGuardian } = render(notification);
  return [
    toHolder({ uuid: 'account', name, dashboard_url: 'https://x.example' }),
    toGuardian({ uuid: 'bob', name, holder_name: name, link: 'https://x.example/guardian/g/key' }),
  ];
};

describe.each(longest)('messages about held requests with all names set to %s', (name, users) => {
  test.each(activityKind.options)(
    'the emails about the activity %s are under 90 words and the SMS are not split, in time and late',
    (kind) => {
      const activity = { kind, device: name, what: name };
      for (const person of users)
        for (const notification of notificationsOf(
          { request: 'r', incident: 'i', activities: [activity, activity], device: name, person, time, time_zone: 'UTC' },
          name,
        ))
          for (const { email, sms, late } of messagesOf(notification, name)) {
            // Only the holder has an email about the end of a request, and no SMS.
            if (!email && notification.kind === 'request_ended') continue;
            if (email && notification.kind === 'request_ended') {
              expect(wordsOf(email) + longestNote.split(' ').length, email.text).toBeLessThanOrEqual(serverLimits.email_words_max);
              continue;
            }
            if (!email || !sms || !late) throw new Error(`${notification.kind} has no message`);
            const emails = [email, writeEmail({ ...late.email, paragraphs: [longestNote] })];
            for (const one of emails) expect(wordsOf(one), one.text).toBeLessThanOrEqual(serverLimits.email_words_max);
            const texts = [sms, inGsm(`${late.sms.before} on Nov 25 at 10:05 PM UTC, 59 minutes ago${late.sms.after}`)];
            for (const text of texts) expect(fitsOneSms(text), text).toBe(true);
          }
    },
  );

  test('the emails about an incident are under 90 words, and there are no SMS', () => {
    for (const person of users) {
      const facts = { incident: 'i', device: name, person, time_zone: 'UTC' };
      const notifications: Notification[] = [
        { kind: 'incident_over', facts: { ...facts, by: name, by_person: 'carol', time } },
        { kind: 'incident_checkup', facts: { ...facts, opened: time } },
      ];
      for (const notification of notifications)
        for (const { email, sms } of messagesOf(notification, name)) {
          expect(sms).toBeNull();
          expect(wordsOf(email ?? writeEmail({ subject: '', heading: '' })), email?.text).toBeLessThanOrEqual(serverLimits.email_words_max);
        }
    }
  });
});
