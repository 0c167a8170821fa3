import { expect, test } from 'vitest';
import type { NotifiedPeople } from '../../ports.ts';
import { calmMessages } from '../messages/calm-screen.ts';
import { whoKnows } from './who-knows.ts';

const you = (state: NotifiedPeople[number]['state']) => ({ name: null, state });
const person = (name: string, state: NotifiedPeople[number]['state'] = 'sent') => ({ name, state });
const relatives = ['Bob', 'Carol'];

test.each<[string, NotifiedPeople | null, string[], boolean, string]>([
  ['two guardians were reached', [you('sent'), person('Bob'), person('Carol')], relatives, true, 'We wrote to Bob and Carol.'],
  ['three were', [person('Bob'), person('Carol'), person('Dan')], relatives, true, 'We wrote to Bob, Carol, and Dan.'],
  ['one was, and one is still waited for', [you('sent'), person('Bob'), person('Carol', 'waiting')], relatives, true, 'We wrote to Bob.'],
  ['one was, and one cannot be', [you('sent'), person('Bob', 'failed'), person('Carol')], relatives, true, 'We wrote to Carol.'],
  [
    'all are waited for',
    [you('sent'), person('Bob', 'waiting'), person('Carol', 'waiting')],
    relatives,
    true,
    'We are trying to reach Bob and Carol.',
  ],
  ['none can be reached', [you('sent'), person('Bob', 'failed')], ['Bob'], true, 'We couldn’t reach Bob.'],
  ['there is no guardian, and the holder was reached', [you('sent')], [], true, 'We wrote to you.'],
  ['the holder is still waited for', [you('waiting')], [], true, ''],
  ['the holder cannot be reached', [you('failed')], [], true, ''],
  ['nobody is told of anything', [], relatives, true, ''],
  ['the server has not said yet', null, relatives, true, ''],
  ['the server was not reached', null, relatives, false, 'We’ll write to Bob and Carol as soon as there is a connection.'],
  ['the server was not reached, and nobody is named', null, [], false, ''],
  ['the server said it, and cannot be reached now', [person('Bob')], relatives, false, 'We wrote to Bob.'],
])('the calm screen says only what is known about notifications when %s', (_what, notified, guardians, reached, sentence) => {
  expect(calmMessages.notified(whoKnows(notified, guardians, reached))).toBe(sentence);
});
