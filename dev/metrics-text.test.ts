import { expect, test } from 'vitest';
import { metricsRead, readMetrics } from './metrics-text.ts';

test('the metrics of an expression are read with the labels that it selects and groups by', () => {
  const expr =
    'sum by (job, le) (rate(porchlight_a_seconds_bucket{channel!="call",status=~"5.."}[5m])) > on (job) porchlight_b_total and up == 0';
  expect(metricsRead(expr)).toEqual([
    { name: 'porchlight_a_seconds', labels: ['job', 'le', 'job', 'channel', 'status'] },
    { name: 'porchlight_b_total', labels: ['job', 'le', 'job'] },
    { name: 'up', labels: ['job', 'le', 'job'] },
  ]);
});

test('the metrics of a server are read with their labels, and without them where there is no value', () => {
  const text = `# HELP a_seconds A time.
# TYPE a_seconds histogram
a_seconds_bucket{channel="mail",le="0.5"} 1
a_seconds_sum{channel="mail"} 0.25
a_seconds_count{channel="mail"} 1
# HELP b_total A number.
# TYPE b_total counter
b_total{route="/api/\\"x\\", y=z",status="200"} 3
# HELP c When it was.
# TYPE c gauge
`;
  expect([...readMetrics(text)]).toEqual([
    ['a_seconds', { labels: ['channel'] }],
    ['b_total', { labels: ['route', 'status'] }],
    ['c', { labels: null }],
  ]);
});
