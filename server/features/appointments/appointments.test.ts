import { randomUUID } from 'node:crypto';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import type { Appointment } from '@porchlight/contract/appointments.ts';
import type { Incident } from '@porchlight/contract/incidents.ts';
import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { incidentFamily } from '../../testing/incident-family.ts';
import { mumsComputer } from '../../testing/mums-computer.ts';
import { policyOf } from '../../testing/policy-of.ts';
import { detection, fakeAddress, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

let numbers = 0;
const textedTo = async (number: string) => (await server.textsTo(number)).flatMap(({ body }) => /\b\d{6}\b/.exec(body)?.[0] ?? [])[0] ?? '';

/** Ann with her own computer and her mother’s, and Bob, who has been her guardian for days and has a number that proves him. */
async function family() {
  const ann = await incidentFamily(server);
  const home = fakeAddress();
  const mums = await mumsComputer(server, ann.token, home);
  const number = `+1202555${String(6000 + numbers++)}`;
  await ann.asBob('PATCH /guardian/:id', { phone_number: number });
  await ann.asBob('POST /guardian/:id/send-phone-code');
  await ann.asBob('POST /guardian/:id/verify-phone', { code: await textedTo(number) });
  server.clock.turn(73 * hour);
  const texted = async () => {
    server.clock.turn(minute);
    expect((await ann.asBob('POST /guardian/:id/answer-code')).status).toBe(200);
    return textedTo(number);
  };
  const body = (device: string, more: object = {}) => ({ device, identifier: 'teamviewer', minutes: 60, money_pages: false, ...more });
  /** Opens one as Bob, with a code. */
  const helps = async (device = ann.device.uuid, more: object = {}) =>
    ann.asBob('POST /guardian/:id/appointments', body(device, { code: await texted(), ...more }));
  const running = async () => (await ann.call('GET /web/appointments')).body.items as unknown as Appointment[];
  const elsewhere = { 'x-forwarded-for': fakeAddress() };
  const annHelps = (more: object = {}, headers: Record<string, string> = elsewhere) =>
    server.call('POST /web/appointments', { token: ann.token, body: body(mums.uuid, more), headers });
  const says = (agent: string, reported: AgentEvent['reported']) =>
    server.call('POST /agent/events', {
      token: agent,
      body: { events: [{ uuid: randomUUID(), time: server.clock.now().toISOString(), reported }] },
    });
  return { ...ann, ann, home, mums, helps, running, annHelps, texted, body, says };
}

describe('[P15.1] a guardian', () => {
  test('opens one with a code that was texted just now, wherever they are, and it is in the policy until its end', async () => {
    const { ann, device, helps, running } = await family();
    const without = await ann.asBob('POST /guardian/:id/appointments', {
      ...{ device: device.uuid, identifier: 'teamviewer', minutes: 60, money_pages: false },
    });
    expect(without).toMatchObject({ status: 403, body: { code: 'code_needed' } });
    expect((await policyOf(server, device.agent)).appointment).toBeNull();
    expect((await helps()).status).toBe(200);
    const { appointment, allow, issued } = await policyOf(server, device.agent);
    expect(appointment).toEqual({
      ...{ uuid: expect.any(String), identifier: 'teamviewer', program: 'TeamViewer', by: 'Bob', money_pages: false },
      until: new Date(Date.parse(issued) + hour).toISOString(),
    });
    expect(allow).toEqual([]);
    expect(await running()).toMatchObject([{ by: 'Bob', program: 'TeamViewer', device: { name: 'Den PC' } }]);
    server.clock.turn(hour);
    expect((await policyOf(server, device.agent)).appointment).toBeNull();
    expect(await running()).toEqual([]);
  });

  test('who has no number that proves them opens none, and reads what is missing', async () => {
    const ann = await incidentFamily(server);
    expect((await ann.asBob(`GET /guardian/:id/appointments/${ann.device.uuid}`)).body.may).toMatchObject({ may: 'no', reason: 'number' });
    const body = { device: ann.device.uuid, identifier: 'teamviewer', minutes: 15, money_pages: false };
    expect(await ann.asBob('POST /guardian/:id/appointments', body)).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('Add your phone number') },
    });
  });

  test('opens none in the first 72 hours', async () => {
    const ann = await incidentFamily(server, { proven: false });
    const may = (await ann.asBob(`GET /guardian/:id/appointments/${ann.device.uuid}`)).body.may;
    expect(may).toMatchObject({ may: 'no', reason: 'new_guardian' });
  });

  test('opens two in a day, and 120 minutes together; a third is for someone else to answer; the next day is another one', async () => {
    const { ann, device, helps, running } = await family();
    const end = async () => ann.asBob(`POST /guardian/:id/appointments/${(await running())[0]?.uuid}/end`);
    expect((await helps(device.uuid, { minutes: 60 })).status).toBe(200);
    expect((await helps(device.uuid, { minutes: 15 })).body).toMatchObject({ code: 'appointment_running' });
    expect((await end()).status).toBe(200);
    expect((await ann.asBob(`GET /guardian/:id/appointments/${device.uuid}`)).body).toMatchObject({ minutes_free: 60 });
    expect((await helps(device.uuid, { minutes: 120 })).body).toMatchObject({ code: 'appointment_limit' });
    expect((await helps(device.uuid, { minutes: 60 })).status).toBe(200);
    expect((await end()).status).toBe(200);
    expect((await ann.asBob(`GET /guardian/:id/appointments/${device.uuid}`)).body).toMatchObject({ minutes_free: 0 });
    expect((await helps(device.uuid, { minutes: 15 })).body).toMatchObject({ code: 'appointment_limit' });
    expect(await running()).toEqual([]);
    server.clock.turn(24 * hour);
    expect((await helps(device.uuid, { minutes: 15 })).status).toBe(200);
  });

  test('opens none for what is no remote control, nor on a computer of others, nor beside a stop of everything', async () => {
    const { ann, device, helps, running } = await family();
    const other = await incidentFamily(server);
    expect((await helps(device.uuid, { identifier: 'driver-support' })).status).toBe(404);
    expect((await helps(other.device.uuid)).status).toBe(404);
    await ann.asBob('POST /guardian/:id/stop', {});
    expect((await helps(device.uuid)).body).toMatchObject({ code: 'appointment_stopped' });
    expect(await running()).toEqual([]);
  });
});

