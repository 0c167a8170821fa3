// Tier: whole. It starts the product and an agent.
import { randomUUID } from 'node:crypto';
import { type TestServer, testPin, testServer } from '@porchlight/agent/testing/server.ts';
import { agentEndpoints } from '@porchlight/contract/agent.ts';
import { updateEndpoints } from '@porchlight/contract/updates.ts';
import { agentInfo, checkInBody } from '@porchlight/server/testing/agent-info.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from './call.ts';
import { registeredPerson } from './people.ts';
import { startWorld, type World } from './world.ts';

/**
 * The agent's tests use a fake server that can refuse, hang and lose answers on demand. This test sends each call of the agent to the fake
 * server and to the real one, and compares the answers: status, error code, fields and types of fields.
 */

interface Server {
  url: string;
  pin(): Promise<string>;
  newCode(): Promise<string>;
  /** Allows a program on all devices. */
  allowProgram(): Promise<void>;
  removeDevices(): Promise<void>;
}
interface Reply {
  status: number;
  body: unknown;
}
type Send = (key: string, input?: { query?: Record<string, string | number>; body?: unknown; token?: string }) => Promise<Reply>;

let world: World;
let fake: TestServer;
let servers: Server[];
beforeAll(async () => {
  world = await startWorld();
  fake = await testServer();
  fake.notified = [{ name: null, state: 'sent' }];
  servers = [fakeServer(), await realServer()];
}, 180_000);
afterAll(async () => {
  await world?.close();
  await fake?.close();
});

function fakeServer(): Server {
  return {
    url: fake.url,
    pin: async () => testPin,
    newCode: async () => `CODE-${randomUUID().slice(0, 8)}`,
    allowProgram: async () => fake.setPolicy({ allow: [{ type: 'definition', identifier: 'anydesk', until: null, reported_until: null }] }),
    removeDevices: async () => fake.setMood('removed'),
  };
}

async function realServer(): Promise<Server> {
  const { url } = world;
  const { token } = await registeredPerson(world);
  const devices: string[] = [];
  return {
    url,
    pin: async () => (await call(url, 'GET /web/bypasspassword', { token })).bypass_password,
    async newCode() {
      const { uuid, login_code } = await call(url, 'POST /web/create-device', { token, body: { name: 'Den PC' } });
      devices.push(uuid);
      return login_code;
    },
    async allowProgram() {
      for (const id of devices)
        await call(url, 'POST /web/devices/:id/v2/exceptions', {
          ...{ token, params: { id } },
          body: { type: 'definition', identifier: 'anydesk', lasts: null },
        });
    },
    async removeDevices() {
      for (const uuid of devices) await call(url, 'DELETE /web/devices/:uuid', { token, params: { uuid } });
    },
  };
}

const callsMade = new Set<string>();

const sender =
  (url: string): Send =>
  async (key, { query, body, token } = {}) => {
    callsMade.add(key);
    const [method = '', path = ''] = key.split(' ');
    const search = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]));
    const response = await fetch(`${url}/api${path}?${search}`, {
      method,
      headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: await response.json() };
  };

const tokens = new Map<Server, string>();

/** A device's token, enrolled once for all conversations: one address may enrol only a few devices a minute. */
async function enrolled(server: Server, send: Send): Promise<string> {
  const knownToken = tokens.get(server);
  if (knownToken) return knownToken;
  const { body } = await send('POST /agent/enrol', { body: { code: await server.newCode(), info: agentInfo, enrol_id: randomUUID() } });
  const { agent_token } = body as { agent_token: string };
  tokens.set(server, agent_token);
  return agent_token;
}

/**
 * The path of the first difference between two answers; null when they have the same fields of the same types. Null equals every type,
 * since a field may be empty on one server. Of lists the first elements are compared, of signed payloads the JSON.
 */
