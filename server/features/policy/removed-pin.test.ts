import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { api } from '@porchlight/contract/all.ts';
import type { Endpoint } from '@porchlight/contract/endpoint.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { validBodies } from '../../testing/valid-bodies.ts';
import { agreeToChanges, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** A device that was removed in its first hour has no hash of the PIN, so its agent asks the server for 24 hours more (P10.9). */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const removedReply = [410, 'device_removed'];

async function family() {
  const { token, email } = await person(server);
  const [den, attic] = [await linkedDevice(server, token, 'Den PC'), await linkedDevice(server, token, 'Attic PC')];
  return {
    ...{ token, email, den, attic },
    pin: async (method = 'GET') => String((await server.call(`${method} /web/bypasspassword`, { token })).body.bypass_password),
    remove: async (uuid: string) => {
      await agreeToChanges(server);
      expect((await server.call(`DELETE /web/devices/${uuid}`, { token })).status).toBe(200);
      await agreeToChanges(server);
    },
  };
}
const isRight = async (agent: string, pin: string) => {
  const { status, body } = await server.call('POST /agent/pin', { token: agent, body: { pin } });
  return status === 200 ? body.right : [status, body.code];
};
const wrongFor = (pin: string) => (pin === '194735' ? '194736' : '194735');

test('[P10.9] the server checks the PIN for a removed device until 24 hours have passed, and then says that it was removed', async () => {
  const ann = await family();
  const pin = await ann.pin();
  await ann.remove(ann.den.uuid);
  expect(await isRight(ann.den.agent, pin)).toBe(true);
  expect(await isRight(ann.den.agent, wrongFor(pin))).toBe(false);
  server.clock.turn(agentLimits.after_account - 1);
  expect(await isRight(ann.den.agent, pin)).toBe(true);
  expect(await isRight(ann.den.agent, wrongFor(pin))).toBe(false);
  server.clock.turn(1);
  expect(await isRight(ann.den.agent, pin)).toEqual(removedReply);
  expect(await isRight(ann.attic.agent, pin)).toBe(true);
});

test('[P10.9] the 24 hours of each device begin at its own removal', async () => {
  const ann = await family();
  const pin = await ann.pin();
  await ann.remove(ann.den.uuid);
  server.clock.turn(23 * hour);
  await ann.remove(ann.attic.uuid);
  server.clock.turn(hour);
  expect(await isRight(ann.den.agent, pin)).toEqual(removedReply);
  expect(await isRight(ann.attic.agent, pin)).toBe(true);
});

const ofDevices = (Object.keys(api) as (keyof typeof api)[]).filter((key) => (api[key] as Endpoint).access.startsWith('device'));
test('[P10.9] every other call of a device says at once that the device was removed', async () => {
  const ann = await family();
  await ann.remove(ann.den.uuid);
  const others = ofDevices.filter((key) => key !== 'POST /agent/pin');
  expect(others.length).toBeGreaterThan(6);
  for (const key of others) {
    const body = validBodies[key];
    const reply = await server.call(key, { token: ann.den.agent, ...(body ? { body } : {}) });
    expect([key, reply.status, reply.body.code]).toEqual([key, ...removedReply]);
  }
});

test('[P10.9] the PIN is that of the account as it is now, and never that of another account', async () => {
  const [ann, eve] = [await family(), await family()];
  const [oldPin, evesPin] = [await ann.pin(), await eve.pin()];
  await ann.remove(ann.den.uuid);
  expect(await isRight(ann.den.agent, evesPin)).toBe(evesPin === oldPin);
  const newPin = await ann.pin('POST');
  expect(await isRight(ann.den.agent, newPin)).toBe(true);
  expect(await isRight(ann.den.agent, oldPin)).toBe(oldPin === newPin);
});

test('[P10.9] a computer that was linked to another account keeps asking its former account with its old token only', async () => {
  const [ann, eve] = [await family(), await family()];
  await ann.remove(ann.den.uuid);
  const again = await linkedDevice(server, eve.token, 'Den PC');
  const [annsPin, evesPin] = [await ann.pin(), await eve.pin()];
  expect([await isRight(ann.den.agent, annsPin), await isRight(again.agent, evesPin)]).toEqual([true, true]);
  expect(await isRight(again.agent, annsPin)).toBe(annsPin === evesPin);
});

test('[P10.9] PINs of a removed device are counted with those of the account’s other devices, and not with those of another account', async () => {
  const [ann, eve] = [await family(), await family()];
  const pin = await ann.pin();
  await ann.remove(ann.den.uuid);
  const tooMany = [429, 'too_many'];
  for (let n = 0; n < serverLimits.pin_tries; n++)
    expect(await isRight(n % 2 ? ann.den.agent : ann.attic.agent, wrongFor(pin))).toBe(false);
  expect([await isRight(ann.den.agent, pin), await isRight(ann.attic.agent, pin)]).toEqual([tooMany, tooMany]);
  expect(await isRight(eve.den.agent, await eve.pin())).toBe(true);
  for (let n = serverLimits.pin_tries; n < serverLimits.pin_tries_day; n++) {
    if (n % serverLimits.pin_tries === 0) server.clock.turn(serverLimits.pin_tries_per);
    expect(await isRight(n % 2 ? ann.den.agent : ann.attic.agent, wrongFor(pin))).toBe(false);
  }
  server.clock.turn(serverLimits.pin_tries_per);
  expect([await isRight(ann.den.agent, pin), await isRight(ann.attic.agent, pin)]).toEqual([tooMany, tooMany]);
});

test('[P10.9] a device whose account is gone, or that was removed before removals were noted, gets no answer about a PIN', async () => {
  const [ann, eve] = [await family(), await family()];
  const pin = await ann.pin();
  await ann.remove(ann.den.uuid);
  await server.db.deleteFrom('accounts').where('email', '=', ann.email).execute();
  expect(await isRight(ann.den.agent, pin)).toEqual(removedReply);
  expect(await isRight(ann.attic.agent, pin)).toEqual(removedReply);
  await server.db.deleteFrom('devices').where('uuid', '=', eve.den.uuid).execute();
  expect(await isRight(eve.den.agent, await eve.pin())).toEqual(removedReply);
});

test('[P10.9] a token that nobody got is refused as before', async () => {
  expect(await isRight('x'.repeat(43), '000000')).toEqual([401, 'unauthorized']);
});
