import { randomUUID } from 'node:crypto';
import { day, hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInBody } from '../../testing/agent-info.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import { mumsComputer } from '../../testing/mums-computer.ts';
import { policyOf } from '../../testing/policy-of.ts';
import { fakeAddress, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

type Refusal = { may: string; reason?: string; from?: string; why?: string };

/** Ann with her own computer and her mother's, and what her screens say of what is allowed there. */
async function family() {
  const ann = await incidentFamily(server);
  const elsewhere = { 'x-forwarded-for': fakeAddress() };
  const mums = await mumsComputer(server, ann.token, fakeAddress());
  const call = (key: string, body?: object) => server.call(key, { token: ann.token, headers: elsewhere, ...(body ? { body } : {}) });
  return {
    ...ann,
    mums,
    listed: async (device: string) => (await call(`GET /web/devices/${device}/v2/exceptions`)).body.suspended as unknown as Refusal | null,
    choice: async (device: string) => (await call(`GET /web/appointments/${device}`)).body.may as unknown as Refusal,
    helps: () => call('POST /web/appointments', { device: mums.uuid, identifier: 'teamviewer', minutes: 60, money_pages: false }),
    strict: (agent: string, strict_for: number) =>
      server.call('POST /agent/check-in', { token: agent, body: { ...checkInBody, strict_for } }),
    program: async () => (await policyOf(server, mums.agent)).appointment?.program ?? null,
  };
}

test('[P15.1] [P10.8] on the first day after a computer changed hands nobody can open help there, and reads when they can; then they can, and on another computer at once', async () => {
  const ann = await family();
  await ann.strict(ann.mums.agent, day);
  await ann.password();
  const from = new Date(server.clock.now().getTime() + day).toISOString();
  const why = expect.stringMatching(
    /^This computer is new here and stays on Strict for a day\. Something can be allowed there at .* on .*\.$/,
  );
  expect(await ann.choice(ann.mums.uuid)).toEqual({ may: 'no', reason: 'first_day', from, why });
  expect((await ann.choice(ann.device.uuid)).reason).not.toBe('first_day');
  expect(await ann.helps()).toMatchObject({ status: 409, body: { code: 'appointment_stopped', error: why } });
  expect(await ann.program()).toBeNull();
  server.clock.turn(day);
  await ann.password();
  expect(await ann.choice(ann.mums.uuid)).toEqual({ may: 'yes' });
  expect((await ann.helps()).status).toBe(200);
  expect(await ann.program()).toBe('TeamViewer');
});

test('[P10.8] [P15.2] on the first day after a computer changed hands the allow list says that nothing on it is allowed yet, and the one of another computer does not', async () => {
  const ann = await family();
  await ann.strict(ann.mums.agent, day);
  expect(await ann.listed(ann.mums.uuid)).toMatchObject({ reason: 'first_day' });
  expect(await ann.listed(ann.device.uuid)).toBeNull();
  server.clock.turn(day);
  expect(await ann.listed(ann.mums.uuid)).toBeNull();
});

test('[P10.6] while a guardian has stopped everything nothing is allowed for an hour, with words that say when it is; after the stop it is', async () => {
  const ann = await family();
  await ann.stops();
  server.clock.turn(minute);
  const [incident] = await ann.incidents();
  const page = `/guardian/:id/incidents/${incident?.uuid}`;
  const mayAllow = async () => (await ann.asBob(`GET ${page}`)).body.may_allow as unknown as Refusal;
  expect(await mayAllow()).toEqual({ may: 'yes' });
  await ann.asBob('POST /guardian/:id/stop', {});
  const why = expect.stringMatching(
    /^Everything is stopped on this computer now\. Something can be allowed there at .*, or once it’s over\.$/,
  );
  expect(await mayAllow()).toMatchObject({ may: 'no', reason: 'stopped', why });
  expect([await ann.listed(ann.device.uuid), await ann.listed(ann.mums.uuid)]).toMatchObject([{ why }, { why }]);
  expect(await ann.asBob(`POST ${page}`, { answer: 'allow_hour' })).toMatchObject({ status: 403, body: { error: why } });
  expect(await ann.allowed()).toEqual([]);
  const items = (await ann.incidents()).filter(({ state }) => state === 'open');
  for (const { uuid } of items) await ann.asBob(`POST /guardian/:id/incidents/${uuid}`, { answer: 'over' });
  expect([await ann.listed(ann.device.uuid), await mayAllow()]).toEqual([null, { may: 'yes' }]);
  expect((await ann.asBob(`POST ${page}`, { answer: 'allow_hour' })).status).toBe(200);
  expect(await ann.allowed()).toMatchObject([{ identifier: 'anydesk' }]);
});

test('[P10.6] [P15.2] while everything is stopped nobody can say yes to a program that was asked for, a no counts; after the stop a yes lets it run', async () => {
  const ann = await family();
  await ann.stops();
  await ann.asBob('POST /guardian/:id/stop', {});
  const asks = async () => {
    server.clock.turn(minute);
    const events = [{ uuid: randomUUID(), time: server.clock.now().toISOString(), reported: { kind: 'asked', name: 'AnyDesk' } }];
    await server.call('POST /agent/events', { token: ann.device.agent, body: { events } });
    return (await ann.asBob('GET /guardian/:id')).body.requests as unknown as { uuid: string; state: string; mine: Refusal }[];
  };
  const [stopped] = await asks();
  const why = expect.stringContaining('Everything is stopped on this computer now.');
  expect(stopped).toMatchObject({ state: 'open', mine: { may: 'no', reason: 'stopped', why } });
  expect(await ann.answer(stopped?.uuid, 'yes')).toMatchObject({ status: 403, body: { error: why } });
  expect((await ann.answer(stopped?.uuid, 'no')).body).toMatchObject({ state: 'no' });
  for (const { uuid } of await ann.incidents()) await ann.asBob(`POST /guardian/:id/incidents/${uuid}`, { answer: 'over' });
  server.clock.turn(day);
  await ann.stops();
  const [later] = await asks();
  expect(later).toMatchObject({ state: 'open', mine: { may: 'yes' } });
  expect((await ann.answer(later?.uuid, 'yes')).status).toBe(200);
  expect(await ann.allowed()).toMatchObject([{ identifier: 'anydesk' }]);
});

test('[P9.5] after *I need help now* at one computer only its own list is suspended, and for its hour', async () => {
  const ann = await family();
  await ann.call('POST /web/help', { device: ann.device.uuid });
  const from = new Date(server.clock.now().getTime() + hour).toISOString();
  expect(await ann.listed(ann.device.uuid)).toMatchObject({ reason: 'stopped', from });
  expect(await ann.listed(ann.mums.uuid)).toBeNull();
  server.clock.turn(hour);
  expect(await ann.listed(ann.device.uuid)).toBeNull();
});
