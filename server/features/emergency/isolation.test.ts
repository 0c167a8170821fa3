import { randomUUID } from 'node:crypto';
import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { daysOfUse } from '../../testing/days-of-use.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import { nextPolicyOf, policyOf } from '../../testing/policy-of.ts';
import { fakeAddress, linkedDevice, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const later = (ms: number) => new Date(server.clock.now().getTime() + ms).toISOString();

async function family({ allowed = true } = {}) {
  const ann = await incidentFamily(server);
  if (allowed) await ann.call(`PATCH /web/guardians/${ann.bob?.uuid}`, { may_isolate: true });
  const reconnect = (time = server.clock.now().toISOString()) => {
    const event = { uuid: randomUUID(), time, reported: { kind: 'reconnected' } };
    return server.call('POST /agent/events', { token: ann.device.agent, body: { events: [event] } });
  };
  return {
    ...ann,
    reconnect,
    cut: (body: object = { minutes_offline: 15 }) => ann.asBob('POST /guardian/:id/stop', body),
    isolation: async () => (await policyOf(server, ann.device.agent)).isolation,
    may: async () => (await ann.asBob('GET /guardian/:id/emergency')).body.devices?.[0]?.may_isolate,
    lines: async () => {
      const { events } = (await ann.call(`GET /web/incidents/${(await ann.incidents())[0]?.uuid}`)).body as unknown as {
        events: { words: string; time: string }[];
      };
      return Object.fromEntries(events.map(({ words, time }) => [words, time]));
    },
    words: async () =>
      ((await ann.call(`GET /web/incidents/${(await ann.incidents())[0]?.uuid}`)).body.events as unknown as { words: string }[]).map(
        (event) => event.words,
      ),
    notified: async (subject: RegExp) => (await server.mailsTo(ann.email)).filter((mail) => subject.test(mail.subject)),
  };
}

test('[P10.6] *Cut the internet there* is in the policy of that device alone, in the time line, and in the message, with its end', async () => {
  const ann = await family();
  const attic = await linkedDevice(server, ann.token, 'Attic PC');
  const before = await policyOf(server, ann.device.agent);
  const waiting = nextPolicyOf(server, ann.device.agent, before);
  const { body } = await ann.cut({ minutes_offline: 10, device: ann.device.uuid });
  const isolation = { by: 'Bob', until: later(10 * minute), may_end: true };
  expect(body.devices).toMatchObject([
    { name: 'Den PC', isolation },
    { name: 'Attic PC', isolation: null },
  ]);
  expect((await waiting).isolation).toMatchObject(isolation);
  expect(await policyOf(server, attic.agent)).toMatchObject({ isolation: null, emergency_stop: { by: 'Bob' } });
  expect((await ann.call('GET /web/emergency')).body.isolations).toMatchObject([{ ...isolation, device: { name: 'Den PC' } }]);
  expect(await ann.lines()).toMatchObject({ 'Bob cut the internet on this computer.': server.clock.now().toISOString() });
  const [mail] = await ann.notified(/^Bob stopped everything/);
  expect(mail?.text).toMatch(/Den PC has no internet until \d+:\d\d [AP]M\./);
});

test('[P10.6] the policy changes when the isolation has run out', async () => {
  const ann = await family();
  await ann.cut();
  const { version } = await policyOf(server, ann.device.agent);
  server.clock.turn(15 * minute - 1);
  await server.app.worker.idle();
  expect(await policyOf(server, ann.device.agent)).toMatchObject({ version, isolation: { by: 'Bob' } });
  server.clock.turn(1);
  await server.app.worker.idle();
  const after = await policyOf(server, ann.device.agent);
  expect(after).toMatchObject({ isolation: null, emergency_stop: { by: 'Bob' } });
  expect(after.version).toBeGreaterThan(version);
});

test('[P10.6] without the holder’s consent the internet is cut only at a computer of someone else', async () => {
  const ann = await family({ allowed: false });
  const why = 'Ann has not allowed you to cut the internet on Den PC.';
  const refusal = { may: 'no', reason: 'not_allowed', holder: 'Ann', device: 'Den PC', pressed: null, again: null, why };
  expect(await ann.may()).toEqual(refusal);
  expect(await ann.cut()).toMatchObject({ status: 403, body: { code: 'may_not_answer', error: why } });
  // Nothing of a refused press has happened.
  expect((await ann.call('GET /web/emergency')).body).toEqual({ stops: [], isolations: [] });
  await ann.call(`POST /web/devices/${ann.device.uuid}`, { name: 'Den PC', policy: 'strict', person: { name: 'Mum', is_holder: false } });
  expect(await ann.may()).toEqual(refusal);
  await daysOfUse(server, [{ agent: ann.device.agent, home: fakeAddress() }]);
  expect(await ann.may()).toEqual({ may: 'yes' });
  expect((await ann.cut()).status).toBe(200);
  expect(await ann.isolation()).toMatchObject({ by: 'Bob' });
  const forbidden = await family();
  await forbidden.call(`PATCH /web/guardians/${forbidden.bob?.uuid}`, { may_isolate: false });
  expect((await forbidden.cut()).status).toBe(403);
});

test('[P10.6] the internet of a device is cut twice in 24 hours at most, and a press during an isolation changes nothing', async () => {
  const ann = await family();
  await ann.cut();
  const first = await ann.isolation();
  server.clock.turn(minute);
  expect((await ann.cut()).status).toBe(200);
  expect(await ann.isolation()).toEqual(first);
  server.clock.turn(hour);
  expect((await ann.cut()).status).toBe(200);
  expect(await ann.isolation()).toMatchObject({ until: later(15 * minute) });
  server.clock.turn(hour);
  expect(await ann.may()).toMatchObject({ may: 'no', why: expect.stringMatching(/^The internet on Den PC was cut twice within a day/) });
  expect((await ann.cut()).body.code).toBe('may_not_answer');
  expect(await ann.isolation()).toBeNull();
  // The second cut fell into the stop that was in force, so it has a message of its own.
  expect(
    [await ann.notified(/^Bob stopped everything/), await ann.notified(/^Bob cut the internet on Den PC$/)].map((all) => all.length),
  ).toEqual([1, 1]);
  await ann.stops();
  server.clock.turn(22 * hour);
  expect((await ann.cut()).status).toBe(200);
});

test('[P10.6] *Cut the internet there* without a device is about those of open incidents', async () => {
  const ann = await family();
  await linkedDevice(server, ann.token, 'Attic PC');
  await ann.stops();
  const { body } = await ann.cut();
  expect(body.devices).toMatchObject([
    { name: 'Den PC', isolation: { by: 'Bob' } },
    { name: 'Attic PC', isolation: null },
  ]);
});

test('[P10.6] its user can end the isolation where nothing was detected within a day, and the time line says so', async () => {
  const ann = await family();
  await ann.cut();
  const { version } = await policyOf(server, ann.device.agent);
  const started = server.clock.now().toISOString();
  server.clock.turn(minute);
  await ann.reconnect();
  const after = await policyOf(server, ann.device.agent);
  expect([after.isolation, after.version > version]).toEqual([null, true]);
  expect(await ann.words()).toContain('Someone at Den PC connected it to the internet again.');
  // An earlier report changes nothing of a later isolation.
  await ann.cut();
  server.clock.turn(minute);
  await ann.reconnect(started);
  expect(await ann.isolation()).toMatchObject({ by: 'Bob' });
});

test('[P10.6] its user cannot end the isolation where something was detected within a day', async () => {
  const ann = await family();
  await ann.stops();
  server.clock.turn(minute);
  expect((await ann.cut()).body.devices).toMatchObject([{ isolation: { may_end: false } }]);
  server.clock.turn(minute);
  await ann.reconnect();
  expect(await ann.isolation()).toMatchObject({ by: 'Bob', may_end: false });
  expect(await ann.words()).not.toContain('Someone at Den PC connected it to the internet again.');
});

test('[P10.6] *It’s over* gives the internet back', async () => {
  const ann = await family();
  await ann.cut();
  server.clock.turn(minute);
  await ann.asBob(`POST /guardian/:id/incidents/${(await ann.incidents())[0]?.uuid}`, { answer: 'over' });
  expect(await ann.isolation()).toBeNull();
});

test('[P10.6] an isolation that the agent reports as not in force is named so on the pages and in the time line, and everyone is notified once', async () => {
  const ann = await family();
  await ann.cut();
  const isolation = (await ann.isolation())?.uuid;
  const report = (in_force: boolean, put_back: number, token = ann.device.agent) => {
    const event = {
      ...{ uuid: randomUUID(), time: server.clock.now().toISOString() },
      reported: { kind: 'isolation', isolation, in_force, put_back },
    };
    return server.call('POST /agent/events', { token, body: { events: [event] } });
  };
  const shown = async () => [
    (await ann.asBob('GET /guardian/:id/emergency')).body.devices?.[0]?.isolation,
    (await ann.call('GET /web/emergency')).body.isolations?.[0],
  ];
  const [guardians, holders] = await shown();
  expect([guardians, holders]).toMatchObject([1, 2].map(() => ({ in_force: true, put_back: 0 })));

  await report(true, 1);
  expect(await shown()).toMatchObject([1, 2].map(() => ({ in_force: true, put_back: 1 })));
  expect(await ann.notified(/still online/)).toEqual([]);

  for (const times of [1, 2, 3]) await report(false, times);
  expect(await shown()).toMatchObject([1, 2].map(() => ({ in_force: false, put_back: 3 })));
  await server.app.worker.idle();
  const [mail, ...more] = await ann.notified(/^Den PC is still online$/);
  expect(more).toEqual([]);
  expect(mail?.text).toContain('Something on Den PC keeps us from cutting the internet there');
  expect((await server.mailsTo(ann.bob?.email ?? '')).filter(({ subject }) => subject === 'Den PC is still online')).toHaveLength(1);
  // An agent that was restarted counts from the beginning.
  await report(true, 0);
  expect(await shown()).toMatchObject([1, 2].map(() => ({ in_force: true, put_back: 3 })));
  const lines = (await ann.words()).filter((words) => words.startsWith('Something on Den PC'));
  expect(lines.toSorted()).toEqual([
    'Something on Den PC keeps us from cutting the internet there.',
    'Something on Den PC turned the internet on again. We cut it again.',
  ]);

  const attic = await linkedDevice(server, ann.token, 'Attic PC');
  await report(false, 9, attic.agent);
  expect(await shown()).toMatchObject([1, 2].map(() => ({ in_force: true, put_back: 3 })));
});
