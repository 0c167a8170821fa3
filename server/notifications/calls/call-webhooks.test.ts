import { randomUUID } from 'node:crypto';
import { twilioSignature } from '@porchlight/simulators/twilio/signature.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { incidentFamily } from '../../testing/incident-family.ts';
import { phoneOf } from '../../testing/phone-calls.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

const minute = 60_000;
let server: TestServer;
let lastNumber = 2_025_550_100;
let family: Awaited<ReturnType<typeof incidentFamily>>;
let number: string;
/** The id of the call that Bob's phone is ringing for. */
let call: string;

beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  family = await incidentFamily(server);
  number = `+1${++lastNumber}`;
  const row = { phone_number: number, phone_number_verified: true, phone_verified_time: null };
  await server.db
    .updateTable('guardians')
    .set(row)
    .where('uuid', '=', family.bob?.uuid ?? '')
    .execute();
  await family.stops();
  server.clock.turn(6 * minute);
  call = (await phoneOf(server, number).calls())[0]?.uuid ?? '';
});

/** Posts a form as the telephone service does. `token`: what it is signed with. */
async function post(path: string, fields: Record<string, string>, { token = server.twilio_token, id = call } = {}) {
  const url = `/api/calls/${path}?call=${id}`;
  const form = new URLSearchParams({ AccountSid: 'AC1', ...fields });
  const signature = token === '' ? {} : { 'x-twilio-signature': twilioSignature(token, `${server.config.public_url}${url}`, form) };
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...signature };
  const { statusCode, body } = await server.app.http.inject({ method: 'POST', url, headers, payload: form.toString() });
  return { status: statusCode, body };
}
const hangUp = '<Response><Hangup/></Response>';
const state = async () => (await server.db.selectFrom('calls').select('state').where('uuid', '=', call).executeTakeFirst())?.state;
const escalation = async () => {
  const [incident] = await family.incidents();
  return ((await family.call(`GET /web/incidents/${incident?.uuid}`)).body.escalation as unknown as { state: string }).state;
};
const words = (by: string) => post('words', { CallStatus: 'in-progress', AnsweredBy: by });
const status = (is: string) => post('status', { CallStatus: is });

test.each(['', 'another token'])('a form signed with “%s” is refused, and neither read nor answered [P11.1]', async (token) => {
  for (const [path, fields] of [
    ['words', { CallStatus: 'in-progress', AnsweredBy: 'human' }],
    ['key', { Digits: '1' }],
    ['status', { CallStatus: 'completed' }],
  ] as const) {
    const reply = await post(path, fields, { token });
    expect(reply.status).toBe(403);
    expect(reply.body).not.toContain('Den PC');
  }
  expect([await state(), await escalation()]).toEqual(['ringing', 'climbing']);
});

test('a signature covers the id of the call, and the fields', async () => {
  const url = `/api/calls/key?call=${call}`;
  const signature = twilioSignature(server.twilio_token, `${server.config.public_url}${url}`, new URLSearchParams({ Digits: '5' }));
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
  const inject = async (to: string, payload: string) =>
    (await server.app.http.inject({ method: 'POST', url: to, headers, payload })).statusCode;
  expect(await inject(url, 'Digits=1')).toBe(403);
  expect(await inject(`/api/calls/key?call=${randomUUID()}`, 'Digits=5')).toBe(403);
  expect(await inject(url, 'Digits=5')).toBe(200);
});

test('an unknown call is hung up', async () => {
  for (const path of ['words', 'key', 'status']) {
    const reply = await post(path, { Digits: '1', CallStatus: 'completed' }, { id: randomUUID() });
    expect(reply).toMatchObject({ status: 200, body: expect.stringContaining(hangUp) });
  }
});

test('a key counts only after somebody picked up, and the first one counts', async () => {
  expect((await post('key', { Digits: '1' })).body).toContain(hangUp);
  expect(await escalation()).toBe('climbing');
  expect((await words('human')).body).toContain('Press 1 if you are on it.');
  expect((await post('key', { Digits: '5' })).body).toContain('That was not 1');
  expect((await post('key', { Digits: '1' })).body).toContain(hangUp);
  expect(await escalation()).toBe('climbing');
});

test('a repeated form changes nothing more', async () => {
  await words('human');
  await words('human');
  for (const _again of [1, 2, 3]) expect((await post('key', { Digits: '1' })).status).toBe(200);
  for (const _again of [1, 2]) await status('completed');
  expect([await state(), await escalation()]).toEqual(['completed', 'answered']);
  const [incident] = await family.incidents();
  const events = await server.db
    .selectFrom('incident_events')
    .select('kind')
    .where('incident', '=', incident?.uuid ?? '')
    .where('kind', '=', 'on_it')
    .execute();
  expect(events).toHaveLength(1);
});

test('a key whose form arrives after the end of the call still counts [P11.1]', async () => {
  await words('human');
  await status('completed');
  expect((await post('key', { Digits: '1' })).body).toContain('Thank you. You are on it.');
  expect(await escalation()).toBe('answered');
});

test('no form brings a call back that is over', async () => {
  await status('busy');
  await status('ringing');
  expect((await words('human')).body).toContain(hangUp);
  await post('key', { Digits: '1' });
  expect([await state(), await escalation()]).toEqual(['busy', 'climbing']);
});

test('voicemail is read the message without a key, and stays voicemail', async () => {
  const reply = await words('machine_end_beep');
  expect(reply.body).toContain('Please call Ann, and open our email.');
  expect(reply.body).not.toContain('<Gather');
  await status('completed');
  expect(await state()).toBe('machine');
  expect((await post('key', { Digits: '1' })).body).toContain(hangUp);
});

test('a call that ended before anybody picked up counts as not picked up', async () => {
  await status('completed');
  expect(await state()).toBe('no_answer');
});
