import { describe, expect, test } from 'vitest';
import { type ConditionName, mixOf, now } from '../testing/safe-mixes.ts';
import { safeSentence } from './safe-sentence.ts';
import { reachProblem, unreachedFacts, unreachedLinks } from './unreached-messages.ts';

type Reach = Parameters<typeof reachProblem>[0];

const failed = (channel: 'mail' | 'sms') => ({ channel, since: now.toISOString(), why: 'refused' as const, reason: '' });
const bob = (changes: Partial<Reach> = {}): Reach => ({
  name: 'Bob Example',
  state: 'active',
  mail: true,
  texts: 'off',
  trouble: failed('mail'),
  unreachable: true,
  ...changes,
});
const newAddress = 'Ask Bob for the right email address. Then remove Bob under Guardians, and add them again.';
const checkNumber = 'Ask Bob to check the phone number on their page.';

test.each<[string, Partial<Reach>, { sentence: string; todo: string } | null]>([
  ['emails fail', {}, { sentence: 'We can’t reach Bob', todo: `Our emails don’t arrive. ${newAddress}` }],
  ['emails and texts fail', { texts: 'on' }, { sentence: 'We can’t reach Bob', todo: `Our emails and texts don’t arrive. ${newAddress}` }],
  [
    'texts alone are on and fail',
    { mail: false, texts: 'on', trouble: failed('sms') },
    { sentence: 'We can’t reach Bob', todo: `Our texts don’t arrive. ${checkNumber}` },
  ],
  ['emails fail and texts work', { texts: 'on', unreachable: false }, { sentence: 'We can’t reach Bob by email', todo: newAddress }],
  [
    'texts fail and emails work',
    { texts: 'on', trouble: failed('sms'), unreachable: false },
    { sentence: 'We can’t reach Bob by text', todo: checkNumber },
  ],
  ['an invitation came back', { state: 'pending' }, { sentence: 'Bob’s invitation came back', todo: newAddress }],
  [
    'everything is switched off',
    { mail: false, trouble: null },
    {
      sentence: 'Bob gets no alerts',
      todo: 'Bob turned emails and texts off, and won’t know when something happens. Talk to Bob about it.',
    },
  ],
  ['all is well', { trouble: null, unreachable: false }, null],
])('[P11.4] what is wrong with the channels of a guardian, when %s', (_title, changes, expected) => {
  expect(reachProblem(bob(changes))).toEqual(expected);
});

describe('[P11.4] on the home screen', () => {
  const unreached = unreachedFacts(
    [bob(), bob({ name: 'Carol', unreachable: false, texts: 'on' }), bob({ name: 'Dan', state: 'pending' })],
    { email: 'ann@example.org', email_fails: true },
  );
  const stateOf = (mix: ConditionName[], plan = true) =>
    safeSentence({ ...mixOf(mix), now, freshness: { moment: now, silent: null }, plan, unreached });

  test('who cannot be reached by any channel comes first when all are protected, in amber, and nobody says Everyone', () => {
    const { mood, lit, sentence, lines } = stateOf(['protected']);
    expect({ mood, lit, sentence }).toEqual({ mood: 'look', lit: false, sentence: 'We can’t reach you by email' });
    expect(lines).toEqual([
      'Our emails to ann@example.org come back. Check your email address on your profile.',
      `We can’t reach Bob. Our emails don’t arrive. ${newAddress}`,
      `Dan’s invitation came back. ${newAddress.replaceAll('Bob', 'Dan')}`,
      'Den PC is on and protected.',
    ]);
    expect(unreachedLinks(unreached, sentence)).toEqual({
      first: { label: 'Check your email address', to: '/profile' },
      others: [{ label: 'See your guardians', to: '/profile/guardians' }],
    });
  });

  test.each<ConditionName>(['not stopped', 'stopped', 'paused', 'no goodbye', 'pending', 'expired code', 'will leave'])(
    'everything about protection comes before: %s',
    (condition) => {
      const { sentence, lines } = stateOf([condition]);
      expect(unreachedLinks(unreached, sentence)).toMatchObject({
        first: undefined,
        others: [{ to: '/profile' }, { to: '/profile/guardians' }],
      });
      expect(sentence).not.toContain('reach');
      const texts = lines.join('\n');
      expect(texts).toContain('We can’t reach you by email.');
      expect(texts.indexOf('We can’t reach you')).toBeLessThan(texts.indexOf('We can’t reach Bob'));
    },
  );

  test('without a computer the first one comes before', () => {
    const { mood, sentence, lines } = stateOf([]);
    expect([mood, sentence, lines[0]]).toEqual([
      'empty',
      'Nobody is protected yet',
      'Add the first computer. It takes about three minutes.',
    ]);
    expect(lines[2]).toContain('We can’t reach Bob.');
  });

  test('there is no such fact while nothing fails', () => {
    expect(unreachedFacts([bob({ trouble: null, unreachable: false })], { email: 'ann@example.org', email_fails: false })).toEqual([]);
    expect(unreachedFacts([], undefined)).toEqual([]);
  });
});
