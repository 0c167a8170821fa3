import type { NotificationDelivery } from '@porchlight/contract/alerts.ts';
import { expect, test } from 'vitest';
import { deliveryMessage } from '../../lib/delivery-messages.ts';
import { messages } from './messages.ts';
import { deliveriesFor, type Reader, userFor } from './reader.ts';

const delivery = (name: string, guardian: string | null): NotificationDelivery => ({
  name,
  guardian,
  channel: 'mail',
  state: 'sent',
  time: '2026-11-21T19:05:00.000Z',
  reason: null,
});
const deliveries = [delivery('You', null), delivery('Bob', 'bob'), delivery('Carol', 'carol')];
const bob: Reader = { kind: 'guardian', id: 'bob', holder: 'Ann' };

test('a guardian reads the holder by name, and themselves as “you”', () => {
  expect(deliveryMessage(deliveriesFor(bob, deliveries)).reached).toBe('Ann by email, you by email, Carol by email');
  expect(deliveryMessage(deliveriesFor({ kind: 'holder' }, deliveries)).reached).toBe('you by email, Bob by email, Carol by email');
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
