import type { IncidentDelivery } from '@porchlight/contract/incidents.ts';
import { expect, test } from 'vitest';
import { deliveryMessage } from '../../lib/delivery-messages.ts';
import { messages } from './messages.ts';
import { deliveriesByPerson, type Reader, userFor } from './reader.ts';

const delivery = (recipient: string, guardian: string | null, facts: Partial<IncidentDelivery> = {}): IncidentDelivery => ({
  name: facts.you ? 'You' : recipient,
  guardian,
  recipient,
  you: false,
  channel: 'mail',
  state: 'sent',
  time: '2026-11-21T19:05:00.000Z',
  why: null,
  reason: null,
  about: 'alert',
  ...facts,
});
const bob: Reader = { kind: 'guardian', holder: 'Ann' };

test('a guardian reads the holder by name, and themselves as “you”; so does the holder', () => {
  // No ids are sent to guardians.
  const guardians = [delivery('Ann', null), delivery('Bob', null, { you: true }), delivery('Carol', null)];
  expect(deliveryMessage(deliveriesByPerson(guardians)).reached).toBe('Ann by email, you by email, Carol by email');
  const holders = [delivery('Ann Example', null, { you: true }), delivery('Bob', 'bob'), delivery('Carol', 'carol')];
  expect(deliveryMessage(deliveriesByPerson(holders)).reached).toBe('you by email, Bob by email, Carol by email');
});

test('a person whom one notification reached by a channel is not shown as missed by another one; a person whom none reached is', () => {
  const failed = { state: 'failed', reason: 'The address does not exist.' } as const;
  const deliveries = [
    delivery('Bob', 'bob', failed),
    delivery('Bob', 'bob', { about: 'unanswered' }),
    delivery('Carol', 'carol', failed),
    delivery('Carol', 'carol', { about: 'unanswered', ...failed }),
  ];
  const { reached, failed: missed } = deliveryMessage(deliveriesByPerson(deliveries));
  expect([reached, missed.map(({ name }) => name)]).toEqual(['Bob by email', ['Carol']]);
});

const mum = { name: 'Mum', phone_number: '+12025550143', is_holder: false };

test.each<[string, Reader, typeof mum | null, string]>([
  ['the holder at their own computer', { kind: 'holder' }, null, 'Hang up'],
  ['the holder of somebody else’s computer', { kind: 'holder' }, mum, 'Get Mum off the phone'],
  ['the holder, without a name of the user', { kind: 'holder' }, { ...mum, name: '' }, 'Hang up'],
  ['a guardian', bob, null, 'Get Ann off the phone'],
])('the first step for %s', (_title, reader, person, words) => {
  expect(messages.todo.steps(userFor(reader, { name: 'Den PC', person })).hang_up).toBe(words);
});
