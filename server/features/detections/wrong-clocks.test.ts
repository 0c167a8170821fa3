import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentInfo } from '../../testing/agent-info.ts';
import { report } from '../../testing/report.ts';
import { detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const today = () =>
  server.clock.now().toLocaleDateString('en-US', { weekday: 'long', day: 'numeric', month: 'long', timeZone: agentInfo.time_zone });

test("[P5.3] a computer whose clock restarts daily causes an alert each day, with the server's date", async () => {
  const { token, email } = await person(server);
  const { agent, uuid } = await linkedDevice(server, token, 'Den PC');
  const dates: string[] = [];
  for (const time of ['2015-01-01T00:01:00.000Z', '2015-01-01T00:02:00.000Z']) {
    server.clock.turn(day);
    dates.push(server.clock.now().toISOString());
    await report(server, agent, detection(server, { time }));
  }
  const history = (await server.call('GET /web/detections', { token })).body.items as unknown as Record<string, unknown>[];
  expect(history.map(({ info }) => info)).toMatchObject([
    { times: 1, time: dates[1], last_time: dates[1] },
    { times: 1, time: dates[0], last_time: dates[0] },
  ]);
  const mails = (await server.mailsTo(email)).filter(({ subject }) => subject.includes('was blocked'));
  const emailDates = mails.map(({ text }) => / on (\w+, \w+ \d+)/.exec(text)?.[1]).sort();
  expect(emailDates).toEqual(['Monday, November 23', 'Sunday, November 22']);
  expect((await server.call(`GET /web/devices/${uuid}`, { token })).body.last_detection).toBe(dates[1]);
});

test('a detection after enrolment keeps its time, however late it arrives', async () => {
  const { token } = await person(server);
  const { agent } = await linkedDevice(server, token);
  const time = server.clock.now().toISOString();
  server.clock.turn(6 * day);
  await report(server, agent, detection(server, { time }));
  expect((await server.call('GET /web/detections', { token })).body.items).toMatchObject([{ info: { time } }]);
});

test("the first scan of a computer with a wrong clock is announced with today's date", async () => {
  const { token, email } = await person(server);
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const { uuid, name, identifier, category, details, blocked, certainty } = detection(server);
  const emailText = { kind: 'programs', name, identifier, category, details, blocked, certainty, did: 'put_away' };
  await server.call('POST /agent/scan', { token: agent, body: { uuid, time: '2015-01-01T00:01:00.000Z', items: [emailText] } });
  const [mail] = (await server.mailsTo(email)).filter(({ text }) => text.includes('We checked Den PC'));
  expect(/We checked Den PC at [\d:]+ [AP]M(?: UTC)? on (\w+, \w+ \d+)/.exec(mail?.text ?? '')?.[1]).toBe(today());
});
