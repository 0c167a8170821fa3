import { agent_protocol, agent_protocol_header } from '@porchlight/contract/agent-protocol.ts';
import { errors } from '@porchlight/contract/errors.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validBodies } from '../../testing/valid-bodies.ts';
import { linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await testServer();
  token = (await linkedDevice(server, (await person(server)).token)).agent;
});
afterAll(() => server.close());

const ask = (key: keyof typeof validBodies | `GET ${string}`, protocol: number | string) =>
  server.call(key, {
    token,
    ...(key in validBodies ? { body: validBodies[key as keyof typeof validBodies] } : {}),
    headers: { [agent_protocol_header]: String(protocol) },
  });

describe.each([
  ['an older', agent_protocol - 1, 'agent_outdated'],
  ['a newer', agent_protocol + 1, 'server_outdated'],
  ['an unreadable', 'x', 'agent_outdated'],
] as const)('an agent of %s protocol', (_which, protocol, code) => {
  test.each(['GET /agent/policy', 'POST /agent/changes', 'POST /agent/check-in', 'GET /agent/server', 'POST /agent/enrol'] as const)(
    'is refused at %s, with what to do',
    async (key) => {
      expect(await ask(key, protocol)).toMatchObject({ status: errors[code].status, body: { code, error: errors[code].words } });
    },
  );

  test('gets the keys and the update', async () => {
    for (const key of ['GET /agent/keys', 'GET /agent/update'] as const) expect((await ask(key, protocol)).status).toBe(200);
  });
});

test('an agent of the same protocol is answered', async () => {
  expect((await ask('GET /agent/policy', agent_protocol)).status).toBe(200);
  expect((await ask('POST /agent/changes', agent_protocol)).status).toBe(200);
});

test('all refusals of a minute are one line of the log, with both protocols', async () => {
  const lines = server
    .logged()
    .split('\n')
    .filter((line) => line.includes('agents are refused'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ level: 40, ofAgent: agent_protocol - 1, ofServer: agent_protocol });
});
