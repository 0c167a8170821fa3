import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { fakeAddress, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const enrol = (code: unknown, enrol_id?: string) =>
  server.call('POST /agent/enrol', {
    body: { code, info, ...(enrol_id ? { enrol_id } : {}) },
    headers: { 'x-forwarded-for': fakeAddress() },
  });
const policy = (agent: unknown) => server.call('GET /agent/policy', { token: String(agent) });

async function newCode(): Promise<{ token: string; uuid: unknown; code: unknown }> {
  const { token } = await person(server);
  const { body } = await server.call('POST /web/create-device', { token, body: { name: 'Den PC', policy: null } });
  return { token, uuid: body.uuid, code: body.login_code };
}

test('whoever did not get the answer is answered again: the same device, and a token in place of the first', async () => {
  const { token, uuid, code } = await newCode();
  const other = await enrol((await newCode()).code, randomUUID());
  const id = randomUUID();
  const first = await enrol(code, id);
  const second = await enrol(code, id);
  expect(second).toMatchObject({ status: 200, body: { device: { uuid } } });
  expect((await policy(first.body.agent_token)).status).toBe(401);
  expect((await policy(second.body.agent_token)).status).toBe(200);
  expect((await policy(other.body.agent_token)).status).toBe(200);
  expect((await server.call('GET /web/devices', { token })).body.devices).toMatchObject([{ uuid }]);
});

test('nobody else is, and nobody who has been heard with the answer', async () => {
  const { code } = await newCode();
  const id = randomUUID();
  const used = { status: 410, body: { code: 'code_used' } };
  const { body } = await enrol(code, id);
  expect(await enrol(code, randomUUID())).toMatchObject(used);
  expect(await enrol(code)).toMatchObject(used);
  expect((await policy(body.agent_token)).status).toBe(200);
  expect(await enrol(code, id)).toMatchObject(used);
  expect((await policy(body.agent_token)).status).toBe(200);
});

test('an agent that says no id is not taken for another that said none', async () => {
  const { code } = await newCode();
  expect((await enrol(code)).status).toBe(200);
  expect(await enrol(code)).toMatchObject({ status: 410, body: { code: 'code_used' } });
});

test('after the life of its code nobody is', async () => {
  const { code } = await newCode();
  const id = randomUUID();
  await enrol(code, id);
  server.clock.turn(7 * 24 * 60 * 60_000);
  expect(await enrol(code, id)).toMatchObject({ status: 410, body: { code: 'code_used' } });
});
