import type { Price } from '@porchlight/contract/subscriptions.ts';
import { expect, test } from 'vitest';
import { deviceLimit, offersOf } from './offers.ts';

const price = (id: string, amount: number, interval: Price['interval'], metadata = '{"device_limit":5}'): Price => ({
  id,
  amount,
  interval,
  metadata: { metadata },
});

test('[2.119] the plans of an interval are sorted by price, the highest first', () => {
  const products = [
    { id: 'a', name: 'Small', prices: [price('a_m', 500, 'month', '{"device_limit":1}'), price('a_y', 4000, 'year')] },
    { id: 'b', name: 'Large', prices: [price('b_y', 8000, 'year'), price('b_m', 1000, 'month')] },
    { id: 'c', name: 'Only yearly', prices: [price('c_y', 6000, 'year')] },
  ];
  expect(offersOf(products, 'year').map((o) => o.price)).toEqual(['b_y', 'c_y', 'a_y']);
  expect(offersOf(products, 'month')).toEqual([
    { price: 'b_m', product: 'b', name: 'Large', amount: 1000, interval: 'month', device_limit: 5 },
    { price: 'a_m', product: 'a', name: 'Small', amount: 500, interval: 'month', device_limit: 1 },
  ]);
});

test.each([
  ['{"device_limit":5}', 5],
  ['{"device_limit":1,"more":true}', 1],
  ['{"device_limit":0}', 1],
  ['{"device_limit":2.5}', 1],
  ['{"device_limit":"5"}', 1],
  ['{}', 1],
  ['null', 1],
  ['not JSON', 1],
])('[3.11] the metadata %s mean the device limit %i', (metadata, limit) => {
  expect(deviceLimit({ metadata: { metadata } })).toBe(limit);
});
