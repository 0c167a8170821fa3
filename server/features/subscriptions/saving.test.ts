import { expect, test } from 'vitest';
import { testServer } from '../../testing/world.ts';
import { wrongSavings } from './saving.ts';

const metadata = { metadata: '{"device_limit":5}' };
const plan = (month: number, year: number) => ({
  id: 'prod_1',
  name: 'Individual',
  prices: [
    ...(month ? [{ id: 'm', amount: month, interval: 'month' as const, metadata }] : []),
    ...(year ? [{ id: 'y', amount: year, interval: 'year' as const, metadata }] : []),
  ],
});
const expectedSentences = (claim: string) => [
  `People read “Yearly (save 33%)”, and a year of Individual really ${claim}. Change one of its prices at Stripe, or yearly_saving in contract/limits.ts.`,
];

test.each([
  [1000, 8000, []],
  [999, 7999, []],
  [1000, 10_000, expectedSentences('saves 17%')],
  [1000, 6000, expectedSentences('saves 50%')],
  [1000, 12_000, expectedSentences('saves nothing')],
  [1000, 13_000, expectedSentences('costs 8% more than twelve months')],
  [1000, 0, []],
  [0, 8000, []],
])('[2.118] the advertised saving is checked as expected for %i cents a month and %i a year', (month, year, sentences) => {
  expect(wrongSavings([plan(month, year)])).toEqual(sentences);
});

test('[2.118] our own products have the advertised saving', async () => {
  const server = await testServer();
  try {
    expect(await server.app.wrongPlanStatements()).toEqual([]);
  } finally {
    await server.close();
  }
});
