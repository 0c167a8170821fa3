import { devicePolicy } from '@porchlight/contract/agent.ts';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  const versionOf = async (agent: string) => {
    const { body } = await server.call('GET /agent/policy', { token: agent });
    const { keys } = (await server.call('GET /agent/server')).body;
    const policy = openDocument(body.policy as unknown as SignedDocument, String(keys?.policy), devicePolicy);
    if (!policy) throw new Error('the policy is not signed by the key that the server tells');
    return { policy, version: policy.version, definitions: Number(body.definitions_version) };
  };
  const [versions, otherVersions] = [await versionOf(device.agent), await versionOf(otherDevice.agent)];
  expect(versions.policy.resume).toBeNull();
  const query = `known=${versions.version}&known_definitions=${versions.definitions}`;
  const waiting = server.call(`GET /agent/policy?${query}&wait=25`, { token: device.agent });
  expect((await server.call(`POST /web/devices/${device.uuid}/resume`, { token })).status).toBe(200);
  expect((await waiting).status).toBe(200);
  const firstResume = (await versionOf(device.agent)).policy.resume;
  expect(firstResume).toMatch(/^[0-9a-f-]{36}$/);
  await server.call(`POST /web/devices/${device.uuid}/resume`, { token });
  expect((await versionOf(device.agent)).policy.resume).not.toBe(firstResume);
  expect(await versionOf(otherDevice.agent)).toEqual({ ...otherVersions, policy: { ...otherVersions.policy, issued: expect.any(String) } });
  const eve = await person(server);
  expect((await server.call(`POST /web/devices/${device.uuid}/resume`, { token: eve.token })).status).toBe(404);
});
