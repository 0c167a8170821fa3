import { expect, test } from 'vitest';
import { people } from '../../testing/read-aloud.ts';
import { readNotification } from '../../testing/read-notification.ts';
import { expectReviewedTexts } from '../../testing/reviewed-texts.ts';
import type { HeldRequestFacts } from './held-request/held-request.ts';
import { render } from './render.ts';

const anydesk = { kind: 'allowed', device: 'Den PC', what: 'AnyDesk' } as const;
const internetOff = { kind: 'isolation_off', device: '', what: 'Bob Example' } as const;
const textsOff = { kind: 'alerts_off', device: '', what: 'texts' } as const;
const inIncident: Omit<HeldRequestFacts, 'person'> = {
  request: 'r',
  incident: 'i',
  activities: [anydesk],
  device: 'Den PC',
  time: new Date('2026-11-21T14:05:00.000Z'),
  time_zone: 'America/New_York',
  cause: 'incident',
  can_answer: true,
  asked: ['Bob'],
};
/** The facts, and whether the messages leave late. */
const cases = {
  'in an incident': [inIncident, false],
  'in an incident, sent late': [inIncident, true],
  'as the second change, which no guardian may answer': [{ ...inIncident, cause: 'second_act', can_answer: false, asked: [] }, false],
  'of a guardian’s internet switch': [{ ...inIncident, activities: [internetOff] }, false],
  'of two changes, as the account asks first': [
    { ...inIncident, cause: 'ask_first', incident: null, device: '', activities: [anydesk, textsOff], asked: ['Bob', 'Carol'] },
    false,
  ],
} as const satisfies Record<string, [Omit<HeldRequestFacts, 'person'>, boolean]>;

test('the email and SMS about a held request have the reviewed text for each user of the computer and reader (P8.2, P10.1)', () =>
  expectReviewedTexts<keyof typeof cases>(
    'held-request',
    [
      ['in an incident', 'the holder', 'me', 'Mum with a number'],
      ['in an incident', 'the guardian', 'me', 'Mum with a number', 'someone without a name'],
      ['in an incident, sent late', 'the holder', 'me', 'Mum with a number'],
      ['in an incident, sent late', 'the guardian', 'me', 'Mum with a number'],
      ['as the second change, which no guardian may answer', 'the holder', 'me', 'Mum with a number'],
      ['as the second change, which no guardian may answer', 'the guardian', 'me', 'Mum with a number'],
      ['of two changes, as the account asks first', 'the holder', 'nobody'],
      ['of two changes, as the account asks first', 'the guardian', 'nobody'],
      ['of a guardian’s internet switch', 'the holder', 'me'],
      ['of a guardian’s internet switch', 'the guardian', 'me'],
    ],
    (name, user, reader) => {
      const [facts, late] = cases[name];
      return readNotification({ kind: 'held_request', facts: { ...facts, person: people[user] } }, reader, late);
    },
  ));

test('the button of the guardian’s email leads to the request on their page, its second link to Stop this, and the holder’s to the incident or the settings of alerts', () => {
  const urlOf = (facts: HeldRequestFacts, reader: 'toHolder' | 'toGuardian') => {
    const rendered = render({ kind: 'held_request', facts });
    const message =
      reader === 'toHolder'
        ? rendered.toHolder({ uuid: 'ann', name: 'Ann', dashboard_url: 'https://x.test' })
        : rendered.toGuardian({ uuid: 'g', name: 'Bob', holder_name: 'Ann', link: 'https://x.test/guardian/g/key' });
    return message.email?.text.match(/https:\S+/g);
  };
  const facts = { ...inIncident, person: null };
  expect(urlOf(facts, 'toGuardian')).toEqual(['https://x.test/guardian/g/key?request=r', 'https://x.test/guardian/g/key?stop=1']);
  expect(urlOf(facts, 'toHolder')).toEqual(['https://x.test/incident/i']);
  expect(urlOf({ ...facts, incident: null }, 'toHolder')).toEqual(['https://x.test/profile/alerts']);
});

test('a held request is sent at once, also with emails off', () => {
  expect(render({ kind: 'held_request', facts: { ...inIncident, person: null } }).delivery).toMatchObject({
    category: 'act',
    about: 'r',
    urgency: 'urgent',
    always: true,
  });
});
