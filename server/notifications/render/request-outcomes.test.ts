import { expect, test } from 'vitest';
import { people } from '../../testing/read-aloud.ts';
import { readNotification } from '../../testing/read-notification.ts';
import { expectReviewedTexts, type User } from '../../testing/reviewed-texts.ts';
import type { RequestFacts } from './held-request/wording.ts';
import { type Notification, render } from './render.ts';

const carol = { by: 'Carol', by_person: 'carol', undone: false, remains: false, lets: 'by_server' } as const;
const answers = {
  'was answered with a yes': (facts) => ({ kind: 'request_answered', facts: { ...facts, ...carol, answer: 'yes' } }),
  'was answered with a yes, and only its caller can do it': (facts) => ({
    kind: 'request_answered',
    facts: { ...facts, ...carol, answer: 'yes', lets: 'by_caller' },
  }),
  'was answered with a yes, and allows a program': (facts) => ({
    kind: 'request_answered',
    facts: { ...facts, ...carol, answer: 'yes', lets: 'program' },
  }),
  'was answered with a no': (facts) => ({ kind: 'request_answered', facts: { ...facts, ...carol, answer: 'no' } }),
  'was undone by a no': (facts) => ({ kind: 'request_answered', facts: { ...facts, ...carol, answer: 'no', undone: true } }),
  'was answered by the holder': (facts) => ({
    kind: 'request_answered',
    facts: { ...facts, ...carol, by: 'Ann', by_person: 'account', answer: 'no' },
  }),
  'was answered by the guardian': (facts) => ({
    kind: 'request_answered',
    facts: { ...facts, ...carol, by: 'Bob', by_person: 'guardian', answer: 'no' },
  }),
} as const satisfies Record<string, (facts: RequestFacts) => Notification>;
const endings = {
  'passed after a day': (facts) => ({ kind: 'request_passed', facts: { ...facts, after: 'day' } }),
  'passed after an hour': (facts) => ({ kind: 'request_passed', facts: { ...facts, after: 'hour' } }),
  'was lifted': (facts) => ({ kind: 'request_lifted', facts: { ...facts, lets: 'by_server' } }),
} as const satisfies Record<string, (facts: RequestFacts) => Notification>;
const forHolder = {
  'was not answered': (facts) => ({
    kind: 'request_ended',
    facts: { ...facts, end: { kind: 'unanswered', after: 'day' } },
  }),
  'waited an hour': (facts) => ({ kind: 'request_ended', facts: { ...facts, end: { kind: 'unanswered', after: 'hour' } } }),
  'did not fit any more': (facts) => ({
    kind: 'request_ended',
    facts: { ...facts, end: { kind: 'impossible', failure: 'exception_limit' } },
  }),
} as const satisfies Record<string, (facts: RequestFacts) => Notification>;
const cases = { ...answers, ...endings, ...forHolder };

const factsOf = (user: User): RequestFacts => ({
  request: 'r',
  incident: 'i',
  activities: [{ kind: 'allowed', device: 'Den PC', what: 'AnyDesk' }],
  device: 'Den PC',
  person: people[user],
  time: new Date('2026-11-21T14:05:00.000Z'),
  time_zone: 'America/New_York',
});

test('the email and SMS about the outcome of a request have the reviewed text for each user and reader (P8.2, P10.2)', () =>
  expectReviewedTexts<keyof typeof cases>(
    'request-outcomes',
    [
      ['was answered with a yes', 'the holder', 'me', 'Mum with a number'],
      ['was answered with a yes', 'the guardian', 'me', 'Mum with a number'],
      ['was answered with a yes, and only its caller can do it', 'the holder', 'me'],
      ['was answered with a yes, and allows a program', 'the guardian', 'me'],
      ['was answered with a no', 'the holder', 'me', 'Mum with a number'],
      ['was answered with a no', 'the guardian', 'Mum with a number'],
      ['was undone by a no', 'the holder', 'me', 'Mum with a number'],
      ['was undone by a no', 'the guardian', 'Mum with a number'],
      ['was answered by the holder', 'the holder', 'Mum with a number'],
      ['was answered by the holder', 'the guardian', 'Mum with a number'],
      ['was answered by the guardian', 'the holder', 'Mum with a number'],
      ['was answered by the guardian', 'the guardian', 'Mum with a number'],
      ['passed after a day', 'the holder', 'me', 'Mum with a number'],
      ['passed after a day', 'the guardian', 'me', 'Mum with a number'],
      ['passed after an hour', 'the holder', 'me'],
      ['was lifted', 'the holder', 'me', 'Mum with a number'],
      ['was lifted', 'the guardian', 'Mum with a number'],
      ['was not answered', 'the holder', 'me', 'Mum with a number'],
      ['waited an hour', 'the holder', 'me'],
      ['did not fit any more', 'the holder', 'me', 'Mum with a number'],
    ],
    (outcome, user, reader) => readNotification(cases[outcome](factsOf(user)), reader),
  ));

test('the late email and SMS about the outcome of a request have the reviewed text (P8.2, P10.2)', () =>
  expectReviewedTexts<keyof typeof cases>(
    'request-outcomes-late',
    (['was answered with a yes', 'was answered with a no', 'passed after a day', 'was lifted'] as const).flatMap((outcome) => [
      [outcome, 'the holder', 'me'],
      [outcome, 'the guardian', 'Mum with a number'],
    ]),
    (outcome, user, reader) => readNotification(cases[outcome](factsOf(user)), reader, true),
  ));

test('each answer of each person has its own notification, which is sent at once', () => {
  const deliveries = Object.values(answers).map((notification) => render(notification(factsOf('me'))).delivery);
  expect(deliveries.map(({ about }) => about)).toEqual([
    'r:yes:carol',
    'r:yes:carol',
    'r:yes:carol',
    'r:no:carol',
    'r:no:carol',
    'r:no:account',
    'r:no:guardian',
  ]);
  expect(new Set(deliveries.map(({ urgency }) => urgency))).toEqual(new Set(['urgent']));
});

test('a request that passed without a yes is notified at once, also with emails off', () => {
  const deliveries = Object.values(endings).map((notification) => render(notification(factsOf('me'))).delivery);
  const rule = { category: 'act', urgency: 'urgent', always: true };
  expect(deliveries).toMatchObject(['r:passed', 'r:passed', 'r:lifted'].map((about) => ({ ...rule, about })));
});

test('the end of a request that changed nothing is emailed to the holder alone, once for each end', () => {
  for (const [end, about] of [
    ['was not answered', 'r:unanswered'],
    ['did not fit any more', 'r:impossible'],
  ] as const) {
    const { delivery, toHolder, toGuardian } = render(forHolder[end](factsOf('me')));
    expect(delivery.about).toBe(about);
    expect(toHolder({ uuid: 'account', name: 'Ann', dashboard_url: 'https://x.example' })).toMatchObject({ email: {}, sms: null });
    expect(toGuardian({ uuid: 'g', name: 'Bob', holder_name: 'Ann', link: 'https://x.example' })).toEqual({ email: null, sms: null });
  }
});
