import { randomBytes } from 'node:crypto';
import { newState } from '@porchlight/simulators/stripe/state.ts';
import { stripeAt, testStripe } from '@porchlight/simulators/testing/stripe.ts';
import { afterAll, afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openDb } from '../db/open.ts';
import { sharedDocument } from '../lib/shared-document.ts';
import { commonDatabase, withDatabase } from './global-setup.ts';

const { db, close } = openDb(withDatabase(inject('postgres_url'), commonDatabase), 3);
afterAll(close);

let name = '';
let setup: Awaited<ReturnType<typeof testStripe>>;
beforeEach(async () => {
  name = `shop_${randomBytes(6).toString('hex')}`;
  setup = await testStripe(undefined, () => sharedDocument(db, name, () => newState(0)));
});
afterEach(async () => {
  await setup.close();
  await db.deleteFrom('shared_documents').where('name', '=', name).execute();
});

const customers = (n: number) =>
  Promise.all(Array.from({ length: n }, (_, i) => setup.stripe.customers.create({ email: `p${i}@example.org` })));

test('after a restart the Stripe simulator has the same data and keys, and delivers pending events', async () => {
  const { secret_key, webhook_secret } = setup.stripeSimulator.settings;
  await setup.stripeSimulator.pauseDelivery(true);
  const { id, customer } = await setup.buys();
  await setup.restart();
  expect(setup.stripeSimulator.settings).toMatchObject({ secret_key, webhook_secret });
  expect((await setup.stripe.subscriptions.list({ customer })).data).toMatchObject([{ id, status: 'trialing' }]);
  await setup.stripeSimulator.pauseDelivery(false);
  expect(await setup.told()).toHaveLength(5);
  await setup.restart();
  expect(await setup.told()).toEqual([]);
});

test('every answered call to the Stripe simulator is stored, even when many calls are made in parallel', async () => {
  await customers(50);
  const { content } = await db.selectFrom('shared_documents').select('content').where('name', '=', name).executeTakeFirstOrThrow();
  expect(Object.keys((JSON.parse(content) as { customers: object }).customers)).toHaveLength(50);
});

test('[P14.2] two servers share one Stripe simulator: a change on one server is visible on the other, and each event is delivered once', async () => {
  const secondUrl = await setup.second();
  const [firstStripe, secondStripe] = [setup.stripe, stripeAt(secondUrl)];
  expect(secondUrl.settings.secret_key).toBe(setup.stripeSimulator.settings.secret_key);
  const createdCustomers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? firstStripe : secondStripe).customers.create({ email: `p${n}@example.org` })),
  );
  for (const eitherStripe of [firstStripe, secondStripe]) {
    const { data } = await eitherStripe.customers.list({ limit: 100 });
    expect(data.map(({ id }) => id).toSorted()).toEqual(createdCustomers.map(({ id }) => id).toSorted());
  }
  await Promise.all([setup.stripeSimulator.deliver(), secondUrl.deliver()]);
  expect(await setup.told()).toEqual(Array(20).fill('customer.created'));
  await setup.turn(61_000);
  expect(await setup.told()).toEqual([]);
  await secondUrl.close();
});
