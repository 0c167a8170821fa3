import { randomUUID } from 'node:crypto';
import type { ActivityEntry } from '@porchlight/contract/activity-log.ts';
import type { Incident } from '@porchlight/contract/incidents.ts';
import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { incidentFamily } from '../../testing/incident-family.ts';
import { policyOf } from '../../testing/policy-of.ts';
import { linkedDevice, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** Ann allowed TeamViewer three days ago, and AnyDesk two hours ago, whose start has just opened an incident. */
async function family(options?: { guardian?: boolean }) {
  const ann = await incidentFamily(server, options);
  await ann.allow('teamviewer');
  server.clock.turn(3 * 24 * hour);
  await ann.allow('anydesk');
  server.clock.turn(2 * hour);
  await ann.stops();
  const [incident] = await ann.incidents();
  const path = `/guardian/:id/incidents/${incident?.uuid}`;
  const seen = async () => (await ann.asBob(`GET ${path}`)).body as unknown as Incident;
  const over = (stop_allowing: string[] = []) => ann.asBob(`POST ${path}`, { answer: 'over', stop_allowing });
  const namesAllowed = async () => (await ann.allowed()).map(({ name }) => name).toSorted();
  const wordsOf = ({ events }: Incident) => events.map(({ words }) => words);
  return { ...ann, incident: incident?.uuid ?? '', seen, over, namesAllowed, wordsOf };
}

const idOf = ({ allowed_after }: Incident, name: string) => allowed_after.find((one) => one.name === name)?.id ?? '';

test('[P15.4] before *It’s over* a guardian reads what is allowed then, and what was allowed the day before comes first; the press takes it off the list', async () => {
  const ann = await family();
  const entry = { device: null, until: null, waits: false };
  expect((await ann.seen()).allowed_after).toEqual([
    { ...entry, id: expect.any(String), name: 'AnyDesk', recent: true },
    { ...entry, id: expect.any(String), name: 'TeamViewer', recent: false },
  ]);
  // At an own computer the holder cannot end it, and needs no list.
  expect((await ann.call(`GET /web/incidents/${ann.incident}`)).body.allowed_after).toEqual([]);
  const { body, status } = await ann.over([idOf(await ann.seen(), 'AnyDesk'), randomUUID()]);
  expect([status, body.state, body.allowed_after]).toEqual([200, 'watched', []]);
  expect(await ann.namesAllowed()).toEqual(['TeamViewer']);
  expect((await policyOf(server, ann.device.agent)).allow).toMatchObject([{ identifier: 'teamviewer' }]);
  expect(ann.wordsOf(await ann.seen())).toContain('Bob said it’s over, and stopped allowing AnyDesk.');
  // The activity log offers nothing more to take back, as after any other removal.
  const { items } = (await ann.call('GET /web/acts')).body as unknown as { items: ActivityEntry[] };
  const undone = items.filter(({ kind }) => kind === 'allowed').map(({ what, undo }) => [what, undo?.way ?? null]);
  expect(undone).toEqual([
    ['AnyDesk', null],
    ['TeamViewer', 'disallow'],
  ]);
});

test('[P15.4] without a tick nothing is taken off, and a second press about the same incident takes off what it names, without an error', async () => {
  const ann = await family();
  const [anydesk, teamviewer] = [idOf(await ann.seen(), 'AnyDesk'), idOf(await ann.seen(), 'TeamViewer')];
  expect((await ann.over()).body.state).toBe('watched');
  expect(ann.wordsOf(await ann.seen())).toContain('Bob said it’s over.');
  expect(await ann.namesAllowed()).toEqual(['AnyDesk', 'TeamViewer']);
  for (const _press of [1, 2]) expect((await ann.over([anydesk])).body.state).toBe('watched');
  expect(await ann.namesAllowed()).toEqual(['TeamViewer']);
  expect(ann.wordsOf(await ann.seen()).filter((words) => /said it’s over/.test(words))).toHaveLength(1);
  const other = await family();
  await other.over([teamviewer]);
  expect(await ann.namesAllowed()).toEqual(['TeamViewer']);
  expect(await other.namesAllowed()).toEqual(['AnyDesk', 'TeamViewer']);
});

test('[P15.4] two presses at once both succeed, and each entry is taken off once', async () => {
  const ann = await family();
  const ids = (await ann.seen()).allowed_after.map(({ id }) => id);
  const presses = await Promise.all([ann.over(ids.slice(0, 1)), ann.over(ids)]);
  expect(presses.map(({ status }) => status)).toEqual([200, 200]);
  expect(await ann.namesAllowed()).toEqual([]);
});

test('[P15.4] who may not end the incident takes nothing off the list', async () => {
  const ann = await family();
  const stop_allowing = [idOf(await ann.seen(), 'AnyDesk')];
  const own = await ann.call(`POST /web/incidents/${ann.incident}`, { answer: 'over', stop_allowing });
  expect(own).toMatchObject({ status: 403, body: { code: 'may_not_answer' } });
  expect(await ann.namesAllowed()).toEqual(['AnyDesk', 'TeamViewer']);
});

test('[P15.4] what a guardian allowed for an hour in the incident is listed with its end, and what waits for a yes says so', async () => {
  const ann = await incidentFamily(server);
  await ann.allow('teamviewer');
  await ann.stops({ identifier: 'teamviewer', name: 'TeamViewer' });
  server.clock.turn(minute);
  await ann.stops();
  const [incident] = await ann.incidents();
  const path = `/guardian/:id/incidents/${incident?.uuid}`;
  const until = new Date(server.clock.now().getTime() + hour).toISOString();
  const { body } = await ann.asBob(`POST ${path}`, { answer: 'allow_hour' });
  expect(body.allowed_after).toMatchObject([
    { name: 'AnyDesk', until, waits: false, recent: true },
    { name: 'TeamViewer', until: null, waits: true, recent: true },
  ]);
  server.clock.turn(hour);
  expect((await ann.asBob(`GET ${path}`)).body.allowed_after).toMatchObject([{ name: 'TeamViewer' }]);
});

test('[P15.4] of an incident that opened again, what was allowed in the calm days between is listed last, and what was allowed in its last day first', async () => {
  const ann = await family();
  await ann.over([idOf(await ann.seen(), 'AnyDesk'), idOf(await ann.seen(), 'TeamViewer')]);
  server.clock.turn(hour);
  await ann.allow('teamviewer');
  server.clock.turn(3 * 24 * hour);
  await ann.allow('anydesk');
  server.clock.turn(2 * hour);
  await ann.stops();
  expect((await ann.seen()).allowed_after).toMatchObject([
    { name: 'AnyDesk', recent: true },
    { name: 'TeamViewer', recent: false },
  ]);
});

test('[P15.4] [P10.6] the end of *Stop this* lists what it suspended on every computer, but not while another incident is open', async () => {
  const ann = await incidentFamily(server);
  const kitchen = await linkedDevice(server, ann.token, 'Kitchen PC');
  const add = { type: 'domain', identifier: 'example.com', lasts: null };
  expect((await ann.call(`POST /web/devices/${kitchen.uuid}/v2/exceptions`, add)).status).toBe(200);
  server.clock.turn(2 * hour);
  await ann.asBob('POST /guardian/:id/stop', { device: ann.device.uuid });
  const [incident] = await ann.incidents();
  const seen = async () => (await ann.asBob(`GET /guardian/:id/incidents/${incident?.uuid}`)).body as unknown as Incident;
  expect((await policyOf(server, kitchen.agent)).allow).toEqual([]);
  expect((await seen()).allowed_after).toMatchObject([{ name: 'example.com', device: 'Kitchen PC', recent: true }]);

  const attic = await linkedDevice(server, ann.token, 'Attic PC');
  const asked = { uuid: randomUUID(), time: server.clock.now().toISOString(), reported: { kind: 'asked', name: 'AnyDesk' } };
  await server.call('POST /agent/events', { token: attic.agent, body: { events: [asked] } });
  expect(await ann.incidents()).toHaveLength(2);
  expect((await seen()).allowed_after).toEqual([]);
});

test('[P15.4] a holder without guardians who asks to end it takes entries off at once, and waits for the rest', async () => {
  const ann = await family({ guardian: false });
  const path = `/web/incidents/${ann.incident}`;
  const before = (await ann.call(`GET ${path}`)).body as unknown as Incident;
  expect(before.allowed_after.map(({ name }) => name)).toEqual(['AnyDesk', 'TeamViewer']);
  const { body } = await ann.call(`POST ${path}`, { answer: 'over', stop_allowing: [idOf(before, 'AnyDesk')] });
  expect(body.state).toBe('open');
  expect(ann.wordsOf(body as unknown as Incident)).toContain('Ann wants to end this, and stopped allowing AnyDesk.');
  expect(await ann.namesAllowed()).toEqual(['TeamViewer']);
});
