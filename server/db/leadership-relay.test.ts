import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { connectNats } from '../integrations/nats/nats.ts';
import { natsListener } from '../integrations/nats/nats-listener.ts';
import { relay } from '../integrations/nats/relay.ts';
import { admin, templateDatabase, withDatabase } from '../testing/global-setup.ts';
import { type NatsServer, natsServerIsMissing, startNatsServer } from '../testing/nats-server.ts';
import { until } from '../testing/world.ts';
import { leadership } from './leadership.ts';
import { type Listener, listen } from './listen.ts';
import { notify } from './notify.ts';
import { openDb } from './open.ts';

/** Events from PostgreSQL by a relay and NATS to a process without a database. */

const log = { info: () => {}, warn: () => {}, error: (fields: unknown) => console.error(fields) };

/** Its notifications are those of the test only. */
async function openDatabase() {
  const postgres = inject('postgres_url');
  const name = `relay_${randomUUID().replaceAll('-', '')}`;
  await admin(postgres, `create database ${name} template ${templateDatabase}`);
  const url = withDatabase(postgres, name);
  const { db, close } = openDb(url, 2);
  onTestFinished(async () => {
    await close();
    await admin(postgres, `drop database ${name} with (force)`);
  });
  return { url, db };
}

function openConnection(server: NatsServer) {
  const nats = connectNats(server.url, { log, name: 'test' });
  onTestFinished(() => nats.close());
  return nats;
}

/** A server with the database that may relay. Its connections to PostgreSQL are ended by their names. */
async function openServer(databaseUrl: string, natsServer: NatsServer) {
  const named = (name: string) => {
    const url = new URL(databaseUrl);
    url.searchParams.set('application_name', name);
    return url.href;
  };
  const names = { leadership: `leadership-${randomUUID()}`, listen: `listen-${randomUUID()}` };
  const listener = await listen(named(names.listen));
  onTestFinished(() => listener.close());
  const nats = openConnection(natsServer);
  const leader = leadership(named(names.leadership), 'event-relay', relay(nats, listener));
  onTestFinished(() => leader.close());
  const terminate = (name: string) =>
    admin(databaseUrl, `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${name}'`);
  return {
    leader,
    nats,
    terminateLeadership: () => terminate(names.leadership),
    terminateListen: () => terminate(names.listen),
  };
}

/** A process without a database, and the payloads that it gets. */
async function openGateway(natsServer: NatsServer) {
  const nats = openConnection(natsServer);
  const listener: Listener = natsListener(nats);
  const payloads = { device: [] as string[], definitions: [] as string[] };
  listener.on('device', (payload) => payloads.device.push(payload));
  listener.on('definitions', (payload) => payloads.definitions.push(payload));
  await until('the gateway to be connected', () => payloads.definitions.length === 1);
  expect(payloads).toEqual({ device: [''], definitions: [''] });
  return { nats, listener, payloads };
}

