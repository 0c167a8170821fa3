import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo as info } from '../../testing/agent-info.ts';
import { fakeAddress, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const enrolAgent = (code: unknown, enrol_id = randomUUID()) =>
  server.call('POST /agent/enrol', {
    body: { code, info, enrol_id },
    headers: { 'x-forwarded-for': fakeAddress() },
  });
const policy = (agent: unknown) => server.call('GET /agent/policy', { token: String(agent) });

async function newCode(): Promise<{ token: string; uuid: unknown; code: unknown }> {
  const { token } = await person(server);
  const { body } = await server.call('POST /web/create-device', { token, body: { name: 'Den PC', policy: null } });
  return { token, uuid: body.uuid, code: body.login_code };
}

test('an agent that lost the enrolment response gets the same device and a new token when it retries', async () => {
  const { token, uuid, code } = await newCode();
  const otherReply = await enrolAgent((await newCode()).code, randomUUID());
  const id = randomUUID();
  const firstReply = await enrolAgent(code, id);
  const secondReply = await enrolAgent(code, id);
  expect(secondReply).toMatchObject({ status: 200, body: { device: { uuid } } });
  expect((await policy(firstReply.body.agent_token)).status).toBe(401);
  expect((await policy(secondReply.body.agent_token)).status).toBe(200);
  expect((await policy(otherReply.body.agent_token)).status).toBe(200);
  expect((await server.call('GET /web/devices', { token })).body.devices).toMatchObject([{ uuid }]);
});

test('a used code is refused for another enrolment id, and also for the same id once the agent used its token', async () => {
  const { code } = await newCode();
  const id = randomUUID();
  const usedCodeReply = { status: 410, body: { code: 'code_used' } };
  const { body } = await enrolAgent(code, id);
  expect(await enrolAgent(code, randomUUID())).toMatchObject(usedCodeReply);
  expect(await enrolAgent(code)).toMatchObject(usedCodeReply);
  expect((await policy(body.agent_token)).status).toBe(200);
  expect(await enrolAgent(code, id)).toMatchObject(usedCodeReply);
  expect((await policy(body.agent_token)).status).toBe(200);
});

test('a used code is refused for an agent without an enrolment id', async () => {
  const { code } = await newCode();
  expect((await enrolAgent(code)).status).toBe(200);
  expect(await enrolAgent(code)).toMatchObject({ status: 410, body: { code: 'code_used' } });
});

test('a lost enrolment cannot be retried after the code expired', async () => {
  const { code } = await newCode();
  const id = randomUUID();
  await enrolAgent(code, id);
  server.clock.turn(7 * 24 * 60 * 60_000);
  expect(await enrolAgent(code, id)).toMatchObject({ status: 410, body: { code: 'code_used' } });
});
