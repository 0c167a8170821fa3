import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer, until } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());
beforeEach(() => server.pushes.fail(null));

let browserCount = 0;

/** A holder with one browser, and a guardian without. */
async function household() {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  const { agent } = await linkedDevice(server, token);
  const label = `Phone ${browserCount++}`;
  const subscription = await server.pushes.subscribe(label);
  await server.call('POST /web/push', { token, body: subscription });
  return {
    ...{ token, email, bob, label, subscription },
    async alert() {
      const reported = detection(server, { identifier: crypto.randomUUID(), certainty: 'certain' });
      await server.call('POST /agent/detections', { token: agent, body: { detections: [reported] } });
      return reported.uuid;
    },
    async byPush(alert: string) {
      await server.app.worker.idle();
      const { notified } = (await server.call(`GET /web/detections/${alert}`, { token })).body;
      return (notified as unknown as { channel: string }[]).find(({ channel }) => channel === 'push');
    },
  };
}

/** What came to a browser about an alert. Later rounds of its incident are messages of their own. */
const bodiesOf = async (label: string, alert: string) =>
  (await server.pushes.to(label)).filter(({ tag }) => tag === `alert:${alert}`).map(({ body }) => body);
const subscriptionsOf = async (token: string) => {
  const { account } = await server.db
    .selectFrom('push_subscriptions')
    .select('account')
    .where('account', '=', await accountOf(token))
    .executeTakeFirst()
    .then((row) => row ?? { account: null });
  return account;
};
const accountOf = async (token: string) => {
  const email = String((await server.call('GET /web/profile', { token })).body.email);
  return (await server.db.selectFrom('accounts').select('uuid').where('email', '=', email).executeTakeFirstOrThrow()).uuid;
};

test('[P11.6] a subscription that the browser has ended is deleted, the holder reads that, and the next alert goes by email alone', async () => {
  const { token, email, label, subscription, alert, byPush } = await household();
  await server.pushes.end(subscription.endpoint);
  const first = await alert();
  expect(await byPush(first)).toMatchObject({
    state: 'failed',
    reason: 'Their browser takes no notifications anymore. They can switch them on again on their page.',
  });
  expect(await subscriptionsOf(token)).toBeNull();
  const second = await alert();
  expect(await byPush(second)).toBeUndefined();
  expect((await server.mailsTo(email)).filter(({ subject }) => subject.includes('blocked')).length).toBe(2);
  expect(await server.pushes.to(label)).toEqual([]);
});

test('[P11.6] one browser that has ended keeps the message from no other browser, and only its own row goes', async () => {
  const { token, label, alert, byPush } = await household();
  const ended = await server.pushes.subscribe('An old phone');
  await server.call('POST /web/push', { token, body: ended });
  await server.pushes.end(ended.endpoint);
  const uuid = await alert();
  expect(await byPush(uuid)).toMatchObject({ state: 'sent', reason: null });
  expect((await bodiesOf(label, uuid)).length).toBe(1);
  const rows = await server.db
    .selectFrom('push_subscriptions')
    .select('person')
    .where('account', '=', await accountOf(token))
    .execute();
  expect(rows.length).toBe(1);
});

test('[P11.6] a push service that asks to come back later is not asked before, and gets the message then, which says when it happened', async () => {
  const { token, label, alert, byPush } = await household();
  server.pushes.fail({ status: 429, retry_after: '900' });
  const uuid = await alert();
  expect(await byPush(uuid)).toMatchObject({ state: 'waiting', reason: expect.stringContaining('We keep trying for an hour') });
  server.pushes.fail(null);
  server.clock.turn(14 * minute);
  expect(await bodiesOf(label, uuid)).toEqual([]);
  server.clock.turn(minute);
  expect((await bodiesOf(label, uuid)).map((body) => body.slice(0, 41))).toEqual(['This happened at 9:05 AM, 15 minutes ago.']);
  expect(await byPush(uuid)).toMatchObject({ state: 'sent', reason: null });
  expect(await subscriptionsOf(token)).not.toBeNull();
});

test('[P11.6] after an hour a push message is given up, however the push service fails, and its content is deleted', async () => {
  const { token, label, alert, byPush } = await household();
  server.pushes.fail({ status: 500 });
  const uuid = await alert();
  for (let passed = 0; passed < 59; passed++) {
    await server.app.worker.idle();
    server.clock.turn(minute);
  }
  expect(await byPush(uuid)).toMatchObject({ state: 'waiting' });
  server.clock.turn(minute);
  expect(await byPush(uuid)).toMatchObject({ state: 'failed', reason: expect.stringContaining('did not get through for an hour') });
  server.pushes.fail(null);
  server.clock.turn(24 * 60 * minute);
  expect(await bodiesOf(label, uuid)).toEqual([]);
  const job = await server.db
    .selectFrom('jobs')
    .select(['payload', 'why'])
    .where('unique_key', '=', `alert:${uuid}:${await accountOf(token)}:push`)
    .executeTakeFirst();
  expect(job).toEqual({ payload: {}, why: 'too_late' });
  expect(await subscriptionsOf(token)).not.toBeNull();
});

test('a message that the push service refuses is not tried again, and the subscription stays', async () => {
  const { token, alert, byPush } = await household();
  server.pushes.fail({ status: 400 });
  const uuid = await alert();
  expect(await byPush(uuid)).toMatchObject({ state: 'failed' });
  expect(await subscriptionsOf(token)).not.toBeNull();
  expect(server.logged()).toContain('the message was refused (400)');
  expect(server.logged()).not.toContain('push-simulator.invalid');
});

test('[P11.6] a push service that does not answer delays neither emails nor other jobs', async () => {
  const [one, another] = [await household(), await household()];
  server.pushes.fail('hang');
  const alerts: string[] = [];
  for (let i = 0; i < 5; i++) alerts.push(await one.alert(), await another.alert());
  const sentMails = async () =>
    (
      await server.db
        .selectFrom('deliveries')
        .select('key')
        .where('about', 'in', alerts)
        .where('channel', '=', 'mail')
        .where('state', '=', 'sent')
        .execute()
    ).length;
  // A message waits ten seconds for its push service.
  await until('all emails have left', async () => (await sentMails()) === 20, 5000);
  const pushes = await server.db
    .selectFrom('deliveries')
    .select('state')
    .where('about', 'in', alerts)
    .where('channel', '=', 'push')
    .execute();
  expect(pushes.map(({ state }) => state)).toEqual(Array.from({ length: 10 }, () => 'waiting'));
  server.pushes.fail(null);
  await server.app.worker.idle();
  server.clock.turn(minute);
  const arrived = (await server.pushes.to(one.label)).filter(({ tag }) => alerts.some((alert) => tag === `alert:${alert}`));
  expect(arrived.length).toBe(5);
});