function difference(fakeBody: unknown, realBody: unknown, path = ''): string | null {
  if (fakeBody === null || realBody === null) return null;
  if (Array.isArray(fakeBody) && Array.isArray(realBody))
    return fakeBody.length && realBody.length ? difference(fakeBody[0], realBody[0], `${path}[0]`) : null;
  if (typeOf(fakeBody) !== typeOf(realBody)) return `${path}: ${typeOf(fakeBody)} here, ${typeOf(realBody)} from the real server`;
  if (typeof fakeBody !== 'object' || typeof realBody !== 'object') return null;
  const fields = [Object.keys(fakeBody).toSorted(), Object.keys(realBody).toSorted()];
  if (String(fields[0]) !== String(fields[1])) return `${path}: ${fields[0]} here, ${fields[1]} from the real server`;
  for (const [name, value] of Object.entries(fakeBody)) {
    const realValue = (realBody as Record<string, unknown>)[name];
    const foundDifference =
      name === 'payload'
        ? difference(JSON.parse(String(value)), JSON.parse(String(realValue)), `${path}.payload`)
        : name === 'code' && value !== realValue
          ? `${path}.code: ${value} here, ${realValue} from the real server`
          : difference(value, realValue, `${path}.${name}`);
    if (foundDifference) return foundDifference;
  }
  return null;
}

const typeOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);

/** The system started the program, because a start by a person opens an incident, in which the PIN and a removal wait. */
const detection = () => ({
  uuid: randomUUID(),
  time: new Date().toISOString(),
  name: 'AnyDesk',
  identifier: 'anydesk',
  category: 'RemoteControl',
  details: '/usr/bin/anydesk',
  blocked: true,
  certainty: 'certain',
  why: '',
  start: 'system',
});

const conversations: Record<string, (server: Server, send: Send) => Promise<Reply[]>> = {
  'before it enrols': async (_, send) => [
    await send('GET /agent/server'),
    await send('GET /agent/free-plan', { query: { known: 0 } }),
    await send('GET /agent/free-plan', { query: { known: 0, nonce: 'A'.repeat(22) } }),
    await send('GET /agent/update'),
    await send('GET /agent/keys', { query: { known_keys: 0, known_epoch: 1 } }),
  ],
  'when it enrols, and when the code is used already': async (server, send) => {
    const code = await server.newCode();
    return [
      await send('POST /agent/whose', { body: { code } }),
      await send('POST /agent/enrol', { body: { code, info: agentInfo, enrol_id: randomUUID() } }),
      await send('POST /agent/whose', { body: { code } }),
      await send('POST /agent/enrol', { body: { code, info: agentInfo, enrol_id: randomUUID() } }),
    ];
  },
  'when it repeats an enrolment whose answer was lost, before and after the device was heard': async (server, send) => {
    const body = { code: await server.newCode(), enrol_id: randomUUID(), info: agentInfo };
    const firstReply = await send('POST /agent/enrol', { body });
    const secondReply = await send('POST /agent/enrol', { body });
    const { agent_token: token } = secondReply.body as { agent_token: string };
    return [
      firstReply,
      await send('POST /agent/whose', { body: { code: body.code, enrol_id: body.enrol_id } }),
      secondReply,
      await send('POST /agent/check-in', { body: checkInBody, token: (firstReply.body as { agent_token: string }).agent_token }),
      await send('POST /agent/check-in', { body: checkInBody, token }),
      await send('POST /agent/enrol', { body }),
    ];
  },
  'when it checks in and asks who was notified': async (server, send) => {
    const token = await enrolled(server, send);
    const reported = detection();
    const replies = [
      await send('POST /agent/check-in', { body: checkInBody, token }),
      await send('POST /agent/check-in', { body: { ...checkInBody, asks: [randomUUID()] }, token }),
      await send('POST /agent/detections', { body: { detections: [reported] }, token }),
      await send('POST /agent/check-in', { body: { ...checkInBody, asks: [reported.uuid] }, token }),
    ];
    // An empty list would equal every list.
    expect(replies.at(-1)?.body).toMatchObject({ notified: [{ detection: reported.uuid, people: [{}] }] });
    return replies;
  },
  'when it polls the policy and fetches the definitions': async (server, send) => {
    const token = await enrolled(server, send);
    await server.allowProgram();
    const firstReply = await send('GET /agent/policy', { query: { known: 0 }, token });
    // An empty allow list would equal every list.
    const { policy } = firstReply.body as { policy: { payload: string } };
    expect(JSON.parse(policy.payload)).toMatchObject({ allow: [{ identifier: 'anydesk' }] });
    return [
      firstReply,
      await send('GET /agent/policy', { query: { known: 0, known_epoch: 1, known_definitions: 0, wait: 1 }, token }),
      await send('GET /agent/definitions', { query: { known_keys: 0, known_epoch: 1 }, token }),
    ];
  },
  'when it reports detections, scans and events': async (server, send) => {
    const token = await enrolled(server, send);
    const item = { ...detection(), kind: 'programs', did: 'stopped' };
    const scan = { uuid: randomUUID(), time: item.time, items: [item] };
    const events = [{ uuid: randomUUID(), time: item.time, reported: { kind: 'resumed' } }];
    return [
      await send('POST /agent/detections', { body: { detections: [detection(), detection()] }, token }),
      await send('POST /agent/scan', { body: scan, token }),
      await send('POST /agent/events', { body: { events: events }, token }),
      await send('POST /agent/goodbye', { body: { reason: 'shutdown' }, token }),
    ];
  },
  'when it asks whether a PIN is right, and after too many wrong ones': async (server, send) => {
    const token = await enrolled(server, send);
    const pin = await server.pin();
    const replies = [
      await send('POST /agent/pin', { body: { pin }, token }),
      await send('POST /agent/pin', { body: { pin: '000000' }, token }),
    ];
    for (let tries = 0; tries < 20 && replies.at(-1)?.status === 200; tries += 1)
      replies.push(await send('POST /agent/pin', { body: { pin: '000000' }, token }));
    return [...replies.slice(0, 2), ...replies.slice(-1)];
  },
  'when it fetches the secret of its one-time codes': async (server, send) => {
    const token = await enrolled(server, send);
    return [await send('GET /agent/code-secret', { token }), await send('GET /agent/code-secret', { token: 'nobody' })];
  },
  'of a device that nobody knows': async (_, send) => [
    await send('GET /agent/policy', { query: { known: 0 }, token: 'nobody' }),
    await send('POST /agent/check-in', { body: checkInBody, token: 'nobody' }),
    await send('POST /agent/detections', { body: { detections: [detection()] } }),
  ],
  'of a device that was removed': async (server, send) => {
    const token = await enrolled(server, send);
    const pin = await server.pin();
    await server.removeDevices();
    return [
      await send('POST /agent/pin', { body: { pin }, token }),
      await send('GET /agent/code-secret', { token }),
      await send('GET /agent/policy', { query: { known: 0 }, token }),
      await send('POST /agent/check-in', { body: checkInBody, token }),
      await send('POST /agent/detections', { body: { detections: [detection()] }, token }),
    ];
  },
};

