import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo, checkInBody } from '../../testing/agent-info.ts';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

test('a device without definitions is not shown as protected, to the holder and to the guardian, until it reports that it has some', async () => {
  const { token } = await person(server, 'Ann Example');
  const { uuid, agent } = await linkedDevice(server, token);
  const bob = await activeGuardian(server, token);
  const checkIn = (no_definitions?: { clock_off_days: number }) =>
    server.call('POST /agent/check-in', {
      token: agent,
      body: { ...checkInBody, info: { ...agentInfo, no_definitions }, protecting: !no_definitions, problems: [] },
    });
  const shown = async () => {
    const list = (await server.call('GET /web/devices', { token })).body.devices;
    const own = (await server.call(`GET /web/devices/${uuid}`, { token })).body;
    const view = (await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body.devices;
    return [list?.[0], own, view?.[0]].map(
      (device) => (device as unknown as { outage: { kind: string; clock_off_days?: number } | null }).outage,
    );
  };
  await checkIn({ clock_off_days: 0 });
  // Definitions take seconds to arrive.
  expect(await shown()).toEqual([null, null, null]);
  server.clock.turn(60_000);
  await checkIn({ clock_off_days: 40 });
  expect(await shown()).toMatchObject([1, 2, 3].map(() => ({ kind: 'no_definitions', clock_off_days: 40 })));
  server.clock.turn(25 * 3_600_000);
  expect(await shown()).toEqual([null, null, null]);
  await checkIn({ clock_off_days: 0 });
  expect(await shown()).toMatchObject([1, 2, 3].map(() => ({ kind: 'no_definitions', clock_off_days: 0 })));
  await checkIn();
  expect(await shown()).toEqual([null, null, null]);
});
