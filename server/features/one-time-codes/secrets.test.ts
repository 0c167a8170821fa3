import { devicePolicy } from '@porchlight/contract/agent.ts';
import type { SignedDocument } from '@porchlight/contract/shapes.ts';
import { openDocument } from '@porchlight/definitions/signature.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseText } from '../../testing/database-text.ts';
import { linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const secretOf = async (agent: string) => (await server.call('GET /agent/code-secret', { token: agent })).body;
const policysSecret = async (agent: string) => {
  const { body } = await server.call('GET /agent/policy', { token: agent });
  const { keys } = (await server.call('GET /agent/server')).body;
  return openDocument(body.policy as unknown as SignedDocument, String(keys?.policy), devicePolicy)?.code_secret;
};

test('[P10.7] a device always gets the same secret of 32 bytes, and another device another one', async () => {
  const { token } = await person(server);
  const [den, attic] = [await linkedDevice(server, token, 'Den PC'), await linkedDevice(server, token, 'Attic PC')];
  const [dens, attics] = [await secretOf(den.agent), await secretOf(attic.agent)];
  expect(Buffer.from(String(dens.secret), 'base64url')).toHaveLength(32);
  expect(await secretOf(den.agent)).toEqual(dens);
  expect(attics.id).not.toBe(dens.id);
  expect(attics.secret).not.toBe(dens.secret);
});

test('[P10.7] simultaneous first calls of a device get the same secret', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => secretOf(agent)));
  expect(String(first?.secret)).toMatch(/^[\w-]{43}$/);
  for (const other of others) expect(other).toEqual(first);
});

test('[P10.7] the policy of a device names the id of its secret, also before the device fetched it', async () => {
  const { token } = await person(server);
  const [den, attic] = [await linkedDevice(server, token, 'Den PC'), await linkedDevice(server, token, 'Attic PC')];
  const named = await policysSecret(den.agent);
  expect(named).toBe((await secretOf(den.agent)).id);
  const { id } = await secretOf(attic.agent);
  expect(await policysSecret(attic.agent)).toBe(id);
  expect(id).not.toBe(named);
});

test('[P10.7] a removed device gets no secret, and its own is deleted while another one stays', async () => {
  const { token } = await person(server);
  const [den, attic] = [await linkedDevice(server, token, 'Den PC'), await linkedDevice(server, token, 'Attic PC')];
  await secretOf(den.agent);
  const attics = await secretOf(attic.agent);
  await server.call(`DELETE /web/devices/${den.uuid}`, { token });
  expect(await server.call('GET /agent/code-secret', { token: den.agent })).toMatchObject({
    status: 410,
    body: { code: 'device_removed' },
  });
  const devices = (await server.db.selectFrom('code_secrets').select('device').execute()).map(({ device }) => device);
  expect(devices).toContain(attic.uuid);
  expect(devices).not.toContain(den.uuid);
  expect(await secretOf(attic.agent)).toEqual(attics);
});

test('[P10.7] the database contains no secret, neither as base64url nor as bytes, and neither does the log', async () => {
  const { token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token);
  const { secret } = (await secretOf(agent)) as unknown as { secret: string };
  const stored = await databaseText(server);
  expect(stored.includes(uuid)).toBe(true);
  const bytes = Buffer.from(secret, 'base64url');
  for (const text of [secret, bytes.toString('hex'), bytes.toString('base64')]) {
    expect(stored.includes(text)).toBe(false);
    expect(server.logged().includes(text)).toBe(false);
  }
});
