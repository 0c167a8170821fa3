import { expect, test } from 'vitest';
import { testServer } from '../../testing/world.ts';
import { untrueSavings } from './saving.ts';

const metadata = { metadata: '{"device_limit":5}' };
const plan = (month: number, year: number) => ({
  id: 'prod_1',
  name: 'Individual',
  prices: [
    ...(month ? [{ id: 'm', amount: month, interval: 'month' as const, metadata }] : []),
    ...(year ? [{ id: 'y', amount: year, interval: 'year' as const, metadata }] : []),
  ],
});
const really = (what: string) => [
  `People read “Yearly (save 33%)”, and a year of Individual really ${what}. Change one of its prices at Stripe, or yearly_saving in contract/limits.ts.`,
];

test.each([
  [1000, 8000, []],
  [999, 7999, []],
  [1000, 10_000, really('saves 17%')],
  [1000, 6000, really('saves 50%')],
  [1000, 12_000, really('saves nothing')],
  [1000, 13_000, really('costs 8% more than twelve months')],
  [1000, 0, []],
  [0, 8000, []],
])('[2.118] %i cents a month and %i a year', (month, year, said) => {
  expect(untrueSavings([plan(month, year)])).toEqual(said);
});

test('[2.118] our own shop sells what people read', async () => {
  const server = await testServer();
  try {
    expect(await server.app.untrueOfPlans()).toEqual([]);
  } finally {
    await server.close();
  }
});
