import type { Detection } from '@porchlight/contract/detections.ts';
import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buyers } from '../../testing/buyer.ts';
import { detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const wishOf = (name: string) => ({
  events: [{ uuid: crypto.randomUUID(), time: server.clock.now().toISOString(), reported: { kind: 'asked', name } }],
});

async function holder() {
  const newHolder = await person(server, 'Ann Example');
  const { uuid: device, agent } = await linkedDevice(server, newHolder.token, 'Den PC');
  const report = async (overrides = {}) => {
    const newDetection = detection(server, overrides);
    await server.call('POST /agent/detections', { token: agent, body: { detections: [newDetection] } });
    return newDetection.uuid;
  };
  const endPlan = async () => {
    await buyers(() => server).endPlan(newHolder.email);
    expect(await buyers(() => server).planOf(newHolder.token)).toMatchObject({ subscribed: false });
  };
  return { ...newHolder, device, agent, report, endPlan };
}

test('each page of the history says whether older alerts exist', async () => {
  const { token, device, report } = await holder();
  const alerts: string[] = [];
  for (let n = 0; n < 4; n++) {
    alerts.unshift(await report({ identifier: `thing-${n}` }));
    server.clock.turn(minute);
  }
  const page = async (query: string) => {
    const { items, older } = (await server.call(`GET /web/detections?${query}`, { token })).body as unknown as {
      items: Detection[];
      older: boolean;
    };
    return [items.map(({ uuid, device_name }) => [uuid, device_name]), older];
  };
  const namedLinks = (start: number, end: number) => alerts.slice(start, end).map((uuid) => [uuid, 'Den PC']);
  expect(await page(`offset=0&length=2&device=${device}`)).toEqual([namedLinks(0, 2), true]);
  expect(await page(`offset=2&length=2&device=${device}`)).toEqual([namedLinks(2, 4), false]);
  expect(await page('offset=0&length=3')).toEqual([namedLinks(0, 3), true]);
  expect(await page('offset=0&length=4')).toEqual([namedLinks(0, 4), false]);
  expect(await page('offset=8&length=4')).toEqual([[], false]);
});

test('[6.3] without a plan alerts can be read, answered and reported as wrong, but other pages for subscribers stay closed', async () => {
  const { token, device, report, endPlan } = await holder();
  const alert = await report();
  await endPlan();
  const { body } = await server.call('GET /web/detections', { token });
  expect(body.items).toMatchObject([{ uuid: alert, device_name: 'Den PC' }]);
  expect((await server.call(`GET /web/detections/${alert}`, { token })).status).toBe(200);
  expect((await server.call(`POST /web/detections/${alert}/answer`, { token, body: { answer: 'sorted' } })).status).toBe(200);
  expect((await server.call(`POST /web/detections/${alert}/wrong`, { token })).status).toBe(200);
  const allow = { type: 'definition', identifier: 'anydesk', lasts: 'hour' };
  for (const [path, overrides] of [
    ['GET /web/devices', {}],
    [`GET /web/devices/${device}`, {}],
    [`POST /web/devices/${device}/v2/exceptions`, { body: allow }],
  ] as const) {
    expect(await server.call(path, { token, ...overrides })).toMatchObject({ status: 403, body: { code: 'not_subscribed' } });
  }
});

test("an alert's email links to its device while there is a plan, and otherwise to the history", async () => {
  const { email, report, endPlan } = await holder();
  const [firstLink] = [await report()];
  const link = async () => (await server.mailsTo(email)).find(({ subject }) => subject.includes('blocked'))?.text;
  expect(await link()).toContain(`http://localhost:4380/dashboard/detection/${firstLink}`);
  await endPlan();
  const secondAlert = await report({ identifier: 'teamviewer', name: 'TeamViewer' });
  expect(await link()).toContain(`http://localhost:4380/dashboard/history?detectionId=${secondAlert}`);
});

test('the email about a request to use a program links to the newest alert of that name, or else to the dashboard', async () => {
  const { email, token, agent, report } = await holder();
  await report();
  server.clock.turn(11 * minute);
  const newest = await report();
  await report({ identifier: 'teamviewer', name: 'TeamViewer' });
  const otherDevice = await linkedDevice(server, token, 'Attic PC');
  await server.call('POST /agent/detections', { token: otherDevice.agent, body: { detections: [detection(server)] } });
  const link = async () => (await server.mailsTo(email)).find(({ subject }) => subject.includes('asked to use'))?.text;
  await server.call('POST /agent/events', { token: agent, body: wishOf('AnyDesk') });
  expect(await link()).toContain(`http://localhost:4380/dashboard/detection/${newest}?asked=1`);
  expect(await link()).toContain('See it and answer');
  await server.call('POST /agent/events', { token: agent, body: wishOf('RustDesk') });
  expect(await link()).toMatch(/http:\/\/localhost:4380\/dashboard\s/);
  expect(await link()).toContain('Go to my dashboard');
});
