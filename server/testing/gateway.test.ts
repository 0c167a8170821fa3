import { agent_protocol, agent_protocol_header } from '@porchlight/contract/agent-protocol.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leadership } from '../db/leadership.ts';
import { type Listener, listen } from '../db/listen.ts';
import { type Gateway, newGateway } from '../features/agents/polls/gateway.ts';
import { answerGateways, remotePolls } from '../features/agents/polls/remote-polls.ts';
import { connectNats, type Nats } from '../integrations/nats/nats.ts';
import { natsListener } from '../integrations/nats/nats-listener.ts';
import { relay } from '../integrations/nats/relay.ts';
import { type NatsServer, natsServerIsMissing, startNatsServer } from './nats-server.ts';
import { linkedDevice, person, type TestServer, testServer, until } from './world.ts';

const log = { info() {}, warn() {}, error() {} };

describe.skipIf(natsServerIsMissing('gateways'))('[P14.5] a gateway without a database, by a real nats-server,', () => {
  let server: TestServer;
  let natsServer: NatsServer;
  let listener: Listener;
  let gateway: Gateway;
  let url: string;
  const connections: Nats[] = [];
  const closers: (() => Promise<void>)[] = [];
  const connect = (name: string) => {
    const nats = connectNats(natsServer.url, { log, name });
    connections.push(nats);
    return nats;
  };
  const allConnected = () => until('the connections to NATS', async () => connections.every((nats) => nats.isConnected()));
  beforeAll(async () => {
    [server, natsServer] = [await testServer(), await startNatsServer()];
    listener = await listen(server.database_url);
    const [ofServer, ofGateway] = [connect('server'), connect('gateway')];
    answerGateways(ofServer, server.app.polls);
    const leader = leadership(server.database_url, 'test', relay(ofServer, listener));
    gateway = newGateway({
      backend: remotePolls(ofGateway),
      listener: natsListener(ofGateway),
      isReady: ofGateway.isConnected,
      ...{ log, headers: ['x-frame-options', 'DENY'], trust_proxy: 0, byte_interval: 20 },
    });
    url = `http://127.0.0.1:${await gateway.listen({ port: 0, host: '127.0.0.1', backlog: 100 })}`;
    closers.push(gateway.close, leader.close);
    await allConnected();
    await until('the relay', async () => leader.isLeader());
  });
  afterAll(async () => {
    for (const close of closers) await close();
    for (const nats of connections) await nats.close();
    await listener?.close();
    await natsServer?.close();
    await server?.close();
  });

  interface Device {
    uuid: string;
    agent: string;
    known: number;
    known_definitions: number;
  }
  const device = async (token: string, name: string): Promise<Device> => {
    const linked = await linkedDevice(server, token, name);
    const { body } = await server.call('GET /agent/policy', { token: linked.agent });
    const { payload } = body.policy as unknown as { payload: string };
    return { ...linked, known: (JSON.parse(payload) as { version: number }).version, known_definitions: Number(body.definitions_version) };
  };
  const poll = async ({ agent, known, known_definitions }: Device, wait = 240, protocol = agent_protocol) => {
    const answer = await fetch(`${url}/api/agent/changes`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${agent}`,
        'content-type': 'application/json',
        [agent_protocol_header]: String(protocol),
      },
      body: JSON.stringify({ known, known_epoch: 1, known_definitions, protecting: true, wait }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      text,
      body: JSON.parse(text) as Record<string, unknown>,
      retry_after: answer.headers.get('retry-after'),
    };
  };
  const rename = (token: string, { uuid }: Device) =>
    server.call(`POST /web/devices/${uuid}`, { token, body: { name: 'X', policy: 'permissive' } });
  const waiting = (count: number) => until(`${count} polls to wait`, async () => gateway.agentsWaiting() === count);

  test('an agent of another protocol is refused', async () => {
    const { token } = await person(server);
    expect(await poll(await device(token, 'A'), 0, agent_protocol - 1)).toMatchObject({ status: 409, body: { code: 'agent_outdated' } });
  });

  test('a change ends the poll of its device, and not that of another one, which gets bytes until its end', async () => {
    const { token } = await person(server);
    const [a, b] = [await device(token, 'A'), await device(token, 'B')];
    const [changed, unchanged] = [poll(a), poll(b, 1)];
    await waiting(2);
    await rename(token, a);
    expect((await changed).body).toEqual({ changed: true, again_in: 0 });
    expect((await poll(a)).body.changed).toBe(true);
    const end = await unchanged;
    expect(end.body).toEqual({ changed: false, again_in: 0 });
    expect(end.text).toMatch(/^\n+\{/);
  });

  test('strangers and removed devices are refused with the codes of the server, and every other path is not found', async () => {
    const { token } = await person(server);
    const [removed, other] = [await device(token, 'A'), await device(token, 'B')];
    const ended = poll(removed);
    await waiting(1);
    await server.call(`DELETE /web/devices/${removed.uuid}`, { token });
    expect((await ended).body.changed).toBe(true);
    expect(await poll(removed)).toMatchObject({ status: 410, body: { code: 'device_removed' } });
    expect(await poll({ ...removed, agent: 'x'.repeat(43) })).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(await poll({ ...other, known: -1 })).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
    expect((await poll(other, 0)).status).toBe(200);
    for (const [path, status] of [
      ['/healthz', 200],
      ['/readyz', 200],
      ['/api/agent/policy', 404],
      ['/dashboard/', 404],
    ] as const)
      expect([path, (await fetch(url + path)).status]).toEqual([path, status]);
  });

  test('once a minute the devices that wait there are noted as connected', async () => {
    const { token } = await person(server);
    const [connected, away] = [await device(token, 'A'), await device(token, 'B')];
    const ended = poll(connected);
    await waiting(1);
    server.clock.turn(30_000);
    const seenOf = async ({ uuid }: Device) =>
      (await server.db.selectFrom('devices').select('last_seen').where('uuid', '=', uuid).executeTakeFirstOrThrow()).last_seen;
    const before = await seenOf(away);
    await gateway.writePresence();
    expect(await seenOf(connected)).toEqual(server.clock.now());
    expect(await seenOf(away)).toEqual(before);
    await rename(token, connected);
    await ended;
  });

  test('while NATS is away polls wait on and new ones are refused for a moment; a change of meanwhile arrives once it is back', async () => {
    const { token } = await person(server);
    const [changed, unchanged] = [await device(token, 'A'), await device(token, 'B')];
    const polls = [poll(changed), poll(unchanged)];
    await waiting(2);
    await natsServer.kill();
    await until('the connections to be lost', async () => connections.every((nats) => !nats.isConnected()));
    await rename(token, changed);
    const refused = await poll(unchanged);
    expect([refused.status, refused.body.code, Number(refused.retry_after)]).toEqual([503, 'unavailable', 5]);
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    expect(gateway.agentsWaiting()).toBe(2);
    await natsServer.start();
    expect((await polls[0])?.body.changed).toBe(true);
    await allConnected();
    expect(gateway.agentsWaiting()).toBe(1);
    await rename(token, unchanged);
    expect((await polls[1])?.body.changed).toBe(true);
  });
});
