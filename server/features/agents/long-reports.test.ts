import { randomUUID } from 'node:crypto';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { ScanItem } from '@porchlight/contract/scan.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** JSON writes each of these characters as six bytes. */
const longest = (characters: number) => '\u0001'.repeat(characters);

test('the longest report of detections that the contract allows is accepted', async () => {
  const { token } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token);
  const detections = Array.from({ length: serverLimits.detections_per_report }, () =>
    detection(server, { name: longest(200), identifier: longest(300), details: longest(2000), why: longest(120) }),
  );
  const { status, body } = await server.call('POST /agent/detections', { token: agent, body: { detections } });
  expect([status, body.stored]).toEqual([200, detections.map((one) => one.uuid)]);
  const { items } = (await server.call(`GET /web/detections?device=${uuid}`, { token })).body as unknown as {
    items: { info: { times: number } }[];
  };
  expect(items.map(({ info }) => info.times)).toEqual([detections.length]);
});

test('the longest scan report that the contract allows is accepted', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const item: ScanItem = {
    ...{ kind: 'downloads', category: 'RemoteControl', certainty: 'certain', did: 'put_away', blocked: true },
    ...{ identifier: longest(300), name: longest(200), details: longest(2000) },
  };
  const items = Array.from({ length: agentLimits.scan_items_max }, () => item);
  const body = { uuid: randomUUID(), time: server.clock.now().toISOString(), items };
  expect((await server.call('POST /agent/scan', { token: agent, body })).status).toBe(200);
});

test('a body over the limit gets body_too_large; other calls have the general, lower limit', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const refusedReply = { status: 413, body: { code: 'body_too_large' } };
  const body = { detections: [detection(server)], more: 'x'.repeat(4 * 1024 * 1024) };
  expect(await server.call('POST /agent/detections', { token: agent, body })).toMatchObject(refusedReply);
  expect(await server.call('POST /agent/events', { token: agent, body: { more: 'x'.repeat(serverLimits.body_max) } })).toMatchObject(
    refusedReply,
  );
});
