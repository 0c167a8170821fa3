import { afterEach, beforeEach, expect, test } from 'vitest';
import { buysByCalls, linksByCalls, registersByCalls } from './calls-of-people.ts';
import { insertPlan } from './insert-people.ts';
import { allRows, namesOf, normalizeText } from './twin-rows.ts';
import { activeGuardian, goodPassword, guardsByCalls, linkedDevice, newcomer, person, type TestServer, testServer } from './world.ts';

/**
 * Tables in which calls leave counts of themselves, which are gone within a day; so are jobs that are done. Every other table must be equal,
 * also a table that is added later.
 */
const passing = ['rate_counts', 'code_callers', 'buckets'];

let called: TestServer;
let inserted: TestServer;
beforeEach(async () => {
  [called, inserted] = await Promise.all([testServer(), testServer()]);
});
afterEach(async () => {
  await called.close();
  await inserted.close();
});

async function rowsOf(server: TestServer): Promise<string[]> {
  const rows = (await allRows(server)).filter((row) => !passing.some((table) => row.startsWith(`${table} `)));
  const lasting = rows.filter((row) => !row.startsWith('jobs ') || row.includes('"done_at": null'));
  // What inserts a row of the queue has no call whose id it could note.
  return lasting.map((row) => row.replace(/"request_id": ("<id>"|null)/, '"request_id"'));
}

/** The payment service's objects, without what only calls leave: their ids, and answers for repeated calls. */
async function shopOf(server: TestServer): Promise<string> {
  const shop = { ...(await server.shop.read((state) => structuredClone(state))), replays: null, passes: null };
  for (const event of Object.values(shop.events)) event.request = { id: null, idempotency_key: null };
  const text = normalizeText(JSON.stringify(shop), await namesOf(server));
  return text.replace(/\b(acct|il|si|li|req|sk_test|whsec)_\w+/g, '<$1>').replace(/ticket=[\w-]+/g, 'ticket=<random>');
}

test('an inserted person without a plan has the rows of one who registered, confirmed and logged in', async () => {
  await registersByCalls(called, 'Ann Example', 'ann@example.org');
  await newcomer(inserted, 'Ann Example', 'ann@example.org');
  const rows = await rowsOf(inserted);
  expect(rows).toEqual(await rowsOf(called));
  expect(rows.filter((row) => row.startsWith('known_networks'))).toHaveLength(1);
});

test('an inserted plan has the rows and the customer of a plan that was bought', async () => {
  const { token } = await registersByCalls(called, 'Ann Example', 'Ann@example.org');
  await buysByCalls(called, token);
  await person(inserted, 'Ann Example', 'Ann@example.org');
  const rows = await rowsOf(inserted);
  expect(rows).toEqual(await rowsOf(called));
  expect(rows.filter((row) => /^(subscriptions|customers|checkouts|jobs)/.test(row)).length).toBeGreaterThanOrEqual(4);
  expect(await shopOf(inserted)).toBe(await shopOf(called));
});

test('an inserted plan has the same rows when the nightly check has stored its customer meanwhile', async () => {
  const email = 'ann@example.org';
  for (const server of [called, inserted]) await newcomer(server, 'Ann Example', email);
  const holderIn = async ({ db }: TestServer) => {
    const { uuid: account, name } = await db
      .selectFrom('accounts')
      .select(['uuid', 'name'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    return { account, name, email };
  };
  await insertPlan(called.people, await holderIn(called));
  const { people, db } = inserted;
  const holder = await holderIn(inserted);
  const at: typeof people.shop.at = async (change) => {
    const answer = await people.shop.at(change);
    const { id } = (answer as { customer: { id: string } }).customer;
    await db.insertInto('customers').values({ account: holder.account, id }).execute();
    return answer;
  };
  await insertPlan({ ...people, shop: { ...people.shop, at } }, holder);
  const rows = await rowsOf(inserted);
  expect(rows).toEqual(await rowsOf(called));
  expect(rows.filter((row) => row.startsWith('customers '))).toHaveLength(1);
});

test('an inserted device has the rows of one whose agent redeemed its code, and a second one too', async () => {
  const { token } = await registersByCalls(called, 'Ann Example', 'ann@example.org');
  await buysByCalls(called, token);
  const ann = await person(inserted, 'Ann Example', 'ann@example.org');
  for (const name of ['Den PC', 'Laptop']) {
    await linksByCalls(called, token, name);
    await linkedDevice(inserted, ann.token, name);
    for (const server of [called, inserted]) server.clock.turn(60_000);
  }
  expect(await rowsOf(inserted)).toEqual(await rowsOf(called));
});

test.each([0, 3])('an inserted guardian has the rows of one who was added %i hours after the device and accepted', async (hours) => {
  const { token } = await registersByCalls(called, 'Ann Example', 'ann@example.org');
  await buysByCalls(called, token);
  await linksByCalls(called, token, 'Den PC');
  const ann = await person(inserted, 'Ann Example', 'ann@example.org');
  await linkedDevice(inserted, ann.token, 'Den PC');
  for (const server of [called, inserted]) {
    server.clock.turn(hours * 3_600_000);
    // Whose session was used last differs; the hours passed for both.
    await server.db.updateTable('sessions').set({ last_used: server.clock.now() }).execute();
    await server.app.worker.idle();
  }
  await guardsByCalls(called, token, 'Bob', 'bob@example.org');
  const bob = await activeGuardian(inserted, ann.token, 'Bob', 'bob@example.org');
  const rows = await rowsOf(inserted);
  expect(rows).toEqual(await rowsOf(called));
  expect(rows.filter((row) => /^(guardians|guardian_sessions|activity_log|deliveries) /.test(row))).toHaveLength(5);
  expect((await inserted.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).status).toBe(200);
});

test('a second guardian of an account is added by calls, because the first one is notified', async () => {
  const { token } = await person(inserted);
  const bob = await activeGuardian(inserted, token);
  await activeGuardian(inserted, token, 'Eve');
  expect((await inserted.mailsTo(bob.email)).map(({ subject }) => subject)).toEqual([expect.stringContaining('Eve')]);
});

test('an inserted person logs in with the password of all test people, and an agent of theirs gets its policy', async () => {
  const { token, email } = await person(inserted);
  const { agent } = await linkedDevice(inserted, token);
  expect((await inserted.call('POST /login/web', { body: { email, password: goodPassword } })).status).toBe(200);
  expect((await inserted.call('GET /agent/policy', { token: agent })).status).toBe(200);
  expect((await inserted.call('GET /web/profile/sub', { token })).body).toMatchObject({ subscribed: true, status: 'trialing' });
});