test.each(Object.entries(conversations))(
  "the fake server of the agent's tests answers an agent like the real one %s",
  async (_, converse) => {
    const replies = await Promise.all(servers.map((server) => converse(server, sender(server.url))));
    const [fakeReplies = [], realReplies = []] = replies;
    expect(fakeReplies.map(({ status }) => status)).toEqual(realReplies.map(({ status }) => status));
    expect(fakeReplies.map((reply, at) => difference(reply, realReplies[at])).filter(Boolean)).toEqual([]);
  },
);

test('each API call of an agent is compared between the fake and the real server', () => {
  expect([...callsMade].toSorted()).toEqual(Object.keys({ ...agentEndpoints, ...updateEndpoints }).toSorted());
});

test('comparing answers reports a missing field, another type and another error code, but not another value, an empty field or the length of a list', () => {
  expect(difference({ a: 1 }, { a: 1, b: 2 })).toBe(': a here, a,b from the real server');
  expect(difference({ a: { b: '1' } }, { a: { b: 1 } })).toBe('.a.b: string here, number from the real server');
  expect(difference({ code: 'one' }, { code: 'two' })).toBe('.code: one here, two from the real server');
  expect(difference({ payload: '{"a":1}' }, { payload: '{"a":[1]}' })).toBe('.payload.a: number here, list from the real server');
  expect(difference({ a: [{ b: 1 }] }, { a: [{ c: 1 }, { b: 1 }] })).toBe('.a[0]: b here, c from the real server');
  expect(difference({ a: 'x', b: null, c: [1] }, { a: 'y', b: 2, c: [1, 2] })).toBeNull();
});
