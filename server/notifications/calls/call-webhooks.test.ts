import { randomUUID } from 'node:crypto';
import { hour, minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { incidentFamily } from '../../testing/incident-family.ts';
import { placedCall, postAsTwilio, storedCall } from '../../testing/placed-call.ts';
import { type TestServer, testServer } from '../../testing/world.ts';

const hangUp = '<?xml version="1.0" encoding="UTF-8"?><Response><Hangup/></Response>';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

let lastNumber = 2_025_550_100;
const newNumber = () => `+1${++lastNumber}`;
const human = { AnsweredBy: 'human', CallStatus: 'in-progress' };
const words = (call: string, fields: Record<string, string> = human) => postAsTwilio(server, `/calls/words?call=${call}`, fields);
const key = (call: string, Digits: string) => postAsTwilio(server, `/calls/key?call=${call}`, { Digits });
const status = (call: string, CallStatus: string) => postAsTwilio(server, `/calls/status?call=${call}`, { CallStatus });

async function ringingCall(): Promise<string> {
  const call = await placedCall(server, newNumber());
  expect(await storedCall(server, call)).toMatchObject({ state: 'ringing', pressed: null });
  return call;
}

/** Bob is called about an incident. */
async function escalatedCall() {
  const family = await incidentFamily(server);
  const number = newNumber();
  const verified = new Date(server.clock.now().getTime() - 100 * hour);
  await server.db
    .updateTable('guardians')
    .set({ phone_number: number, phone_number_verified: true, phone_verified_time: verified })
    .where('uuid', '=', family.bob?.uuid ?? '')
    .execute();
  await family.stops();
  server.clock.turn(6 * minute);
  await server.callsTo(number);
  const { uuid: call } = await server.db.selectFrom('calls').select('uuid').where('phone_number', '=', number).executeTakeFirstOrThrow();
  const [incident] = await family.incidents();
  const page = async () => (await family.call(`GET /web/incidents/${incident?.uuid}`)).body as unknown as { escalation: { state: string } };
  return { ...family, number, id: call, escalation: async () => (await page()).escalation.state };
}

describe('webhooks of phone calls', () => {
  it('without a valid signature answer 403 with no word of the call, and change nothing [P11.1]', async () => {
    const { id, escalation } = await escalatedCall();
    const ofAnother = await ringingCall();
    const forms: [string, Record<string, string>][] = [
      [`/calls/words?call=${id}`, human],
      [`/calls/key?call=${id}`, { Digits: '1' }],
      [`/calls/status?call=${id}`, { CallStatus: 'completed' }],
    ];
    for (const [path, fields] of forms) {
      const { signature } = await postAsTwilio(server, path.replace(id, ofAnother), fields);
      const { signature: otherKey } = await postAsTwilio(server, path.replace(id, ofAnother), { ...fields, Digits: '5' });
      for (const forged of [null, '', 'AAAA', signature, otherKey]) {
        const answer = await postAsTwilio(server, path, fields, forged);
        expect(answer.status).toBe(403);
        expect(answer.body).not.toMatch(/Bob|AnyDesk|Say/);
      }
    }
    expect(await storedCall(server, id)).toMatchObject({ state: 'ringing', pressed: null });
    // The same forms with their own signatures are accepted.
    for (const [path, fields] of forms) expect(await postAsTwilio(server, path, fields)).toMatchObject({ status: 200 });
    expect(await escalation()).toBe('answered');
  });

  it('of an unknown call are answered with its end', async () => {
    const unknown = randomUUID();
    for (const answer of [await words(unknown), await key(unknown, '1'), await status(unknown, 'completed')])
      expect(answer).toMatchObject({ status: 200, body: hangUp });
  });

  it('that are repeated change nothing more [P11.1]', async () => {
    const { id, escalation, call } = await escalatedCall();
    const asked = await words(id);
    expect(asked.body).toContain('<Say language="en-US">Press 1 if you are on it.</Say>');
    expect((await words(id)).body).toBe(asked.body);
    const thanks = await key(id, '1');
    expect(thanks.body).toContain('Thank you. You are on it.');
    expect((await key(id, '1')).status).toBe(200);
    const [incident] = (await call('GET /web/incidents')).body.items as unknown as { uuid: string }[];
    expect((await call(`GET /web/incidents/${incident?.uuid}`)).body.on_it).toHaveLength(1);
    await status(id, 'completed');
    const { updated } = await storedCall(server, id);
    server.clock.turn(1000);
    await status(id, 'completed');
    expect(await storedCall(server, id)).toEqual({ state: 'completed', pressed: '1', updated });
    expect(await escalation()).toBe('answered');
    const ends = await server.db.selectFrom('jobs').select('id').where('unique_key', 'like', `escalation:%:call:${id}`).execute();
    expect(ends).toHaveLength(1);
  });

  it('cannot answer a later incident with a recorded form [P11.1]', async () => {
    const { id, stops, escalation } = await escalatedCall();
    await words(id);
    await key(id, '1');
    await status(id, 'completed');
    expect(await escalation()).toBe('answered');
    server.clock.turn(25 * hour);
    await server.app.worker.idle();
    await stops({ identifier: 'teamviewer', name: 'TeamViewer' });
    expect(await escalation()).toBe('running');
    expect(await key(id, '1')).toMatchObject({ status: 200, body: hangUp });
    expect(await words(id)).toMatchObject({ status: 200, body: hangUp });
    expect(await escalation()).toBe('running');
  });

  it('in another order come to the same end', async () => {
    const call = await placedCall(server, newNumber());
    // Before our own request for the call was answered.
    await words(call);
    await status(call, 'ringing');
    expect(await storedCall(server, call)).toMatchObject({ state: 'answered' });
    await status(call, 'completed');
    await status(call, 'initiated');
    expect((await key(call, '1')).body).toContain('<Say');
    expect(await storedCall(server, call)).toMatchObject({ state: 'completed', pressed: '1' });
  });

  it('store the first key, and no other one', async () => {
    const call = await ringingCall();
    expect((await key(call, '1')).body).toBe(hangUp);
    await words(call);
    for (const none of ['', '12', 'x', 'A']) expect((await key(call, none)).body).toBe(hangUp);
    const answers = await Promise.all([key(call, '9'), key(call, '1')]);
    expect(answers.filter(({ body }) => body === hangUp)).toHaveLength(1);
    const { pressed } = await storedCall(server, call);
    expect(answers.findIndex(({ body }) => body !== hangUp)).toBe(pressed === '9' ? 0 : 1);
  });

  it.each([
    ['busy', 'busy'],
    ['no-answer', 'no_answer'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
    // Before anybody picked up.
    ['completed', 'no_answer'],
  ])('after the end as %s are answered with a hang-up, and change nothing', async (CallStatus, state) => {
    const call = await ringingCall();
    expect(await status(call, CallStatus)).toMatchObject({ status: 200, body: hangUp });
    expect((await words(call)).body).toBe(hangUp);
    expect((await key(call, '1')).body).toBe(hangUp);
    await status(call, 'in-progress');
    await status(call, 'completed');
    expect(await storedCall(server, call)).toMatchObject({ state, pressed: null });
  });

  it.each(['machine_end_beep', 'machine_end_silence', 'machine_end_other', 'machine_start', 'fax'])(
    'with AnsweredBy %s read to voicemail, where no key counts',
    async (AnsweredBy) => {
      const call = await ringingCall();
      const fields = { AnsweredBy, CallStatus: 'in-progress' };
      expect((await words(call, fields)).body).toContain('<Say');
      expect((await words(call, fields)).body).toContain('<Say');
      expect((await key(call, '1')).body).toBe(hangUp);
      await status(call, 'completed');
      expect(await storedCall(server, call)).toMatchObject({ state: 'machine', pressed: null });
    },
  );

  it.each(['human', 'unknown'])('with AnsweredBy %s read to a human', async (AnsweredBy) => {
    const call = await ringingCall();
    await words(call, { AnsweredBy });
    expect(await storedCall(server, call)).toMatchObject({ state: 'answered' });
  });

  it('are of no use five minutes after the call was asked for', async () => {
    const call = await ringingCall();
    await words(call);
    server.clock.turn(5 * minute - 1);
    expect((await words(call)).body).toContain('<Say');
    server.clock.turn(1);
    expect((await words(call)).body).toBe(hangUp);
    expect((await key(call, '1')).body).toBe(hangUp);
    await status(call, 'completed');
    expect(await storedCall(server, call)).toMatchObject({ state: 'completed', pressed: null });
  });
});
