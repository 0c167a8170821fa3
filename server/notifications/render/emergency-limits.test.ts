import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { describe, expect, test } from 'vitest';
import { type EmergencyFacts, emergencies, inIncident, tomorrow } from '../../testing/emergencies.ts';
import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { fitsOneSms, inGsm } from '../../texts/sms-text.ts';
import { type Notification, render } from './render.ts';

/** The most digits that E.164 allows. */
const longestNumber = '+881234567890123';
const wide = 'x'.repeat(100);
const longest: [name: string, users: EmergencyFacts['person'][]][] = [
  ['Łucja-Małgorzata-Aleksandra-Wilhelmina-Zuzanna Ćwierć', [{ name: '', phone_number: longestNumber, is_holder: false }]],
  [wide, [null, { name: wide.slice(0, 40), phone_number: longestNumber, is_holder: false }]],
];
/** The longest note of a late email, from `lib/late-message.ts`. */
const longestNote = 'This happened on Wednesday, November 25, at 10:05 PM UTC, 23 hours ago. We could not send it sooner.';
const wordsOf = ({ text }: WrittenEmail) => (text.split('Nobody from Porchlight')[0] ?? '').split(/\s+/).filter(Boolean).length;

describe.each(longest)('messages about emergencies with all names set to %s', (name, users) => {
  test.each(Object.keys(emergencies) as (keyof typeof emergencies)[])(
    'the emails about %s are under 90 words and the SMS are not split',
    (key) => {
      for (const person of users) {
        const facts = { ...inIncident, device: name, person, time: new Date('2026-11-25T22:05:00Z'), time_zone: 'UTC' } as EmergencyFacts;
        const made = emergencies[key][0](facts);
        const named = 'by' in made.facts ? { by: name, isolated: [1, 2].map(() => ({ device: name, until: tomorrow })) } : {};
        const { toHolder, toGuardian } = render({ kind: made.kind, facts: { ...made.facts, ...named } } as Notification);
        for (const { email, sms, late } of [
          toHolder({ uuid: 'account', name, dashboard_url: 'https://x.example' }),
          toGuardian({ uuid: 'bob', name, holder_name: name, link: 'https://x.example/guardian/g/key' }),
        ]) {
          if (!email || !sms || !late) throw new Error('there is no message');
          for (const one of [email, writeEmail({ ...late.email, paragraphs: [longestNote] })])
            expect(wordsOf(one), one.text).toBeLessThanOrEqual(serverLimits.email_words_max);
          const texts = [sms, inGsm(`${late.sms.before} on Nov 25 at 10:05 PM UTC, 59 minutes ago${late.sms.after}`)];
          for (const text of texts) expect(fitsOneSms(text), text).toBe(true);
        }
      }
    },
  );
});
