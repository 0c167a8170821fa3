import { expect, test } from 'vitest';
import type { PeopleTold } from '../../ports.ts';
import { calmMessages } from '../messages/calm-screen.ts';
import { whoKnows } from './who-knows.ts';

/** Every mix of what our server has said, as the sentence that the person reads. */

const you = (state: PeopleTold[number]['state']) => ({ name: null, state });
const one = (name: string, state: PeopleTold[number]['state'] = 'sent') => ({ name, state });
const family = ['Bob', 'Carol'];

test.each<[string, PeopleTold | null, string[], boolean, string]>([
  ['two guardians were reached', [you('sent'), one('Bob'), one('Carol')], family, true, 'We told Bob and Carol.'],
  ['three were', [one('Bob'), one('Carol'), one('Dan')], family, true, 'We told Bob, Carol, and Dan.'],
  ['one was, and one is still waited for', [you('sent'), one('Bob'), one('Carol', 'waiting')], family, true, 'We told Bob.'],
  ['one was, and one cannot be', [you('sent'), one('Bob', 'failed'), one('Carol')], family, true, 'We told Carol.'],
  [
    'all are waited for',
    [you('sent'), one('Bob', 'waiting'), one('Carol', 'waiting')],
    family,
    true,
    'We are trying to reach Bob and Carol.',
  ],
  ['none can be reached', [you('sent'), one('Bob', 'failed')], ['Bob'], true, 'We could not reach Bob.'],
  ['there is no guardian, and the holder was reached', [you('sent')], [], true, 'We wrote to you.'],
  ['the holder is still waited for', [you('waiting')], [], true, ''],
  ['the holder cannot be reached', [you('failed')], [], true, ''],
  ['nobody is told of anything', [], family, true, ''],
  ['the server has not said yet', null, family, true, ''],
  ['the server was not reached', null, family, false, 'We will tell Bob and Carol as soon as there is a connection.'],
  ['the server was not reached, and nobody is named', null, [], false, ''],
  ['the server said it, and cannot be reached now', [one('Bob')], family, false, 'We told Bob.'],
])('%s', (_what, told, named, reached, sentence) => {
  expect(calmMessages.told(whoKnows(told, named, reached))).toBe(sentence);
});
