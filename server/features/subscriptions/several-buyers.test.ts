import { randomUUID } from 'node:crypto';
import { hour } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trx } from '../../db/open.ts';
import { buyers } from '../../testing/buyer.ts';
import { family, individual, order, pay } from '../../testing/pay.ts';
import { newcomer, type TestServer, testServer, until } from '../../testing/world.ts';
import { checkoutStore } from './checkout-store.ts';
import { subscriptionStore } from './store.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const stripe = () => server.payments.stripe;
const { accountOf, planOf, endPlan } = buyers(() => server);
const checkoutsOf = async (email: string) =>
  server.db
    .selectFrom('checkouts')
    .select(['price', 'done_at'])
    .where('account', '=', (await accountOf(email)).uuid)
    .orderBy('created')
    .execute();

async function isAnyoneWaiting(): Promise<boolean> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await waiting.execute(server.db)).rows.length > 0;
}

async function callsDuring(action: () => Promise<unknown>): Promise<string[]> {
  const requests: string[] = [];
  const note = ({ method, path }: { method: string; path: string }) => void requests.push(`${method} ${path}`);
  stripe().on('request', note);
  await action();
  stripe().off('request', note);
  return requests;
}

test('[P6.1] of two buyers who wait for a payment each is looked up at Stripe, and a former customer without an open page is not', async () => {
  const [firstBuyer, secondBuyer, formerCustomer] = [await newcomer(server), await newcomer(server), await newcomer(server)];
  await pay(server, await order(server, formerCustomer.token));
  await server.stripeSimulator.deliver();
  await endPlan(formerCustomer.email);
  const pages = [await order(server, firstBuyer.token), await order(server, secondBuyer.token)];
  await server.stripeSimulator.pauseDelivery(true);
  server.clock.turn(2000);
  expect(await callsDuring(() => planOf(formerCustomer.token))).toEqual([]);
  for (const page of pages) await pay(server, page);
  for (const { token } of [firstBuyer, secondBuyer]) expect(await planOf(token)).toMatchObject({ subscribed: true });
  // What Stripe says of the second buyer changes nothing of the first one.
  expect(await callsDuring(async () => expect(await planOf(firstBuyer.token)).toMatchObject({ subscribed: true }))).toEqual([]);

  // An ended plan does not keep the next payment from being looked up.
  const nextPage = await order(server, formerCustomer.token);
  await pay(server, nextPage);
  server.clock.turn(2000);
  expect(await planOf(formerCustomer.token)).toMatchObject({ subscribed: true, status: 'active' });
  await server.stripeSimulator.pauseDelivery(false);
  await server.stripeSimulator.deliver();
});

test('[P6.1] a payment page that stayed open beside a plan causes no calls to Stripe', async () => {
  const { token, email } = await newcomer(server);
  await pay(server, await order(server, token));
  await server.stripeSimulator.deliver();
  const { uuid } = await accountOf(email);
  const page = { id: 'cs_beside', account: uuid, price: family, promo: null, created: server.clock.now(), done_at: null };
  await server.db.insertInto('checkouts').values(page).execute();
  server.clock.turn(2000);
  expect(await callsDuring(() => planOf(token))).toEqual([]);
});

test('[P6.1] a payment page is looked up until exactly 25 hours after it was opened', async () => {
  const [firstBuyer, secondBuyer] = [await newcomer(server), await newcomer(server)];
  for (const { token } of [firstBuyer, secondBuyer]) await order(server, token);
  await server.stripeSimulator.pauseDelivery(true);
  server.clock.turn(25 * hour - 1);
  await server.app.worker.idle();
  expect(await callsDuring(() => planOf(firstBuyer.token))).not.toEqual([]);
  server.clock.turn(1);
  expect(await callsDuring(() => planOf(secondBuyer.token))).toEqual([]);
  await server.stripeSimulator.pauseDelivery(false);
});

test('an order and a payment close only the open pages of their buyer, each once', async () => {
  const [buyer, neighbour] = [await newcomer(server), await newcomer(server)];
  const neighboursPage = await order(server, neighbour.token);
  await order(server, buyer.token, individual);
  server.clock.turn(1000);
  await order(server, buyer.token, family);
  const [firstPage] = await checkoutsOf(buyer.email);
  expect(firstPage).toEqual({ price: individual, done_at: server.clock.now() });
  server.clock.turn(1000);
  const calls = await callsDuring(() => order(server, buyer.token, 'price_individual_yearly'));
  expect(calls.filter((call) => call.endsWith('/expire'))).toHaveLength(1);
  expect((await checkoutsOf(buyer.email))[0]).toEqual(firstPage);
  server.clock.turn(1000);
  await pay(server, await order(server, buyer.token, 'price_individual_yearly'));
  await server.stripeSimulator.deliver();
  const pages = await checkoutsOf(buyer.email);
  expect(pages.map(({ price }) => price)).toEqual([individual, family, 'price_individual_yearly']);
  expect(new Set(pages.map(({ done_at }) => done_at?.getTime())).size).toBe(3);
  expect(pages[0]).toEqual(firstPage);
  expect(await checkoutsOf(neighbour.email)).toEqual([{ price: family, done_at: null }]);
  expect(await order(server, neighbour.token)).toBe(neighboursPage);
});

