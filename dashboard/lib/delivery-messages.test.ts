import type { Told } from '@porchlight/contract/alerts.ts';
import { expect, test } from 'vitest';
import { deliveryMessage } from './delivery-messages.ts';

const one = (name: string, channel: Told['channel'], state: Told['state'] = 'sent'): Told => ({
  name,
  guardian: name === 'You' ? null : `uuid of ${name}`,
  channel,
  state,
  time: '2026-11-21T14:03:00.000Z',
  reason: state === 'failed' ? 'The address does not exist.' : null,
});

test.each<[string, Told[], string]>([
  ['nobody', [], ''],
  ['the holder alone', [one('You', 'mail')], 'you by email'],
  [
    'everybody, each way once, and mail before text',
    [one('You', 'mail'), one('Bob', 'sms'), one('Bob', 'mail')],
    'you by email, Bob by email and text',
  ],
  ['who is only waiting or was not reached is not among them', [one('Bob', 'mail', 'waiting'), one('Cid', 'mail', 'failed')], ''],
])('told: %s', (_title, told, reached) => {
  expect(deliveryMessage(told).reached).toBe(reached);
});

test('deliveries to two guardians with the same name count as two people', () => {
  const other = { ...one('Bob', 'sms'), guardian: 'another' };
  expect(deliveryMessage([one('Bob', 'mail'), other]).reached).toBe('Bob by email, Bob by text');
});

test('deliveries that wait are listed apart from those that failed', () => {
  const told = [one('You', 'mail'), one('Bob', 'mail', 'failed'), one('Bob', 'sms', 'waiting')];
  expect(deliveryMessage(told).failed).toEqual([told[1]]);
  expect(deliveryMessage(told).waiting).toEqual([told[2]]);
});