describe.skipIf(natsServerIsMissing('the relay of events by NATS'))('with a real nats-server and a real PostgreSQL,', () => {
  let natsServer: NatsServer;
  beforeAll(async () => {
    natsServer = await startNatsServer();
  });
  afterAll(() => natsServer?.close());

  test('a gateway without an outage gets each event of two servers exactly once, with its commit', async () => {
    const { url, db } = await openDatabase();
    const servers = [await openServer(url, natsServer), await openServer(url, natsServer)];
    await until('a relay', () => servers.some(({ leader }) => leader.isLeader()));
    const { payloads } = await openGateway(natsServer);
    const sent = Array.from({ length: 200 }, (_, n) => `event-${n}`);
    await Promise.all(sent.map((payload) => notify(db, 'device', payload)));
    await db.transaction().execute(async (trx) => {
      await notify(trx, 'definitions', 'committed');
    });
    const rolledBack = db.transaction().execute(async (trx) => {
      await notify(trx, 'definitions', 'rolled back');
      throw new Error('no commit');
    });
    await expect(rolledBack).rejects.toThrow('no commit');
    await notify(db, 'jobs', 'of a channel that is not relayed');
    await notify(db, 'device', 'last');
    await until('the last event', () => payloads.device.includes('last'));
    expect(payloads.device.slice(1, -1).toSorted()).toEqual(sent.toSorted());
    expect(payloads.definitions).toEqual(['', 'committed']);
    expect(servers.filter(({ leader }) => leader.isLeader())).toHaveLength(1);
  });

  test('when the relay loses its leadership, a gateway that reads again at each resynchronisation misses no event', async () => {
    const { url, db } = await openDatabase();
    await admin(url, 'create table versions (number integer primary key)');
    const first = await openServer(url, natsServer);
    await until('the first relay', () => first.leader.isLeader());
    await openServer(url, natsServer);
    const { listener, payloads } = await openGateway(natsServer);
    const known = new Set<number>();
    listener.on('device', async (payload) => {
      const read = payload === '' ? await admin<{ number: number }>(url, 'select number from versions') : [{ number: Number(payload) }];
      for (const { number } of read) known.add(number);
    });
    let sent = 0;
    const send = () =>
      db.transaction().execute(async (trx) => {
        await sql`insert into versions values (${sent})`.execute(trx);
        await notify(trx, 'device', String(sent++));
      });
    await send();
    await until('the first event', () => payloads.device.includes('0'));
    await first.terminateLeadership();
    // Events are sent throughout the change.
    await until('the resynchronisation', async () => {
      await send();
      return payloads.device.lastIndexOf('') > 0;
    });
    for (let n = 0; n < 10; n++) await send();
    await until('all events', () => known.size === sent);
    expect(payloads.device).toContain(String(sent - 1));
    expect([...new Set(payloads.definitions)]).toEqual(['']);
    expect(payloads.definitions.length).toBeGreaterThan(1);
  });

  test('when the relay loses the connection by which it listens, the gateway resynchronises and gets the events afterwards', async () => {
    const { url, db } = await openDatabase();
    const server = await openServer(url, natsServer);
    await until('a relay', () => server.leader.isLeader());
    const { payloads } = await openGateway(natsServer);
    await server.terminateListen();
    await until('the resynchronisation', () => payloads.device.length === 2 && payloads.definitions.length === 2);
    await notify(db, 'device', 'after');
    await until('the event afterwards', () => payloads.device.length === 3);
    expect(payloads).toEqual({ device: ['', '', 'after'], definitions: ['', ''] });
  });

  test('when NATS was killed and started again, a gateway resynchronises and gets the events afterwards', async () => {
    const ownServer = await startNatsServer();
    onTestFinished(() => ownServer.close());
    const { url, db } = await openDatabase();
    const servers = [await openServer(url, ownServer), await openServer(url, ownServer)];
    await until('a relay', () => servers.some(({ leader }) => leader.isLeader()));
    const { payloads, nats } = await openGateway(ownServer);
    await notify(db, 'device', 'before');
    await until('the event before', () => payloads.device.includes('before'));
    const before = payloads.device.length;
    await ownServer.kill();
    await until('the loss', () => !nats.isConnected());
    await notify(db, 'device', 'while away');
    await ownServer.start();
    await until('everybody to be connected', () => [nats, ...servers.map((server) => server.nats)].every((one) => one.isConnected()));
    await until('a relay', () => servers.some(({ leader }) => leader.isLeader()));
    await until('the resynchronisation', () => payloads.device.length > before && payloads.definitions.length > 1);
    await notify(db, 'device', 'after');
    await until('the event afterwards', () => payloads.device.includes('after'));
    expect(payloads.device.filter((payload) => payload !== '')).toEqual(['before', 'after']);
  });

  test('a gateway that has closed its listener gets nothing more, and another one does', async () => {
    const { url, db } = await openDatabase();
    const server = await openServer(url, natsServer);
    await until('a relay', () => server.leader.isLeader());
    const [closed, other] = [await openGateway(natsServer), await openGateway(natsServer)];
    await closed.listener.close();
    await notify(db, 'device', 'later');
    await until('the event at the other one', () => other.payloads.device.includes('later'));
    expect(closed.payloads.device).not.toContain('later');
  });
});
