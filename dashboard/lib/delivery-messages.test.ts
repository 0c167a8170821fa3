import type { NotificationDelivery } from '@porchlight/contract/alerts.ts';
import { expect, test } from 'vitest';
import { deliveryMessage } from './delivery-messages.ts';

const delivery = (
  name: string,
  channel: NotificationDelivery['channel'],
  state: NotificationDelivery['state'] = 'sent',
): NotificationDelivery => ({
  name,
  guardian: name === 'You' ? null : `uuid of ${name}`,
  channel,
  state,
  time: '2026-11-21T14:03:00.000Z',
  why: state === 'failed' ? 'no_address' : null,
  reason: state === 'failed' ? 'The address does not exist.' : null,
});

test.each<[string, NotificationDelivery[], string]>([
  ['nobody', [], ''],
  ['the holder alone', [delivery('You', 'mail')], 'you by email'],
  [
    'everybody by all channels, in their order',
    [delivery('Bob', 'push'), delivery('Bob', 'sms'), delivery('Bob', 'mail')],
    'Bob by email, text, and notification',
  ],
  [
    'everybody, each way once, and mail before text',
    [delivery('You', 'mail'), delivery('Bob', 'sms'), delivery('Bob', 'mail')],
    'you by email, Bob by email and text',
  ],
  ['who is only waiting or was not reached is not among them', [delivery('Bob', 'mail', 'waiting'), delivery('Cid', 'mail', 'failed')], ''],
])('the summary of deliveries: %s', (_title, deliveries, recipients) => {
  expect(deliveryMessage(deliveries).reached).toBe(recipients);
});

test('deliveries to two guardians with the same name count as two people', () => {
  const otherBob = { ...delivery('Bob', 'sms'), guardian: 'another' };
  expect(deliveryMessage([delivery('Bob', 'mail'), otherBob]).reached).toBe('Bob by email, Bob by text');
});

test('deliveries that wait are listed apart from those that failed', () => {
  const deliveries = [delivery('You', 'mail'), delivery('Bob', 'mail', 'failed'), delivery('Bob', 'sms', 'waiting')];
  expect(deliveryMessage(deliveries).failed).toEqual([deliveries[1]]);
  expect(deliveryMessage(deliveries).waiting).toEqual([deliveries[2]]);
});
