import { randomUUID } from 'node:crypto';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

async function family() {
  const { token, email } = await person(server);
  const bob = await activeGuardian(server, token);
  const device = await linkedDevice(server, token);
  const subjectPattern = /got stuck|paused|wrong Admin PIN|asked to use/;
  const notifications = async (recipient = email) =>
    (await server.mailsTo(recipient)).filter(({ subject, text }) => subjectPattern.test(subject + text));
  const entries = async () =>
    ((await server.call('GET /web/acts', { token })).body.items as unknown as { kind: string; words: string }[]).filter(
      ({ kind }) => kind !== 'guardian_added',
    );
  const outage = async () => (await server.call(`GET /web/devices/${device.uuid}`, { token })).body.outage;
  return { token, email, bob, device, told: notifications, acts: entries, outage };
}
const eventOf = (reportedEvent: AgentEvent['reported'], minutesAgo = 0): AgentEvent => ({
  uuid: randomUUID(),
  time: new Date(server.clock.now().getTime() - minutesAgo * minute).toISOString(),
  reported: reportedEvent,
});
const reportEvents = (token: string, ...events: AgentEvent[]) => server.call('POST /agent/events', { token, body: { events: events } });
const inMinutes = (n: number) => new Date(server.clock.now().getTime() + n * minute).toISOString();

test('[P4.6] a pause notifies holder and guardians once, even if the agent reports it twice, and ends by itself', async () => {
  const { bob, device, told, outage } = await family();
  const paused = eventOf({ kind: 'paused', until: inMinutes(10) });
  expect(await reportEvents(device.agent, paused)).toMatchObject({ status: 200, body: { stored: [paused.uuid] } });
  expect(await outage()).toMatchObject({ kind: 'paused', until: inMinutes(10) });
  expect(await reportEvents(device.agent, paused)).toMatchObject({ status: 200, body: { stored: [paused.uuid] } });
  expect(await told()).toHaveLength(1);
  const [mail] = await told(bob.email);
  expect(mail?.text).toMatch(/Protection on Den PC was paused until .*\d/);
  server.clock.turn(11 * minute);
  expect(await outage()).toBeNull();
});

test('[P4.6] two pauses that end within one minute are one notification, and a pause that ends a minute later is another', async () => {
  const { device, told } = await family();
  const end = Math.floor(new Date(inMinutes(10)).getTime() / minute) * minute;
  const pauseTo = (seconds: number) =>
    reportEvents(device.agent, eventOf({ kind: 'paused', until: new Date(end + seconds * 1000).toISOString() }));
  await pauseTo(10);
  await pauseTo(40);
  expect(await told()).toHaveLength(1);
  await pauseTo(70);
  expect(await told()).toHaveLength(2);
});

test('[P4.7] people read once which files the agent got stuck at and leaves out', async () => {
  const { bob, device, told, acts } = await family();
  const event = eventOf({ kind: 'left_out', source: 'autostart' });
  for (let n = 0; n < 2; n++) expect(await reportEvents(device.agent, event)).toMatchObject({ status: 200 });
  const words = 'Porchlight got stuck on Den PC at the list of programs that start by themselves, and skips that for a day.';
  expect(await acts()).toMatchObject([{ kind: 'left_out', words }]);
  expect((await told(bob.email))[0]?.text).toContain(words);
});

test('[P4.6] resuming ends a pause immediately', async () => {
  const { device, outage } = await family();
  await reportEvents(device.agent, eventOf({ kind: 'paused', until: inMinutes(10) }));
  await reportEvents(device.agent, eventOf({ kind: 'resumed' }));
  expect(await outage()).toBeNull();
});

test('[P4.6] people are notified of a pause reported after its end, and the device counts as protected', async () => {
  const { bob, device, told, outage } = await family();
  await reportEvents(device.agent, eventOf({ kind: 'paused', until: inMinutes(-50) }, 60));
  expect(await outage()).toBeNull();
  expect(await told(bob.email)).toHaveLength(1);
});

test('[P2.6] five wrong PINs are logged, and people are notified of them', async () => {
  const { bob, device, told, acts } = await family();
  await reportEvents(device.agent, eventOf({ kind: 'pin_guessed' }));
  expect(await acts()).toMatchObject([{ kind: 'pin_guessed', words: 'Somebody typed 5 wrong Admin PINs on Den PC.' }]);
  const [mail] = await told(bob.email);
  expect(mail?.text).toContain('The computer is still protected.');
  expect(mail?.text.split(/\s+/).length).toBeLessThan(90);
});

test('people are notified of a request to use a program, and the request allows nothing', async () => {
  const { token, bob, device, told } = await family();
  await reportEvents(device.agent, eventOf({ kind: 'asked', name: 'AnyDesk' }));
  const [mail] = await told(bob.email);
  expect(mail?.text).toContain('Somebody on Den PC asked to use AnyDesk.');
  expect(mail?.text).toContain('It’s still blocked.');
  const { items } = (await server.call(`GET /web/devices/${device.uuid}/v2/exceptions`, { token })).body;
  expect(items).toEqual([]);
});

test('two devices may report events with the same id', async () => {
  const [a, b] = [await family(), await family()];
  const event = eventOf({ kind: 'pin_guessed' });
  await reportEvents(a.device.agent, event);
  await reportEvents(b.device.agent, event);
  expect([await a.acts(), await b.acts()].map((list) => list.length)).toEqual([1, 1]);
});
