import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nearAgentCookie } from '../../http/weakening-call.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import {
  activeGuardian,
  detection,
  fakeAddress,
  guardianSession,
  linkedDevice,
  person,
  type TestServer,
  testServer,
} from '../../testing/world.ts';

/** Who may open a code, and whom it notifies. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

let numbers = 0;
const pause = 'POST /guardian/:id/codes';
const textedTo = async (number: string) => (await server.textsTo(number)).flatMap(({ body }) => /\b\d{6}\b/.exec(body)?.[0] ?? [])[0] ?? '';

describe('[P10.7] a code counts like a yes', () => {
  const opened = async (options: { proven?: boolean }, trouble: boolean) => {
    const ann = await incidentFamily(server, options);
    if (trouble) await ann.stops();
    return { ...ann, open: () => ann.asBob(pause, { device: ann.device.uuid, purpose: 'pause' }) };
  };
  const young = { status: 403, body: { code: 'may_not_answer', error: expect.stringContaining('less than three days ago') } };

  test.each([false, true])('a guardian of less than 72 hours may open none, with an incident: %s', async (trouble) => {
    const { open } = await opened({ proven: false }, trouble);
    expect(await open()).toMatchObject(young);
    server.clock.turn(72 * hour);
    expect((await open()).status).toBe(200);
  });

  test('a guardian of the first day may open one at once, and in an incident only if they accepted before it', async () => {
    const { token } = await person(server, 'Ann Example');
    const device = await linkedDevice(server, token);
    const guardianOf = async (name: string) => {
      const { uuid, session: headers } = await activeGuardian(server, token, name);
      server.clock.turn(minute);
      return () => server.call(`POST /guardian/${uuid}/codes`, { headers, body: { device: device.uuid, purpose: 'pause' } });
    };
    const early = await guardianOf('Bob');
    expect((await early()).status).toBe(200);
    const late = await guardianOf('Carol');
    expect((await late()).status).toBe(200);
    // An incident that began before Carol accepted.
    const time = new Date(server.clock.now().getTime() - 90_000).toISOString();
    await server.call('POST /agent/detections', { token: device.agent, body: { detections: [detection(server, { time })] } });
    expect((await early()).status).toBe(200);
    expect(await late()).toMatchObject(young);
  });

  test('an incident at another device changes nothing', async () => {
    const { token } = await person(server, 'Ann Example');
    const [den, attic] = [await linkedDevice(server, token), await linkedDevice(server, token, 'Attic PC')];
    const { body } = await server.call('POST /web/create-guardian', { token, body: { name: 'Bob', email: 'late-bob@example.net' } });
    const uuid = String(body.uuid);
    const headers = await guardianSession(server, uuid, 'late-bob@example.net');
    await server.call('POST /agent/detections', { token: attic.agent, body: { detections: [detection(server)] } });
    server.clock.turn(minute);
    await server.call(`POST /guardian/${uuid}/accept`, { headers });
    server.clock.turn(minute);
    const open = (device: string) => server.call(`POST /guardian/${uuid}/codes`, { headers, body: { device, purpose: 'pause' } });
    expect((await open(den.uuid)).status).toBe(200);
    expect(await open(attic.uuid)).toMatchObject(young);
  });
});

/** Ann, whose device calls from `home`, and Bob, who verified his number on the account's first day. */
async function near({ phone = true } = {}) {
  const home = { 'x-forwarded-for': fakeAddress() };
  const { token } = await person(server, 'Ann Example');
  const device = await linkedDevice(server, token, 'Den PC');
  const bob = await activeGuardian(server, token, 'Bob Example');
  const number = `+1202555${String(7000 + numbers++)}`;
  const call = (key: string, body?: object, from: Record<string, string> = { 'x-forwarded-for': fakeAddress() }) =>
    server.call(key.replace(':id', bob.uuid), { headers: { ...bob.session, ...from }, ...(body ? { body } : {}) });
  if (phone) {
    await call('PATCH /guardian/:id', { phone_number: number });
    await call('POST /guardian/:id/send-phone-code');
    await call('POST /guardian/:id/verify-phone', { code: await textedTo(number) });
  }
  server.clock.turn(25 * hour);
  await server.call('POST /agent/goodbye', { token: device.agent, body: { reason: 'shutdown' }, headers: home });
  const open = (from: Record<string, string> = home, more: object = {}) =>
    call(pause, { device: device.uuid, purpose: 'pause', ...more }, from);
  const stops = () =>
    server.call('POST /agent/detections', { token: device.agent, body: { detections: [detection(server)] }, headers: home });
  const texted = async () => {
    server.clock.turn(minute);
    expect((await call('POST /guardian/:id/answer-code', undefined, home)).status).toBe(200);
    return textedTo(number);
  };
  const shown = () => server.db.selectFrom('one_time_codes').select('number').where('device', '=', device.uuid).execute();
  return { bob, home, open, stops, texted, shown };
}

