import { randomUUID } from 'node:crypto';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import { day, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** A computer without internet reports later, with the times at which things happened. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** Ann with a device in New York, where it is 9:05 on Saturday, November 21, and her guardian Bob. */
async function family() {
  const { token } = await person(server);
  const bob = await activeGuardian(server, token);
  const device = await linkedDevice(server, token);
  await server.mailsTo(bob.email);
  const listedEntries = async () =>
    (await server.call('GET /web/acts', { token })).body.items as unknown as { words: string; time: string }[];
  const entries = async () => (await listedEntries()).filter(({ words }) => !words.endsWith('to be a guardian.'));
  const reportEvents = (...events: AgentEvent[]) => server.call('POST /agent/events', { token: device.agent, body: { events: events } });
  const outage = async () => (await server.call(`GET /web/devices/${device.uuid}`, { token })).body.outage;
  return { token, bob, device, acts: entries, tell: reportEvents, outage };
}
const isoTimeAfter = (ms: number) => new Date(server.clock.now().getTime() + ms).toISOString();
const eventAt = (time: string, reportedEvent: AgentEvent['reported']): AgentEvent => ({
  uuid: randomUUID(),
  time,
  reported: reportedEvent,
});

test('[P4.6] a pause three days ago is announced with its date, and as over', async () => {
  const { bob, acts, tell, outage } = await family();
  const startTime = isoTimeAfter(-3 * day);
  await tell(eventAt(startTime, { kind: 'paused', until: isoTimeAfter(-3 * day + 15 * minute) }));
  const sentence = 'Protection on Den PC was paused until 9:20 AM on Wednesday, November 18.';
  expect(await acts()).toMatchObject([{ time: startTime, words: sentence }]);
  expect(await outage()).toBeNull();
  const [mail] = await server.mailsTo(bob.email);
  expect(mail?.subject).toBe(sentence.slice(0, -1));
  expect(mail?.text).toContain('This happened at 9:05 AM on Wednesday, November 18.');
  expect(mail?.text).toContain('The pause is over');
  expect(mail?.text).not.toContain('Until then, nothing is blocked on that computer');
});

test('[P4.6] a pause in progress is announced with its date, and limited to the maximum length', async () => {
  const { bob, tell, outage } = await family();
  const startTime = isoTimeAfter(-5 * minute);
  await tell(eventAt(startTime, { kind: 'paused', until: isoTimeAfter(30 * day) }));
  expect(await outage()).toMatchObject({ kind: 'paused', since: startTime });
  const [mail] = await server.mailsTo(bob.email);
  expect(mail?.subject).toMatch(/^Protection on Den PC was paused until \d+:\d\d [AP]M on (Saturday, November 21|Sunday, November 22)$/);
  expect(mail?.text).toContain('Until then, nothing is blocked on that computer.');
});

test('wrong PINs three days ago are announced with their date', async () => {
  const { bob, acts, tell } = await family();
  await tell(eventAt(isoTimeAfter(-3 * day), { kind: 'pin_guessed' }));
  expect(await acts()).toMatchObject([{ time: isoTimeAfter(-3 * day) }]);
  const [mail] = await server.mailsTo(bob.email);
  expect(mail?.text).toContain('This happened at 9:05 AM on Wednesday, November 18.');
});

test('an event with a time in the future gets the current time', async () => {
  const { acts, tell } = await family();
  await tell(eventAt(isoTimeAfter(2 * day), { kind: 'pin_guessed' }));
  expect(await acts()).toMatchObject([{ time: isoTimeAfter(0) }]);
});

test('late events are grouped by arrival: five emails, a flood alarm, and one email with the rest', async () => {
  const { bob, tell } = await family();
  const countBefore = (await server.mailsTo(bob.email)).length;
  const requests = Array.from({ length: 8 }, (_, n) =>
    eventAt(isoTimeAfter(-3 * day + n * 60 * minute), { kind: 'asked', name: `Program ${n}` }),
  );
  await tell(...requests);
  expect(await server.mailsTo(bob.email)).toHaveLength(countBefore + 6);
  server.clock.turn(10 * minute);
  const mails = await server.mailsTo(bob.email);
  expect(mails).toHaveLength(countBefore + 7);
  for (const n of [6, 7]) expect(mails[0]?.text).toContain(`asked to use Program ${n}.`);
});
