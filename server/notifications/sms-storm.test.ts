import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

test('[P5.3, P5.4] hundreds of detections become one alert for each threat and one more when a threat is not blocked, once for each person', async () => {
  const { token, email } = await person(server);
  const guardians = [
    await activeGuardian(server, token, 'Bob'),
    await activeGuardian(server, token, 'Carol'),
    await activeGuardian(server, token, 'Dan'),
  ];
  const { agent } = await linkedDevice(server, token);
  // Five in the middle were not blocked.
  const storm = Array.from({ length: 200 }, (_, n) => detection(server, { identifier: `threat-${n % 5}`, blocked: n < 100 || n >= 105 }));
  const report = (detections: typeof storm) => server.call('POST /agent/detections', { token: agent, body: { detections } });
  for (let start = 0; start < 100; start += 20) await report(storm.slice(start, start + 20));
  // The other detections are sent in parallel and repeatedly, as by an agent that gets no answer.
  await Promise.all([report(storm.slice(100, 140)), report(storm.slice(120, 200)), report(storm.slice(100, 200))]);

  const { items } = (await server.call('GET /web/detections', { token })).body as unknown as {
    items: { info: { identifier: string; blocked: boolean; times: number }; notified: { state: string }[] }[];
  };
  const rows = items.map(({ info }) => `${info.identifier} ${info.blocked ? 'blocked' : 'not blocked'}`).sort();
  expect(rows).toEqual([0, 1, 2, 3, 4].flatMap((n) => [`threat-${n} blocked`, `threat-${n} not blocked`]).sort());
  expect(items.reduce((sum, { info }) => sum + info.times, 0)).toBe(200);
  for (const address of [email, ...guardians.map((g) => g.email)]) {
    const subjects = (await server.mailsTo(address)).map(({ subject }) => subject).filter((subject) => /blocked/i.test(subject));
    expect(subjects.filter((subject) => /not blocked/i.test(subject))).toHaveLength(5);
    expect(subjects).toHaveLength(10);
  }
  for (const { notified } of (await server.call('GET /web/detections', { token })).body.items as unknown as typeof items) {
    expect(notified.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent', 'sent']);
  }
});
