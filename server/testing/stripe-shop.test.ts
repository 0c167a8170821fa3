import { randomBytes } from 'node:crypto';
import { newState } from '@porchlight/simulators/stripe/state.ts';
import { stripeAt, testStripe } from '@porchlight/simulators/testing/stripe.ts';
import { afterAll, afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openDb } from '../db/open.ts';
import { sharedDocument } from '../lib/shared-document.ts';
import { common, withDatabase } from './global-setup.ts';

const { db, close } = openDb(withDatabase(inject('postgres_url'), common), 3);
afterAll(close);

let name = '';
let world: Awaited<ReturnType<typeof testStripe>>;
beforeEach(async () => {
  name = `shop_${randomBytes(6).toString('hex')}`;
  world = await testStripe(undefined, () => sharedDocument(db, name, () => newState(0)));
});
afterEach(async () => {
  await world.close();
  await db.deleteFrom('shared_documents').where('name', '=', name).execute();
});

const customers = (n: number) =>
  Promise.all(Array.from({ length: n }, (_, i) => world.stripe.customers.create({ email: `p${i}@example.org` })));

test('after a restart everything is still there, on the same keys, and what was not delivered is delivered', async () => {
  const { secret_key, webhook_secret } = world.stripeSimulator.settings;
  await world.stripeSimulator.hold(true);
  const { id, customer } = await world.buys();
  await world.restart();
  expect(world.stripeSimulator.settings).toMatchObject({ secret_key, webhook_secret });
  expect((await world.stripe.subscriptions.list({ customer })).data).toMatchObject([{ id, status: 'trialing' }]);
  await world.stripeSimulator.hold(false);
  expect(await world.told()).toHaveLength(5);
  await world.restart();
  expect(await world.told()).toEqual([]);
});

test('what was answered is stored, also when many come at once', async () => {
  await customers(50);
  const { content } = await db.selectFrom('shared_documents').select('content').where('name', '=', name).executeTakeFirstOrThrow();
  expect(Object.keys((JSON.parse(content) as { customers: object }).customers)).toHaveLength(50);
});

test('[P14.2] two servers have one shop: what is done on either is there on both, and each event is delivered once', async () => {
  const second = await world.second();
  const [here, there] = [world.stripe, stripeAt(second)];
  expect(second.settings.secret_key).toBe(world.stripeSimulator.settings.secret_key);
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? here : there).customers.create({ email: `p${n}@example.org` })),
  );
  for (const one of [here, there]) {
    const { data } = await one.customers.list({ limit: 100 });
    expect(data.map(({ id }) => id).toSorted()).toEqual(made.map(({ id }) => id).toSorted());
  }
  await Promise.all([world.stripeSimulator.deliver(), second.deliver()]);
  expect(await world.told()).toEqual(Array(20).fill('customer.created'));
  await world.turn(61_000);
  expect(await world.told()).toEqual([]);
  await second.close();
});