describe('[P15.1] it ends', () => {
  test('by anyone of the family, by the user there, and no other one with it', async () => {
    const stranger = await incidentFamily(server);
    const { ann, device, mums, helps, running, says } = await family();
    await helps(device.uuid);
    await helps(mums.uuid);
    const [atDen, atMums] = await running();
    expect((await stranger.call(`POST /web/appointments/${atDen?.uuid}/end`)).status).toBe(404);
    expect((await ann.call(`POST /web/appointments/${atDen?.uuid}/end`)).status).toBe(200);
    expect((await policyOf(server, device.agent)).appointment).toBeNull();
    expect(await running()).toEqual([atMums]);
    // An agent ends those of its own computer alone.
    await says(device.agent, { kind: 'helped', appointment: String(atMums?.uuid), end: 'user' });
    expect(await running()).toEqual([atMums]);
    await says(mums.agent, { kind: 'helped', appointment: String(atMums?.uuid), end: 'user' });
    expect(await running()).toEqual([]);
  });

  const openers: [about: string, happens: (world: Awaited<ReturnType<typeof family>>) => Promise<unknown>][] = [
    [
      'another remote-control program',
      ({ device }) => server.call('POST /agent/detections', { token: device.agent, body: { detections: [detection(server)] } }),
    ],
    ['wrong PINs', async ({ device, stops, says }) => [await stops(), await says(device.agent, { kind: 'pin_guessed' })]],
    ['I need help now', ({ ann, device }) => ann.call('POST /web/help', { device: device.uuid })],
    ['Stop this', ({ ann }) => ann.asBob('POST /guardian/:id/stop', {})],
  ];
  test.each(openers)('by %s, and nothing of it is in the policy', async (about, happens) => {
    const world = await family();
    await world.helps(world.mums.uuid);
    await world.helps(world.device.uuid);
    await happens(world);
    expect((await policyOf(server, world.device.agent)).appointment).toBeNull();
    // *Stop this* is about every computer; whatever else happens is about one.
    expect((await world.running()).map(({ device }) => device.name)).toEqual(about === 'Stop this' ? [] : ['Mum’s PC']);
  });

  test('in an incident it is a yes for an hour: at most 60 minutes, and without money pages', async () => {
    const { ann, device, stops, helps } = await family();
    await stops();
    expect((await ann.asBob(`GET /guardian/:id/appointments/${device.uuid}`)).body).toMatchObject({ minutes_max: 60, offers_money: false });
    expect((await helps(device.uuid, { minutes: 120, money_pages: true })).status).toBe(200);
    const { appointment, issued } = await policyOf(server, device.agent);
    expect(appointment).toMatchObject({ money_pages: false, until: new Date(Date.parse(issued) + hour).toISOString() });
    // The program that was stopped before is tried again.
    await stops();
    expect((await policyOf(server, device.agent)).appointment).toBeNull();
  });
});

