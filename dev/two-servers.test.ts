// Tier: whole. It starts two servers.
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

let firstWorld: World;
let secondWorld: World;
let databaseUrl: string;
const env = { SECRET_KEY: 'one secret key for both of the servers' };
beforeAll(async () => {
  firstWorld = await startWorld({ env });
  const postmaster = await findPostmaster(join(firstWorld.dataDir, 'postgres', 'cluster'));
  databaseUrl = urlOf(postmaster?.socketFolder ?? '');
  secondWorld = await startWorld({ env, databaseUrl });
}, 180_000);
afterAll(async () => {
  await secondWorld?.close();
  await firstWorld?.close();
});

test('[P14.2] a plan ordered on one of two servers can be managed on the other, and the nightly checks of either server do not end it', async () => {
  const ann = await confirmedPerson(firstWorld);
  // The mailbox is shared by all servers.
  expect((await secondWorld.mailbox()).filter(({ to }) => to.includes(ann.email))).not.toEqual([]);
  const order = { price: 'price_family_yearly', promo: null };
  await payAt(await call(firstWorld.url, 'POST /web/profile/sub/order', { token: ann.token, body: order }));
  const planOn = ({ url }: World) => call(url, 'GET /web/profile/sub', { token: ann.token });
  for (const world of [firstWorld, secondWorld]) expect(await planOn(world)).toMatchObject({ subscribed: true, device_limit: 5 });

  for (const world of [secondWorld, firstWorld]) {
    const portal = await call(world.url, 'POST /web/profile/sub/portal', { token: ann.token });
    expect(portal).toContain(`${world.url}/dev/payments/portal/`);
    expect((await fetch(portal, { redirect: 'manual' })).status).toBe(303);
    const secondOrder = call(world.url, 'POST /web/profile/sub/order', { token: ann.token, body: order });
    await expect(secondOrder).rejects.toSatisfy((reason: Refused) => reason.code === 'subscription_open');
  }

  const { db, close } = openDb(databaseUrl, 2);
  try {
    const { account } = await db.selectFrom('customers').select('account').executeTakeFirstOrThrow();
    // Nightly checks of a fortnight; each server takes some.
    const enqueue = enqueuer({ now: () => new Date() });
    for (let night = 0; night < 14; night += 1) await enqueue(db, 'plan_sync', `plan:sync:test:${night}`, { account });
    const finishedJobs = () =>
      db.selectFrom('jobs').select('id').where('kind', '=', 'plan_sync').where('done_at', 'is not', null).execute();
    await until('the nights to be over', async () => (await finishedJobs()).length === 14, 60_000);
    expect(await db.selectFrom('payment_doubts').selectAll().execute()).toEqual([]);
  } finally {
    await close();
  }
  for (const world of [firstWorld, secondWorld]) expect(await planOn(world)).toMatchObject({ subscribed: true, device_limit: 5 });
}, 120_000);
