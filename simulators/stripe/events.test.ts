import { minute } from '@porchlight/contract/time.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testStripe } from '../testing/stripe.ts';
import { takeDelivery } from './delivery.ts';

let world: Awaited<ReturnType<typeof testStripe>>;
beforeEach(async () => {
  world = await testStripe();
});
afterEach(() => world.close());

const customers = (n: number) =>
  Promise.all(Array.from({ length: n }, (_, i) => world.stripe.customers.create({ email: `p${i}@example.org` })));

test("Stripe's library verifies an event's signature, but not with a re-serialised body, another secret or an age over 300 s", async () => {
  await customers(1);
  await world.stripeSimulator.deliver();
  const { body, signature } = world.sent[0] ?? expect.unreachable();
  const { webhooks } = world.stripe;
  const { webhook_secret } = world.stripeSimulator.settings;
  const now = world.clock.now().getTime();
  const read = (text = body, secret = webhook_secret, at = now) => webhooks.constructEvent(text, signature, secret, 300, undefined, at);
  expect(read()).toMatchObject({ object: 'event', type: 'customer.created', livemode: false, api_version: '2026-09-30.endive' });
  expect(() => read(JSON.stringify(JSON.parse(body)))).toThrow(/signature/i);
  expect(() => read(body, 'whsec_other')).toThrow(/signature/i);
  expect(() => read(body, webhook_secret, now + 300_000)).not.toThrow();
  expect(() => read(body, webhook_secret, now + 301_000)).toThrow(/tolerance/i);
});

test('an event without a 2xx answer is sent again after 10 s, 1, 5, 30 minutes, 2, 5, 10 hours, then every 12, for three days', async () => {
  world.answers(() => 503);
  await customers(1);
  await world.stripeSimulator.deliver();
  const startTime = world.clock.now().getTime();
  for (let hours = 0; hours < 120; hours += 1 / 360) {
    await world.turn(10_000);
    if (hours > 1) break;
  }
  for (let i = 0; i < 120 * 60; i++) await world.turn(minute);
  const minutes = world.sent.map(({ at }) => Math.round((new Date(at).getTime() - startTime) / 6000) / 10);
  expect(minutes.slice(0, 5).map(Math.round)).toEqual([0, 0, 1, 6, 36]);
  expect(minutes.slice(1, 3)).toEqual([0.2, 1.2]);
  expect(minutes.at(-1)).toBeLessThanOrEqual(72 * 60);
  expect(minutes.at(-1)).toBeGreaterThan(56 * 60);
  expect(new Set(world.sent.map(({ body }) => (JSON.parse(body) as { id: string }).id)).size).toBe(1);
  expect(new Set(world.sent.map(({ signature }) => signature)).size).toBe(world.sent.length);
});

test('paused events are sent in order after a resume, and a refused event does not delay other events', async () => {
  await world.stripeSimulator.pauseDelivery(true);
  const { id } = await world.buys();
  await world.turn(minute);
  expect(world.sent).toEqual([]);
  await world.stripeSimulator.pauseDelivery(false);
  world.answers((type) => (type === 'invoice.paid' ? 500 : 200));
  expect(await world.told()).toEqual([
    'customer.created',
    'invoice.created',
    'invoice.paid',
    'customer.subscription.created',
    'checkout.session.completed',
  ]);
  world.answers(() => 200);
  await world.turn(10_000);
  expect(await world.told()).toEqual(['invoice.paid']);
  await world.turn(60 * minute);
  expect(await world.told()).toEqual([]);
  expect((await world.stripe.events.list({ type: 'customer.subscription.created' })).data).toMatchObject([
    { data: { object: { id } }, pending_webhooks: 0 },
  ]);
});

test('when a server dies before it sends a claimed event, another server sends the event a minute later', async () => {
  await world.stripeSimulator.pauseDelivery(true);
  await world.stripe.customers.create({});
  await world.stripeSimulator.at((shop) => {
    shop.state.held = false;
    takeDelivery(shop);
  });
  expect(await world.told()).toEqual([]);
  await world.turn(60_000);
  expect(await world.told()).toEqual(['customer.created']);
});