test('[P15.4] the guardian who says *It’s over* ends the appointment of that incident too, or lets it run', async () => {
  for (const stops of [true, false]) {
    const { ann, device, helps, running } = await family();
    await ann.stops();
    await helps();
    const path = `/guardian/:id/incidents/${(await ann.incidents())[0]?.uuid}`;
    const { allowed_after } = (await ann.asBob(`GET ${path}`)).body as unknown as Incident;
    const [appointment] = await running();
    expect(allowed_after).toEqual([
      { id: appointment?.uuid, name: 'TeamViewer', device: null, until: appointment?.until, waits: false, recent: true },
    ]);
    await ann.asBob(`POST ${path}`, { answer: 'over', stop_allowing: stops ? [appointment?.uuid] : [] });
    expect((await policyOf(server, device.agent)).appointment?.program).toBe(stops ? undefined : 'TeamViewer');
  }
});

describe('[P15.1] the holder', () => {
  test('opens one on the computer that somebody else uses, with the password, and none on an own one', async () => {
    const { ann, device, mums, annHelps, running, body } = await family();
    expect((await annHelps()).body).toMatchObject({ code: 'password_needed' });
    await ann.password();
    const onOwn = await ann.call('POST /web/appointments', body(device.uuid));
    expect(onOwn.body).toMatchObject({ code: 'may_not_answer', error: expect.stringContaining('Someone else must answer') });
    expect((await annHelps({ money_pages: true })).status).toBe(200);
    expect((await policyOf(server, mums.agent)).appointment).toMatchObject({ by: 'Ann', money_pages: true });
    expect(await running()).toMatchObject([{ by: 'Ann' }]);
  });

  test('is not at that computer', async () => {
    const { ann, home, mums, annHelps, running } = await family();
    await server.call('POST /agent/goodbye', { token: mums.agent, body: { reason: 'resumed' }, headers: { 'x-forwarded-for': home } });
    await ann.password();
    expect((await annHelps({}, { 'x-forwarded-for': home })).body).toMatchObject({ code: 'may_not_answer' });
    expect(await running()).toEqual([]);
  });

  test('a third in a day waits for a yes, and is open once Bob gave it', async () => {
    const { ann, mums, annHelps, running } = await family();
    await ann.password();
    for (let n = 0; n < 2; n++) {
      expect((await annHelps({ minutes: 15 })).status).toBe(200);
      await ann.call(`POST /web/appointments/${(await running())[0]?.uuid}/end`);
    }
    const third = await annHelps({ minutes: 15 });
    expect(third.body).toMatchObject({ code: 'held', because: expect.stringContaining('twice in a day') });
    expect(await running()).toEqual([]);
    expect((await ann.answer(third.body.request, 'yes')).status).toBe(200);
    server.clock.turn(minute);
    await server.app.worker.idle();
    expect(await running()).toMatchObject([{ by: 'Ann', device: { uuid: mums.uuid } }]);
  });
});

test('[P15.1] the holder and the guardians read of it calmly and once, with a button that ends it; no text is sent', async () => {
  const { ann, bob, email, device, helps, running } = await family();
  await helps(device.uuid);
  const opened = async (address: string) => (await server.mailsTo(address)).filter(({ text }) => text.includes('Bob opened Den PC'));
  const [mail, ...more] = await opened(email);
  expect(more).toEqual([]);
  expect(mail?.text).toContain('Bob opened Den PC for a while, to help with TeamViewer.');
  expect(mail?.text).toContain('End it now');
  expect(await opened(String(bob?.email))).toHaveLength(1);
  const entries = (await ann.call('GET /web/acts')).body.items as unknown as {
    kind: string;
    undo: { way: string; appointment: string } | null;
  }[];
  const [entry] = entries.filter(({ kind }) => kind === 'helping');
  expect(entry?.undo).toEqual({ way: 'end_helping', appointment: (await running())[0]?.uuid });
  await ann.call(`POST /web/appointments/${entry?.undo?.appointment}/end`);
  const later = (await ann.call('GET /web/acts')).body.items as unknown as typeof entries;
  expect(later.find(({ kind }) => kind === 'helping')?.undo).toBeNull();
});
