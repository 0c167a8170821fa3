import { expect, test } from 'vitest';
import { emergencies, inAnHour, inIncident, isolation, stop } from '../../testing/emergencies.ts';
import { people } from '../../testing/read-aloud.ts';
import { readNotification } from '../../testing/read-notification.ts';
import { expectReviewedTexts } from '../../testing/reviewed-texts.ts';
import { type Notification, render } from './render.ts';

const notificationOf = (name: keyof typeof emergencies, userKey: keyof typeof people) =>
  emergencies[name][0]({ ...inIncident, person: people[userKey] });

test('the messages about emergencies have the reviewed text for each user of the computer and reader (P8.2, P9.5, P10.6)', () =>
  expectReviewedTexts<keyof typeof emergencies>(
    'emergency',
    [
      ['Stop this', 'the holder', 'me', 'Mum with a number'],
      ['Stop this', 'the guardian', 'Mum with a number', 'someone without a name'],
      ['Stop this, with the internet cut on two computers', 'the holder', 'me'],
      ['Stop this, sent late', 'the guardian', 'Mum with a number'],
      ['an isolation that its user can end', 'the holder', 'me'],
      ['an isolation that its user can end', 'the guardian', 'Mum with a number'],
      ['an isolation that its user cannot end', 'the holder', 'me'],
      ['an isolation, sent late', 'the guardian', 'Mum with a number'],
      ['a call for help', 'the holder', 'me', 'Mum with a number'],
      ['a call for help', 'the guardian', 'Mum with a number', 'someone without a name'],
      ['a call for help, sent late', 'the guardian', 'Mum with a number'],
    ],
    (name, user, reader) => readNotification(notificationOf(name, user), reader, emergencies[name][1]),
  ));

test('the guardian who pressed gets no message, nor does the holder who asked for help on the dashboard', () => {
  const facts = { ...inIncident, person: people.me };
  const stopped: Notification = { kind: 'guardian_stop', facts: { ...facts, ...stop, by_person: 'guardian', isolated: [] } };
  const cut: Notification = { kind: 'isolated', facts: { ...facts, ...isolation, by_person: 'guardian', may_end: false } };
  const asked: Notification = { kind: 'help', facts: { ...facts, about: 'h', until: inAnHour, by_person: 'account' } };
  expect([readNotification(stopped, 'the guardian'), readNotification(cut, 'the guardian'), readNotification(asked, 'the holder')]).toEqual(
    ['none', 'none', 'none'],
  );
  expect(readNotification(asked, 'the guardian')).toContain('Ann needs help now');
});

test('the button leads to the incident, and to the first page if none is open; a guardian who is asked for help can stop this', () => {
  const urlsOf = (name: keyof typeof emergencies, to: 'toHolder' | 'toGuardian', incident: string | null = 'i') => {
    const { kind, facts } = notificationOf(name, 'me');
    const rendered = render({ kind, facts: { ...facts, incident } } as Notification);
    const message =
      to === 'toHolder'
        ? rendered.toHolder({ uuid: 'account', name: 'Ann', dashboard_url: 'https://x.test' })
        : rendered.toGuardian({ uuid: 'g', name: 'Bob', holder_name: 'Ann', link: 'https://x.test/guardian/g/key' });
    return message.email?.text.match(/https:\S+/g);
  };
  expect(urlsOf('Stop this', 'toHolder')).toEqual(['https://x.test/incident/i']);
  expect(urlsOf('Stop this', 'toHolder', null)).toEqual(['https://x.test']);
  expect(urlsOf('Stop this', 'toGuardian')).toEqual(['https://x.test/guardian/g/key?incident=i']);
  expect(urlsOf('a call for help', 'toGuardian')).toEqual([
    'https://x.test/guardian/g/key?incident=i',
    'https://x.test/guardian/g/key?stop=1',
  ]);
});
