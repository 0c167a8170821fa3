import { randomUUID } from 'node:crypto';
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

async function family() {
  const ann = await incidentFamily(server);
  const attic = await linkedDevice(server, ann.token, 'Attic PC');
  /** `before`: milliseconds since it was pressed at the computer. */
  const report = (event: object, before = 0) => {
    const time = new Date(server.clock.now().getTime() - before).toISOString();
    return server.call('POST /agent/events', {
      token: ann.device.agent,
      body: { events: [{ uuid: randomUUID(), time, reported: event }] },
    });
  };
  return {
    ...ann,
    attic,
    report,
    help: (device = ann.device.uuid) => ann.call('POST /web/help', { device }),
    helpThere: (before = 0) => report({ kind: 'help' }, before),
    policy: () => policyOf(server, ann.device.agent),
    notified: async (email = ann.email) =>
      (await server.mailsTo(email)).filter(({ subject }) => /needs help now|asked for help/.test(subject)).map(({ subject }) => subject),
  };
}

test('[P9.5] *I need help now* on the dashboard opens an incident, and that device alone is strict without an allow list, for an hour', async () => {
  const ann = await family();
  await ann.allow();
  // Beyond the hour in which a start waits for a yes.
  server.clock.turn(60 * minute);
  const before = await ann.policy();
  expect(before).toMatchObject({ lock: false, allow: [{ identifier: 'anydesk' }] });
  const { status, body } = await ann.help();
  expect(status).toBe(200);
  expect(await ann.incidents()).toMatchObject([{ uuid: body.incident, state: 'open', opener: 'help' }]);
  const until = new Date(server.clock.now().getTime() + hour).toISOString();
  const stopped = await ann.policy();
  expect(stopped).toMatchObject({ lock: true, allow: [], block_likely: true, emergency_stop: { by: 'Ann', until } });
  expect([stopped.resume === before.resume, stopped.version > before.version]).toEqual([false, true]);
  expect(await policyOf(server, ann.attic.agent)).toMatchObject({ lock: false, emergency_stop: null });
  expect((await ann.call('GET /web/emergency')).body.stops).toMatchObject([{ by: 'Ann', device: { name: 'Den PC' } }]);
  expect(await ann.notified(ann.bob?.email)).toEqual(['Ann needs help now']);
  // The holder reads what to do on the screen where they pressed.
  expect(await ann.notified()).toEqual([]);
  expect((await ann.call(`GET /web/incidents/${String(body.incident)}`)).body.notified).toMatchObject([{ name: 'Bob Example' }]);

  server.clock.turn(hour);
  await server.app.worker.idle();
  const after = await ann.policy();
  expect(after).toMatchObject({ lock: true, emergency_stop: null, allow: [{ identifier: 'anydesk' }] });
  expect(after.version).toBeGreaterThan(stopped.version);
});

test('[P9.5] *I need help now* at the computer does the same, and the holder is notified, too', async () => {
  const ann = await family();
  await ann.helpThere();
  expect(await ann.incidents()).toMatchObject([{ opener: 'help' }]);
  expect(await ann.policy()).toMatchObject({ allow: [], emergency_stop: { by: 'Den PC' } });
  expect([await ann.notified(), await ann.notified(ann.bob?.email)]).toEqual([['You asked for help on Den PC'], ['Ann needs help now']]);
});

test('[P9.5] pressing again within ten minutes changes nothing and notifies nobody; later it is a new press', async () => {
  const ann = await family();
  await ann.helpThere();
  const { emergency_stop: first, version } = await ann.policy();
  server.clock.turn(9 * minute);
  await ann.help();
  await ann.helpThere();
  expect(await ann.policy()).toMatchObject({ version, emergency_stop: first });
  expect(await ann.notified(ann.bob?.email)).toHaveLength(1);
  server.clock.turn(minute);
  await ann.helpThere();
  expect((await ann.policy()).emergency_stop?.until).toBe(new Date(server.clock.now().getTime() + hour).toISOString());
  expect(await ann.notified(ann.bob?.email)).toHaveLength(2);
});

test('[P9.5] a press of two hours ago opens an incident and stops nothing; one of days ago only notifies people, once', async () => {
  const ann = await family();
  await ann.helpThere(2 * hour);
  expect(await ann.incidents()).toMatchObject([{ state: 'open', opener: 'help' }]);
  expect(await ann.policy()).toMatchObject({ lock: true, emergency_stop: null });
  expect(await ann.notified(ann.bob?.email)).toHaveLength(1);

  const late = await family();
  await late.helpThere(49 * hour);
  await late.helpThere(49 * hour);
  expect(await late.incidents()).toEqual([]);
  expect(await late.policy()).toMatchObject({ lock: false, emergency_stop: null });
  expect(await late.notified(late.bob?.email)).toHaveLength(1);
  const [mail] = await server.mailsTo(late.bob?.email ?? '');
  expect(mail?.text).toMatch(/2 days ago/);
});

test('[P9.5] a press at a computer whose clock went back years is one of now', async () => {
  const ann = await family();
  await ann.helpThere(20 * 365 * 24 * hour);
  expect(await ann.incidents()).toMatchObject([{ state: 'open', opener: 'help' }]);
  expect(await ann.policy()).toMatchObject({ emergency_stop: { by: 'Den PC' } });
});

test('[P9.5] *It’s over* ends the stop of that device', async () => {
  const ann = await family();
  const { incident } = (await ann.help()).body;
  server.clock.turn(minute);
  await ann.asBob(`POST /guardian/:id/incidents/${String(incident)}`, { answer: 'over' });
  expect(await ann.policy()).toMatchObject({ lock: false, emergency_stop: null });
});

test('[P9.5] another account’s device cannot be helped, and presses are limited', async () => {
  const [ann, eve] = [await family(), await family()];
  expect(await ann.help(eve.device.uuid)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await eve.incidents()).toEqual([]);
  const statuses: number[] = [];
  for (let n = 0; n < 30; n++) statuses.push((await ann.help()).status);
  expect([statuses.at(-2), statuses.at(-1)]).toEqual([200, 429]);
});

test('[P10.7] a program that a one-time code allowed at the computer is logged, people are notified, and its start within the hour opens nothing', async () => {
  const ann = await family();
  await ann.report({ kind: 'allowed', name: 'AnyDesk', until: new Date(server.clock.now().getTime() + hour).toISOString() });
  const { items } = (await ann.call('GET /web/acts')).body;
  expect((items as unknown as { kind: string }[]).filter(({ kind }) => kind === 'allowed')).toMatchObject([{ by: 'Den PC', undo: null }]);
  const [mail] = (await server.mailsTo(ann.bob?.email ?? '')).filter(({ subject }) => /allowed AnyDesk/.test(subject));
  expect(mail?.subject).toBe('Someone with a code allowed AnyDesk on Den PC');
  server.clock.turn(30 * minute);
  await ann.stops({ blocked: false });
  expect(await ann.incidents()).toEqual([]);
  // A code is a guardian's yes, so the next change is not the second one within an hour.
  expect((await ann.weaker()).status).toBe(200);
  server.clock.turn(31 * minute);
  await ann.stops({ blocked: false });
  expect((await ann.incidents()).map(({ state }) => state)).toEqual(['open']);
});
