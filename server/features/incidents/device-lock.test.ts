import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { incidentFamily } from '../../testing/incident-family.ts';
import { policyOf } from '../../testing/policy-of.ts';
import { linkedDevice, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

test('[P10.5] the policy of a device has the lock while its incident is open, with a newer version each time; other devices have none', async () => {
  const ann = await incidentFamily(server);
  const { agent: attic } = await linkedDevice(server, ann.token, 'Attic PC');
  const [calm, atticCalm] = [await policyOf(server, ann.device.agent), await policyOf(server, attic)];
  expect(calm).toMatchObject({ lock: false });
  await ann.stops();
  const locked = await policyOf(server, ann.device.agent);
  expect(locked).toMatchObject({ lock: true });
  expect(locked.version).toBeGreaterThan(calm.version);
  expect(await policyOf(server, attic)).toMatchObject({ lock: false, version: atticCalm.version });

  const [incident] = await ann.incidents();
  expect((await ann.asBob(`POST /guardian/:id/incidents/${incident?.uuid}`, { answer: 'over' })).status).toBe(200);
  const over = await policyOf(server, ann.device.agent);
  expect(over).toMatchObject({ lock: false });
  expect(over.version).toBeGreaterThan(locked.version);
});

test('[P10.5] the lock ends with the incident that nobody ends, by a newer version too', async () => {
  const ann = await incidentFamily(server, { guardian: false });
  await ann.stops();
  const locked = await policyOf(server, ann.device.agent);
  server.clock.turn(day + 60_000);
  await server.app.worker.idle();
  const over = await policyOf(server, ann.device.agent);
  expect([locked.lock, over.lock]).toEqual([true, false]);
  expect(over.version).toBeGreaterThan(locked.version);
});
