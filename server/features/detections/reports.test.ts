import { randomUUID } from 'node:crypto';
import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Detection } from '@porchlight/contract/detections.ts';
import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { report } from '../../testing/report.ts';
import { statementsOf } from '../../testing/statements.ts';
import { detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const history = async (token: string, query = '') =>
  (await server.call(`GET /web/detections${query}`, { token })).body.items as unknown as Record<string, { times: number }>[];

test("an empty report, one with a user's token, and one of 101 detections are refused", async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  expect((await report(server, agent)).status).toBe(422);
  expect((await report(server, token, detection(server))).status).toBe(401);
  expect((await report(server, agent, ...Array.from({ length: 101 }, () => detection(server, { uuid: randomUUID() })))).status).toBe(422);
});

test('a report of many detections needs as many queries as a report of one, and stores duplicates once', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const countReads = async (...detections: ReportedDetection[]) => {
    const statements = await statementsOf(async () => expect((await report(server, agent, ...detections)).status).toBe(200));
    return statements.filter(({ text }) => text.includes('from "detections"')).length;
  };
  const singleReads = await countReads(detection(server));
  const manyDetections = Array.from({ length: 40 }, (_, n) =>
    detection(server, { identifier: `family-${n % 2}`, time: new Date(server.clock.now().getTime() - n * 1000).toISOString() }),
  );
  const repeatedDetection = manyDetections[0] ?? expect.unreachable();
  expect(await countReads(...manyDetections, repeatedDetection)).toBe(singleReads);
  expect(await countReads(...manyDetections)).toBe(1);
  const { items } = (await server.call('GET /web/detections', { token })).body as unknown as { items: Detection[] };
  expect(items.map(({ info }) => [info.identifier, info.times]).toSorted()).toEqual([
    ['anydesk', 1],
    ['family-0', 20],
    ['family-1', 20],
  ]);
});

test('detections from before enrolment keep the order in which the device reported them', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const names = Array.from({ length: 9 }, (_, n) => `Thing ${n}`);
  const yesterday = server.clock.now().getTime() - 86_400_000;
  const times = names.map((_, n) => new Date(yesterday + n * 1000).toISOString());
  await report(server, agent, ...names.map((name, n) => detection(server, { name, identifier: `thing-${n}`, time: times[n] ?? '' })));
  const items = (await server.call('GET /web/detections', { token })).body.items as unknown as Detection[];
  expect(items.map(({ info }) => info.name)).toEqual(names.toReversed());
  expect(items.every(({ info }) => new Date(info.time) <= server.clock.now())).toBe(true);
});

test('two devices that use the same detection id have separate alerts and repeats', async () => {
  const { token } = await person(server);
  const [denDevice, atticDevice] = [await linkedDevice(server, token, 'Den PC'), await linkedDevice(server, token, 'Attic PC')];
  const firstDetection = detection(server);
  await report(server, denDevice.agent, firstDetection);
  server.clock.turn(1);
  const sameIdDetection = { ...firstDetection, time: server.clock.now().toISOString() };
  await report(server, atticDevice.agent, sameIdDetection);
  server.clock.turn(minute);
  const repeat = detection(server);
  await report(server, denDevice.agent, repeat);
  const infos = (await history(token)).map(({ info }) => info);
  expect(infos).toMatchObject([
    { times: 1, last_time: sameIdDetection.time },
    { times: 2, last_time: repeat.time },
  ]);
});
