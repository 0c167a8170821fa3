import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { worker } from '../../jobs/worker.ts';
import { plansWith } from '../../testing/fake-stripe.ts';
import { person, type TestServer, testServer } from '../../testing/world.ts';
import { nightAfter } from './nightly.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const jobs = (kind: string) => server.db.selectFrom('jobs').selectAll().where('kind', '=', kind).execute();

async function secondServer() {
  const { db, clock } = server;
  const { night } = plansWith(server, server.payments);
  await night.queueNext();
  const silentLog = { warn: () => {}, error: () => {} };
  return worker({ db, clock, listener: { on: () => {}, close: async () => {} }, handlers: night.handlers, log: silentLog });
}

test('[P6.1] with two servers every customer is synced once a night, and the next night is queued once', async () => {
  await Promise.all([person(server), person(server), person(server)]);
  await server.stripeSimulator.pauseDelivery(true);
  const secondWorker = await secondServer();
  const requests: string[] = [];
  const count = ({ path }: { path: string }) => {
    if (path.startsWith('/v1/subscriptions')) requests.push(path);
  };
  for (let night = 1; night <= 2; night++) {
    server.clock.turn(day);
    server.payments.stripe.on('request', count);
    await Promise.all([server.app.worker.idle(), secondWorker.idle()]);
    server.clock.turn(99);
    await Promise.all([server.app.worker.idle(), secondWorker.idle()]);
    expect(requests).toHaveLength((night - 1) * 3 + 1);
    server.clock.turn(101);
    await Promise.all([server.app.worker.idle(), secondWorker.idle()]);
    server.payments.stripe.off('request', count);
    expect(requests).toHaveLength(night * 3);
    expect(new Set(requests).size).toBe(3);
    expect(await jobs('plan_night')).toHaveLength(night + 1);
  }
  await secondWorker.close();
  await server.stripeSimulator.pauseDelivery(false);
});

test('the nightly job runs at eight in the morning UTC, and is queued for the future only', () => {
  const nextNight = (moment: string) => nightAfter(new Date(moment)).toISOString();
  expect(nextNight('2026-11-21T07:59:59.999Z')).toBe('2026-11-21T08:00:00.000Z');
  expect(nextNight('2026-11-21T08:00:00.000Z')).toBe('2026-11-22T08:00:00.000Z');
  expect(nextNight('2026-12-31T14:05:00.000Z')).toBe('2027-01-01T08:00:00.000Z');
});
