import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { fallbackKey } from '../../notifications/fallback-jobs.ts';
import { nobodyAnsweredAbout } from '../../notifications/render/nobody-answered.ts';
import { readScrape } from '../../testing/scrape.ts';
import { jobMetrics } from './job-metrics.ts';
import { newRegistry } from './metrics.ts';

const [alert, recipient] = [randomUUID(), randomUUID()];
const own = `alert:${alert}:${recipient}:sms`;

test.each([
  ['the alert of a detection', own, 'done', 1],
  ['an alert that will be tried again', own, 'again', 0],
  ['an alert that failed', own, 'dead', 0],
  ['a text instead of an email that failed', fallbackKey(own), 'done', 0],
  ['a second message because nobody answered', `alert:${nobodyAnsweredAbout(alert, 1)}:${recipient}:sms`, 'done', 0],
  ['a code', `code:${alert}`, 'done', 0],
] as const)('only an accepted alert of a detection counts in the time to the carrier: %s', async (_what, unique_key, state, count) => {
  const registry = newRegistry();
  const observe = jobMetrics(registry);
  const created = new Date('2026-11-21T14:05:00.000Z');
  observe({ kind: 'sms', lane: 'sms_urgent', unique_key, state, created, time: new Date(created.getTime() + 2_500) });
  const series = readScrape(await registry.metrics());
  expect(series.get('porchlight_detection_to_accepted_seconds_count{channel="sms"}') ?? 0).toBe(count);
  expect(series.get('porchlight_detection_to_accepted_seconds_sum{channel="sms"}') ?? 0).toBe(count * 2.5);
  const result = { done: 'accepted', again: 'again', dead: 'failed' }[state];
  expect(series.get(`porchlight_deliveries_total{channel="sms",result="${result}"}`)).toBe(1);
});