describe.each([false, true])('[P10.7] at the address of the device, with an incident there: %s, a guardian', (trouble) => {
  test('needs the code that was just now texted to them, which works once', async () => {
    const { home, open, stops, texted, shown } = await near();
    if (trouble) await stops();
    expect(await open()).toMatchObject({ status: 403, body: { code: 'code_needed' } });
    const digits = await texted();
    const wrong = String((Number(digits) + 1) % 1_000_000).padStart(6, '0');
    expect(await open(home, { code: wrong })).toMatchObject({ status: 400, body: { code: 'phone_code_wrong' } });
    expect(await shown()).toEqual([]);
    expect((await open(home, { code: digits })).status).toBe(200);
    expect(await open(home, { code: digits })).toMatchObject({ body: { code: 'phone_code_expired' } });
    expect(await shown()).toEqual([{ number: 0 }]);
  });

  test('is refused without a proven number, and can open a code from elsewhere', async () => {
    const { open, stops } = await near({ phone: false });
    if (trouble) await stops();
    expect(await open()).toMatchObject({
      status: 403,
      body: { code: 'may_not_answer', error: expect.stringContaining('switch Wi-Fi off on your phone') },
    });
    expect((await open({ 'x-forwarded-for': fakeAddress() })).status).toBe(200);
  });
});

test('[P10.7] in a browser that an agent has answered a code is needed, whatever the address', async () => {
  const { bob, open } = await near();
  expect((await open({ cookie: `${bob.session.cookie}; ${nearAgentCookie}=1` })).body.code).toBe('code_needed');
});

test('[P10.7] a guardian who left, or whose request lacks the XSRF header, cannot open a code', async () => {
  const ann = await incidentFamily(server);
  const body = { device: ann.device.uuid, purpose: 'pause' };
  const cookie = { cookie: String(ann.bob?.session.cookie) };
  expect(await server.call(`POST /guardian/${ann.bob?.uuid}/codes`, { headers: cookie, body })).toMatchObject({
    body: { code: 'forbidden' },
  });
  await ann.asBob('POST /guardian/:id/leave');
  expect(await ann.asBob(pause, body)).toMatchObject({ status: 409, body: { code: 'guardian_inactive' } });
});

describe('[P10.7] a shown code notifies', () => {
  const subject = 'Bob opened a code for Den PC';
  const subjects = async (email: string) => (await server.mailsTo(email)).map((mail) => mail.subject);
  const lines = async (ann: Awaited<ReturnType<typeof incidentFamily>>) => {
    const [incident] = await ann.incidents();
    const { events } = (await ann.call(`GET /web/incidents/${incident?.uuid}`)).body as unknown as { events: { words: string }[] };
    return events.map(({ words }) => words);
  };

  test('the holder and the other guardians at once, and not the guardian who opened it', async () => {
    const ann = await incidentFamily(server);
    const carol = await activeGuardian(server, ann.token, 'Carol Example');
    await ann.call('PATCH /web/alert-settings', { mail: false, sms: true });
    await ann.asBob(pause, { device: ann.device.uuid, purpose: 'uninstall' });
    for (const email of [ann.email, carol.email]) expect((await subjects(email))[0]).toBe(subject);
    expect(await subjects(String(ann.bob?.email))).not.toContain(subject);
    const [mail] = await server.mailsTo(carol.email);
    expect(mail?.text).toContain('With it someone there can uninstall Porchlight, within 20 minutes.');
    await ann.asBob(pause, { device: ann.device.uuid, purpose: 'uninstall' });
    expect((await subjects(carol.email)).filter((one) => one === subject)).toHaveLength(2);
  });

  test('and is in the time line of the open incident', async () => {
    const ann = await incidentFamily(server);
    await ann.stops();
    await ann.asBob(pause, { device: ann.device.uuid, purpose: 'allow', identifier: 'anydesk' });
    expect(await lines(ann)).toContain('Bob opened a code for this computer.');
    const [mail] = await server.mailsTo(ann.email);
    expect(mail?.text).toContain('With it someone there can allow AnyDesk for an hour, within 20 minutes.');
    expect(mail?.text).toContain('/dashboard/incident/');
  });

  test('nobody, and is in no time line, if the code was refused', async () => {
    const ann = await incidentFamily(server, { proven: false });
    await ann.stops();
    await ann.asBob(pause, { device: ann.device.uuid, purpose: 'pause' });
    expect(await subjects(ann.email)).not.toContain(subject);
    expect(await lines(ann)).not.toContain('Bob opened a code for this computer.');
  });
});
