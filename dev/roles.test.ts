// Tier: whole. It starts three servers and NATS.
import { join } from 'node:path';
import { findPostmaster } from '@porchlight/server/db/embedded/postmaster.ts';
import { urlOf } from '@porchlight/server/db/embedded/probe.ts';
import { openDb } from '@porchlight/server/db/open.ts';
import { type NatsServer, natsServerIsMissing, startNatsServer } from '@porchlight/server/testing/nats-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, type Refused } from './call.ts';
import { acceptedGuardian, sayYes } from './guardians.ts';
import { linkedDevice, registeredPerson } from './people.ts';
import { until } from './until.ts';
import { startWorld, type World } from './world.ts';

describe.skipIf(natsServerIsMissing('roles'))('[P14.5] servers with roles, each a process, with a real nats-server,', () => {
  let nats: NatsServer;
  let web: World;
  let worker: World;
  let gateway: World;
  let databaseUrl: string;
  beforeAll(async () => {
    nats = await startNatsServer();
    const env = { SECRET_KEY: 'one secret key for both of the servers', NATS_URL: nats.url };
    web = await startWorld({ env: { ...env, ROLE: 'web' } });
    const postmaster = await findPostmaster(join(web.dataDir, 'postgres', 'cluster'));
    databaseUrl = urlOf(postmaster?.socketFolder ?? '');
    worker = await startWorld({ env: { ...env, ROLE: 'worker' }, databaseUrl });
    gateway = await startWorld({ env: { NATS_URL: nats.url, ROLE: 'gateway' } });
  }, 180_000);
  afterAll(async () => {
    for (const world of [gateway, worker, web]) await world?.close();
    await nats?.close();
  });

  const pendingMails = async () => {
    const { db, close } = openDb(databaseUrl, 1);
    try {
      return await db.selectFrom('jobs').select(['attempts', 'lane']).where('done_at', 'is', null).execute();
    } finally {
      await close();
    }
  };

  test('the web server answers calls, the worker sends the mails, and the gateway, without a database, waits with agents for changes', async () => {
    const ann = await registeredPerson(web);
    const { uuid, token } = await linkedDevice(web, ann);
    const { policy, definitions_version } = await call(web.url, 'GET /agent/policy', { token });
    const { version } = JSON.parse(policy.payload) as { version: number };
    const known = { known: version, known_epoch: 1, known_definitions: definitions_version, protecting: true };
    const changed = call(gateway.url, 'POST /agent/changes', { token, body: { ...known, wait: 240 } });
    const unchanged = call(gateway.url, 'POST /agent/changes', { token, body: { ...known, known: version + 1, wait: 0 } });
    expect(await unchanged).toEqual({ changed: false, again_in: 0 });
    await call(web.url, 'POST /web/devices/:uuid', {
      token: ann.token,
      params: { uuid },
      body: { name: 'Den PC', policy: 'permissive' },
    });
    expect(await changed).toEqual({ changed: true, again_in: 0 });
  });

  test('each role answers its own calls alone', async () => {
    for (const [world, expected] of [
      [web, 401],
      [worker, 404],
      [gateway, 404],
    ] as const) {
      expect((await fetch(`${world.url}/api/web/profile`)).status).toBe(expected);
      expect((await fetch(`${world.url}/readyz`)).status).toBe(200);
    }
    const body = { known: 0, known_epoch: 1, known_definitions: 0, protecting: true, wait: 0 };
    for (const [world, code] of [
      [web, 'unauthorized'],
      [worker, 'not_found'],
      [gateway, 'unauthorized'],
    ] as const) {
      const refusal = call(world.url, 'POST /agent/changes', { token: 'x'.repeat(43), body });
      await expect(refusal).rejects.toSatisfy((reason: Refused) => reason.code === code);
    }
  });

  test('[P15.8] the web server stores a change that waits and takes the yes, and the worker, which answers no call, makes the change', async () => {
    const ann = await registeredPerson(web);
    const { uuid } = await linkedDevice(web, ann);
    const bob = await acceptedGuardian(web, ann);
    await call(web.url, 'PATCH /web/holding', { token: ann.token, body: { ask_first: true } });
    const permissive = { token: ann.token, params: { uuid }, body: { name: 'Den PC', policy: 'permissive' as const } };
    await expect(call(web.url, 'POST /web/devices/:uuid', permissive)).rejects.toSatisfy(({ code }: Refused) => code === 'held');
    await sayYes(web, bob);
    const profile = async () => (await call(web.url, 'GET /web/devices', { token: ann.token })).devices[0]?.policy;
    await until('the change', async () => (await profile()) === 'permissive', 60_000);
  }, 120_000);

  test('without a worker the mails wait, and leave once there is one again', async () => {
    await worker.stopServer();
    const email = 'waiting@example.org';
    await call(web.url, 'POST /register', { body: { name: 'Bob Example', email, password: 'correct horse battery', promo: null } });
    expect((await pendingMails()).filter(({ lane }) => lane.startsWith('mail')).map(({ attempts }) => attempts)).toEqual([0]);
    expect((await web.mailbox()).filter(({ to }) => to.includes(email))).toEqual([]);
    await worker.startServer();
    await until('the mail', async () => (await web.mailbox()).some(({ to }) => to.includes(email)));
  });
});
