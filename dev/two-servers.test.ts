import { join } from 'node:path';
import { findPostmaster } from '@porchlight/server/db/embedded/postmaster.ts';
import { urlOf } from '@porchlight/server/db/embedded/probe.ts';
import { openDb } from '@porchlight/server/db/open.ts';
import { enqueuer } from '@porchlight/server/jobs/queue.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Refused } from './call.ts';
import { confirmedPerson, payAt } from './people.ts';
import { until } from './until.ts';
import { startWorld, type World } from './world.ts';

/** Two server processes on one PostgreSQL, each with the built-in simulators. */

let first: World;
let second: World;
let databaseUrl: string;
const env = { SECRET_KEY: 'one secret key for both of the servers' };
beforeAll(async () => {
  first = await startWorld({ env });
  const postmaster = await findPostmaster(join(first.dataDir, 'postgres', 'cluster'));
  databaseUrl = urlOf(postmaster?.socketFolder ?? '');
  second = await startWorld({ env, databaseUrl });
}, 180_000);
afterAll(async () => {
  await second?.close();
  await first?.close();
});

test('[P14.2] what is ordered on one server is managed on the other, and no night on either ends it', async () => {
  const ann = await confirmedPerson(first);
  // Mails are in one mailbox, whichever server took them.
  expect((await second.mailbox()).filter(({ to }) => to.includes(ann.email))).not.toEqual([]);
  const order = { price: 'price_family_yearly', promo: null };
  await payAt(await call(first.url, 'POST /web/profile/sub/order', { token: ann.token, body: order }));
  const planOn = ({ url }: World) => call(url, 'GET /web/profile/sub', { token: ann.token });
  for (const world of [first, second]) expect(await planOn(world)).toMatchObject({ subscribed: true, device_limit: 5 });

  for (const world of [second, first]) {
    const portal = await call(world.url, 'POST /web/profile/sub/portal', { token: ann.token });
    expect(portal).toContain(`${world.url}/dev/payments/portal/`);
    expect((await fetch(portal, { redirect: 'manual' })).status).toBe(303);
    const again = call(world.url, 'POST /web/profile/sub/order', { token: ann.token, body: order });
    await expect(again).rejects.toSatisfy((reason: Refused) => reason.code === 'subscription_open');
  }

  const { db, close } = openDb(databaseUrl, 2);
  try {
    const { account } = await db.selectFrom('customers').select('account').executeTakeFirstOrThrow();
    // As many looks as a fortnight of nights on both has; either server takes some.
    const enqueue = enqueuer({ now: () => new Date() });
    for (let night = 0; night < 14; night += 1) await enqueue(db, 'plan_sync', `plan:sync:test:${night}`, { account });
    const done = () => db.selectFrom('jobs').select('id').where('kind', '=', 'plan_sync').where('done_at', 'is not', null).execute();
    await until('the nights to be over', async () => (await done()).length === 14, 60_000);
    expect(await db.selectFrom('payment_doubts').selectAll().execute()).toEqual([]);
  } finally {
    await close();
  }
  for (const world of [first, second]) expect(await planOn(world)).toMatchObject({ subscribed: true, device_limit: 5 });
}, 120_000);
