import { Counter, Histogram, type Registry } from 'prom-client';
import { lanesWith } from '../../jobs/lanes.ts';
import type { SettledJob } from '../../jobs/worker.ts';

/** The lanes of this version. A newer server on the same database may have others, which it counts itself. */
export const laneNames = lanesWith(1).map(({ name }) => name);

const channels = ['mail', 'sms', 'push', 'call'] as const;
type Channel = (typeof channels)[number];
const isChannel = (kind: string): kind is Channel => (channels as readonly string[]).includes(kind);
const resultOf = { done: 'accepted', again: 'again', dead: 'failed' } as const;

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** The key of a detection's own alert: those of unanswered alerts and of messages sent instead have more parts. */
const detectionAlert = new RegExp(`^alert:${uuid}:${uuid}:(?:mail|sms|push)$`);

/** In seconds: a minute is late for the relatives, an hour is the retry of a mail server. */
const buckets = [0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400];

/** Counts each attempt of a job whose result was stored. */
export function jobMetrics(registry: Registry): (job: SettledJob) => void {
  const finished = new Counter({
    name: 'porchlight_jobs_finished_total',
    help: 'Attempts of jobs: done, to be tried again, or given up as a dead letter.',
    labelNames: ['lane', 'result'],
    registers: [registry],
  });
  const deliveries = new Counter({
    name: 'porchlight_deliveries_total',
    help: 'Attempts to hand a message to its carrier: accepted, to be tried again, or failed for good.',
    labelNames: ['channel', 'result'],
    registers: [registry],
  });
  const detectionToAccepted = new Histogram({
    name: 'porchlight_detection_to_accepted_seconds',
    help: 'Time from the moment a detection was stored to the moment the carrier accepted its alert.',
    labelNames: ['channel'],
    buckets,
    registers: [registry],
  });
  // A series that begins with its first event hides that event from rate().
  for (const lane of laneNames) for (const result of Object.keys(resultOf)) finished.inc({ lane, result }, 0);
  for (const channel of channels) {
    for (const result of Object.values(resultOf)) deliveries.inc({ channel, result }, 0);
    if (channel !== 'call') detectionToAccepted.zero({ channel });
  }

  return ({ kind, lane, unique_key, state, created, time }) => {
    finished.inc({ lane, result: state });
    if (!isChannel(kind)) return;
    deliveries.inc({ channel: kind, result: resultOf[state] });
    if (state !== 'done' || !detectionAlert.test(unique_key)) return;
    // Never negative, even when the clock was set back.
    detectionToAccepted.observe({ channel: kind }, Math.max(0, time.getTime() - created.getTime()) / 1000);
  };
}