test('a payment page is opened after the previous one of its buyer, and closed without touching another one', async () => {
  const [buyer, neighbour] = [await newcomer(server), await newcomer(server)];
  for (const { token } of [buyer, neighbour]) await order(server, token);
  const [account, neighboursAccount] = [(await accountOf(buyer.email)).uuid, (await accountOf(neighbour.email)).uuid];
  const checkouts = checkoutStore(server.db, server.clock);
  const lockAccount = (trx: Trx) => trx.selectFrom('accounts').select('uuid').where('uuid', '=', account).forUpdate().execute();
  const page = (id: string) => ({ id, price: family, promo: null });
  let isOpen = false;
  const opening = await server.db.transaction().execute(async (trx) => {
    await lockAccount(trx);
    const waiting = checkouts.open(account, page('cs_waiting')).then(() => {
      isOpen = true;
    });
    // A neighbour need not wait.
    await checkouts.open(neighboursAccount, page('cs_neighbour'));
    await until('the page to wait for the lock', () => isOpen || isAnyoneWaiting());
    expect(isOpen).toBe(false);
    return { waiting };
  });
  await opening.waiting;
  await checkouts.done('cs_waiting');
  const closed = (await checkouts.of(account)).find(({ id }) => id === 'cs_waiting');
  expect(closed?.done_at).toEqual(server.clock.now());
  server.clock.turn(1);
  await checkouts.done('cs_waiting');
  expect((await checkouts.of(account)).find(({ id }) => id === 'cs_waiting')).toEqual(closed);
  expect((await checkouts.of(neighboursAccount)).find(({ id }) => id === 'cs_neighbour')?.done_at).toBeNull();
});

test('[P6.1] of two answers that are stored at the same moment the newer one wins, and other accounts keep their own count', async () => {
  const [buyer, neighbour] = [await newcomer(server), await newcomer(server)];
  for (const { token } of [buyer, neighbour]) await order(server, token);
  const [account, neighboursAccount] = [(await accountOf(buyer.email)).uuid, (await accountOf(neighbour.email)).uuid];
  const store = subscriptionStore(server.db, server.clock);
  for (let question = 0; question < 5; question++) await store.nextQuestion(account);
  let olderAnswer: Promise<boolean> | undefined;
  await server.db.transaction().execute(async (trx) => {
    expect(await store.lockForAnswer(trx, account, 1_000_002)).toBe(true);
    olderAnswer = server.db.transaction().execute((otherTrx) => store.lockForAnswer(otherTrx, account, 1_000_001));
    await until('the older answer to wait', isAnyoneWaiting);
  });
  expect(await olderAnswer).toBe(false);
  const isTaken = (id: string, number: number) => server.db.transaction().execute((trx) => store.lockForAnswer(trx, id, number));
  expect(await isTaken(account, 1_000_002)).toBe(false);
  expect(await isTaken(account, 1_000_003)).toBe(true);
  expect(await isTaken(neighboursAccount, 1_000)).toBe(true);
  expect(await isTaken(randomUUID(), 1_000)).toBe(false);
});

test('the nightly job syncs every customer once, also beyond the first page, and deletes events of forty days', async () => {
  const otherServer = await testServer();
  try {
    const { db, clock } = otherServer;
    await sql`insert into accounts (uuid, name, email, password_hash, device_limit, created)
      select gen_random_uuid(), 'Ann', n || '@example.org', '', 0, ${clock.now()} from generate_series(1, 410) n`.execute(db);
    await sql`insert into customers (account, id) select uuid, 'cus_' || md5(email) from accounts`.execute(db);
    const night = new Date('2026-11-22T08:00:00.000Z');
    const event = (id: string, received: Date) => ({ id, type: 'x', customer: null, created: received, received });
    const boundary = night.getTime() - 40 * 24 * hour;
    const events = [event('evt_old', new Date(boundary)), event('evt_kept', new Date(boundary + 1))];
    await db.insertInto('payment_events').values(events).execute();
    clock.turn(night.getTime() - clock.now().getTime());
    await otherServer.app.worker.idle();
    const jobs = await db.selectFrom('jobs').select(['payload', 'run_at']).where('kind', '=', 'plan_sync').execute();
    expect(new Set(jobs.map(({ payload }) => JSON.stringify(payload))).size).toBe(410);
    expect(new Set(jobs.map(({ run_at }) => run_at.getTime())).size).toBeGreaterThan(400);
    expect((await db.selectFrom('payment_events').select('id').execute()).map(({ id }) => id)).toEqual(['evt_kept']);
  } finally {
    await otherServer.close();
  }
});
