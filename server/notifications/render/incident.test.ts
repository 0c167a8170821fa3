import { expect, test } from 'vitest';
import { people } from '../../testing/read-aloud.ts';
import { readNotification } from '../../testing/read-notification.ts';
import { expectReviewedTexts } from '../../testing/reviewed-texts.ts';
import { type Notification, render } from './render.ts';

const time = new Date('2026-11-21T14:05:00.000Z');
const factsOf = (userKey: keyof typeof people) => ({
  incident: 'i',
  device: 'Den PC',
  person: people[userKey],
  time_zone: 'America/New_York',
});
type IncidentFacts = ReturnType<typeof factsOf>;

const cases = {
  'was ended by another guardian': (facts) => ({ kind: 'incident_over', facts: { ...facts, by: 'Carol', by_person: 'carol', time } }),
  'was ended by the holder': (facts) => ({ kind: 'incident_over', facts: { ...facts, by: 'Ann', by_person: 'account', time } }),
  'was ended by the guardian': (facts) => ({ kind: 'incident_over', facts: { ...facts, by: 'Bob', by_person: 'guardian', time } }),
  'opened the day before': (facts) => ({ kind: 'incident_checkup', facts: { ...facts, opened: time } }),
} as const satisfies Record<string, (facts: IncidentFacts) => Notification>;

test('the email about an incident has the reviewed text for each user of the computer and reader (P8.2, P9.2)', () =>
  expectReviewedTexts<keyof typeof cases>(
    'incident',
    [
      ['was ended by another guardian', 'the holder', 'me', 'Mum with a number'],
      ['was ended by another guardian', 'the guardian', 'me', 'Mum with a number', 'someone without a name'],
      ['was ended by the holder', 'the holder', 'Mum with a number'],
      ['was ended by the holder', 'the guardian', 'Mum with a number'],
      ['was ended by the guardian', 'the holder', 'Mum with a number'],
      ['was ended by the guardian', 'the guardian', 'Mum with a number'],
      ['opened the day before', 'the holder', 'me', 'Mum with a number'],
      ['opened the day before', 'the guardian', 'me', 'Mum with a number', 'someone without a name'],
    ],
    (name, user, reader) => readNotification(cases[name](factsOf(user)), reader),
  ));

test.each(['was ended by another guardian', 'opened the day before'] as const)(
  'the button of the email about an incident that %s leads to its page, and the second link of a guardian’s to Stop this',
  (name) => {
    const { toHolder, toGuardian } = render(cases[name](factsOf('me')));
    expect(toHolder({ uuid: 'ann', name: 'Ann', dashboard_url: 'https://x.test' }).email?.text.match(/https:\S+/g)).toEqual([
      'https://x.test/incident/i',
    ]);
    expect(
      toGuardian({ uuid: 'g', name: 'Bob', holder_name: 'Ann', link: 'https://x.test/guardian/g/key' }).email?.text.match(/https:\S+/g),
    ).toEqual(['https://x.test/guardian/g/key?incident=i', 'https://x.test/guardian/g/key?stop=1']);
  },
);

test('an incident that is over again is notified again, and how it went is asked once', () => {
  const deliveries = (['was ended by another guardian', 'opened the day before'] as const).map(
    (name) => render(cases[name](factsOf('me'))).delivery,
  );
  expect(deliveries).toEqual([
    { category: 'act', about: 'i:over:2026-11-21T14:05:00.000Z', urgency: 'ordinary' },
    { category: 'act', about: 'i:checkup', urgency: 'ordinary' },
  ]);
});
