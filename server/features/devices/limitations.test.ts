import type { AgentLimitation } from '@porchlight/contract/device-health.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentInfo, checkInBody } from '../../testing/agent-info.ts';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.close());

async function annAndBob() {
  const { token, email } = await person(server, 'Ann Example');
  const { uuid, agent } = await linkedDevice(server, token);
  const bob = await activeGuardian(server, token);
  const checkIn = async (limitations: AgentLimitation[]) => {
    const body = { ...checkInBody, info: { ...agentInfo, limitations } };
    expect((await server.call('POST /agent/check-in', { token: agent, body })).status).toBe(200);
  };
  /** What the device list, the device's page and the guardian's page say. */
  const shown = async () => {
    const [list, own, view] = [
      await server.call('GET /web/devices', { token }),
      await server.call(`GET /web/devices/${uuid}`, { token }),
      await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session }),
    ];
    return [list.body.devices, [own.body], view.body.devices].map((devices) => (devices as { limitations?: string[] }[])[0]?.limitations);
  };
  return { email, bob, checkIn, shown };
}

test('what an agent cannot do is shown to the holder and to the guardian as it reported last, and nobody gets a message about it', async () => {
  const { email, bob, checkIn, shown } = await annAndBob();
  const mailCount = async () => (await server.mailsTo(email)).length + (await server.mailsTo(bob.email)).length;
  const before = await mailCount();
  expect(await shown()).toEqual([undefined, undefined, undefined]);
  const limitations: AgentLimitation[] = ['sites_not_blocked', 'other_users_not_ended'];
  for (let times = 0; times < 3; times++) {
    await checkIn(limitations);
    expect(await shown()).toEqual([limitations, limitations, limitations]);
    await checkIn([]);
    expect(await shown()).toEqual([undefined, undefined, undefined]);
  }
  await server.app.worker.idle();
  expect(await mailCount()).toBe(before);
});
