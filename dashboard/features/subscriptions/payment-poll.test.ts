import { expect, test } from 'vitest';
import { paymentWaits } from './payment-poll.ts';

test('[4.20] [9.7] the payment poll waits 300 ms, then half as long again each time, and ends before a wait above 30,000 ms', () => {
  const waits = paymentWaits();
  expect(waits.slice(0, 4)).toEqual([300, 450, 675, 1012.5]);
  expect(waits).toHaveLength(12);
  expect(waits.at(-1)).toBeCloseTo(25_949.27, 2);
  expect((waits.at(-1) ?? 0) * 1.5).toBeGreaterThan(30_000);
});
