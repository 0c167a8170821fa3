import type { ActivityUndo } from '@porchlight/contract/activity-undo.ts';
import type { GuardianView } from '@porchlight/contract/guardians.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buyers } from '../../testing/buyer.ts';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

async function family() {
  const ann = await person(server);
  const device = await linkedDevice(server, ann.token);
  const bob = await activeGuardian(server, ann.token);
  const call = (key: string, body?: object) => server.call(key, { token: ann.token, ...(body ? { body } : {}) });
  return { ...ann, device, bob, call, endPlan: () => buyers(() => server).endPlan(ann.email) };
}

test('[P9.4] a guardian sees whether the plan has ended', async () => {
  const { bob, endPlan } = await family();
  const view = async () => (await server.call(`GET /guardian/${bob.uuid}`, { headers: bob.session })).body as unknown as GuardianView;
  expect(await view()).toMatchObject({ plan: true, devices: [{ name: 'Den PC' }] });
  await endPlan();
  expect(await view()).toMatchObject({ plan: false, devices: [{ name: 'Den PC' }] });
});

test('without a plan allow-list entries can be removed, and undoing what needs a plan is not offered', async () => {
  const { device, call, endPlan } = await family();
  const undo = async (kind: string) =>
    ((await call('GET /web/acts')).body.items as unknown as { kind: string; undo: ActivityUndo | null }[]).find((act) => act.kind === kind)
      ?.undo;
  await call(`POST /web/devices/${device.uuid}/v2/exceptions`, { type: 'domain', identifier: 'example.com', lasts: null });
  await call(`POST /web/devices/${device.uuid}`, { name: 'Den PC', policy: 'permissive' });
  expect(await undo('profile_chosen')).toMatchObject({ way: 'profile_back' });
  await endPlan();
  expect(await undo('profile_chosen')).toBeNull();
  const undoReply = await undo('allowed');
  expect(undoReply).toMatchObject({ way: 'disallow' });
  if (undoReply?.way !== 'disallow') return;
  expect(await call(`DELETE /web/devices/${device.uuid}/v2/exceptions`, { id: undoReply.exception })).toMatchObject({ status: 200 });
  expect(await undo('allowed')).toBeNull();
});
