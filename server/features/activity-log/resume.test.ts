import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextPolicyOf, policyOf } from '../../testing/policy-of.ts';
import { linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

test('[P4.6] ending a pause from the dashboard reaches the waiting agent immediately, and no other device', async () => {
  const { token } = await person(server);
  const device = await linkedDevice(server, token);
  const otherDevice = await linkedDevice(server, token, 'Attic PC');
  const [policy, otherPolicy] = [await policyOf(server, device.agent), await policyOf(server, otherDevice.agent)];
  expect(policy.resume).toBeNull();
  const waiting = nextPolicyOf(server, device.agent, policy);
  expect((await server.call(`POST /web/devices/${device.uuid}/resume`, { token })).status).toBe(200);
  const firstResume = (await waiting).resume;
  expect(firstResume).toMatch(/^[0-9a-f-]{36}$/);
  await server.call(`POST /web/devices/${device.uuid}/resume`, { token });
  expect((await policyOf(server, device.agent)).resume).not.toBe(firstResume);
  expect(await policyOf(server, otherDevice.agent)).toEqual({ ...otherPolicy, issued: expect.any(String) });
  const eve = await person(server);
  expect((await server.call(`POST /web/devices/${device.uuid}/resume`, { token: eve.token })).status).toBe(404);
});
