import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const wrongCodeFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const codeTo = async (number: string) => /\b\d{6}\b/.exec((await server.textsTo(number))[0]?.body ?? '')?.[0] ?? '';
const wrongCodeReply = { status: 400, body: { code: 'phone_code_wrong' } };
const expiredCodeReply = { status: 410, body: { code: 'phone_code_expired' } };

let numbers = 30;
async function guardianWithPhone() {
  const holder = await person(server, 'Ann Example');
  const { agent } = await linkedDevice(server, holder.token, 'Den PC');
  const bob = await activeGuardian(server, holder.token, 'Bob');
  const headers = bob.session;
  const number = `+120255501${numbers++}`;
  return {
    ...holder,
    bob,
    number,
    change: (body: object) => server.call(`PATCH /guardian/${bob.uuid}`, { headers, body }),
    send: () => server.call(`POST /guardian/${bob.uuid}/send-phone-code`, { headers }),
    enter: (code: string) => server.call(`POST /guardian/${bob.uuid}/verify-phone`, { headers, body: { code } }),
    texts: async () => (await server.call('GET /web/guardians', { token: holder.token })).body.guardians?.[0]?.texts,
    alert: (identifier: string) =>
      server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server, { identifier })] } }),
    async prove() {
      await this.change({ phone_number: number });
      await this.send();
      return this.enter(await codeTo(number));
    },
  };
}

test('[6.6] [P2.5] [1.3] a guardian who verifies a phone number gets alerts by text message', async () => {
  const w = await guardianWithPhone();
  expect(await w.send()).toMatchObject({ status: 409, body: { code: 'phone_missing' } });
  expect((await w.change({ phone_number: '+1 (202) 555-01' })).body).toMatchObject({
    fields: [{ field: 'PhoneNumber', tag: 'too_short' }],
  });
  const saved = await w.change({ phone_number: `${w.number.slice(0, 5)} ${w.number.slice(5)}` });
  expect(saved.body).toMatchObject({ phone_number: w.number, phone_number_verified: false, sms: true });
  expect(await w.texts()).toBe('unverified');
  await w.alert('one');
  expect(await server.textsTo(w.number)).toHaveLength(0);

  expect(await w.send()).toMatchObject({ status: 200, body: {} });
  const code = await codeTo(w.number);
  expect(await w.enter(wrongCodeFor(code))).toMatchObject(wrongCodeReply);
  expect(await w.texts()).toBe('unverified');
  expect((await w.enter(code)).body).toMatchObject({ phone_number: w.number, phone_number_verified: true });
  expect(await w.enter(code)).toMatchObject(expiredCodeReply);
  expect(await w.texts()).toBe('on');
  await w.alert('two');
  const texts = await server.textsTo(w.number);
  expect(texts).toHaveLength(2);
  expect(texts[0]?.body).toContain('Ann may need you');
  expect(JSON.stringify((await server.call('GET /web/guardians', { token: w.token })).body)).not.toContain(w.number.slice(-4));
});

test("[P2.5] a guardian's code lasts ten minutes and five attempts, is sent once a minute, and verifies only its own number", async () => {
  const w = await guardianWithPhone();
  await w.change({ phone_number: w.number });
  await w.send();
  expect((await w.send()).status).toBe(429);
  server.clock.turn(minute - 1);
  expect((await w.send()).status).toBe(429);
  server.clock.turn(1);
  expect((await w.send()).status).toBe(200);
  const secondCode = await codeTo(w.number);
  for (let i = 0; i < 5; i++) expect(await w.enter(wrongCodeFor(secondCode))).toMatchObject(wrongCodeReply);
  expect(await w.enter(secondCode)).toMatchObject(expiredCodeReply);
  server.clock.turn(minute);
  await w.send();
  const lateCode = await codeTo(w.number);
  server.clock.turn(10 * minute);
  expect(await w.enter(lateCode)).toMatchObject(expiredCodeReply);
  await w.send();
  const ownCode = await codeTo(w.number);
  server.clock.turn(10 * minute - 1);
  const otherGuardian = await guardianWithPhone();
  await otherGuardian.change({ phone_number: otherGuardian.number });
  expect(await otherGuardian.enter(ownCode)).toMatchObject(expiredCodeReply);
  expect((await w.enter(ownCode)).status).toBe(200);

  server.clock.turn(minute);
  await w.change({ phone_number: `+120255501${numbers++}` });
  await w.send();
  await w.change({ phone_number: w.number });
  expect(await w.texts()).toBe('unverified');
  expect(await w.enter(await codeTo(`+120255501${numbers - 1}`))).toMatchObject(expiredCodeReply);
});

test('[6.6] guardians switch emails and text messages on and off separately', async () => {
  const w = await guardianWithPhone();
  await w.prove();
  const arrived = async () => [(await server.mailsTo(w.bob.email)).length, (await server.textsTo(w.number)).length] as const;
  const alertCounts = async (identifier: string) => {
    const [mails, texts] = await arrived();
    await w.alert(identifier);
    const [m, t] = await arrived();
    return [m - mails, t - texts];
  };
  expect(await alertCounts('both')).toEqual([1, 1]);
  expect((await w.change({ sms: false })).body).toMatchObject({ sms: false, mail: true, phone_number_verified: true });
  expect(await w.texts()).toBe('off');
  expect(await alertCounts('mail')).toEqual([1, 0]);
  expect((await w.change({ sms: true, email: false })).body).toMatchObject({ sms: true, mail: false });
  expect(await w.texts()).toBe('on');
  expect(await alertCounts('text')).toEqual([0, 1]);
  const notifications = async () => (await server.mailsTo(w.email)).filter(({ subject }) => subject.startsWith('Bob')).length;
  const countBefore = await notifications();
  await w.change({ sms: false });
  expect(await alertCounts('none')).toEqual([0, 0]);
  // The holder is notified once that no channel remains.
  expect((await notifications()) - countBefore).toBe(1);
  await w.change({ sms: false, email: false });
  expect((await notifications()) - countBefore).toBe(1);
});

test('[2.117] after STOP the guardian sees the number for START, and the holder sees that text messages are off', async () => {
  const w = await guardianWithPhone();
  await w.prove();
  await server.textFrom(w.number, 'STOP');
  const page = () => server.call(`GET /guardian/${w.bob.uuid}`, { headers: w.bob.session });
  expect((await page()).body).toMatchObject({
    phone_number_opted_out: true,
    phone_number_host: expect.stringMatching(/^\+\d{8,15}$/),
    sms: true,
  });
  expect(await w.texts()).toBe('off');
  await server.textFrom(w.number, 'START');
  expect((await page()).body).toMatchObject({ phone_number_opted_out: false });
  expect(await w.texts()).toBe('on');
});

test('[6.6] a removed number is deleted', async () => {
  const w = await guardianWithPhone();
  await w.prove();
  expect((await w.change({ phone_number: null })).body).toMatchObject({ phone_number: null, phone_number_verified: false });
  expect(await w.texts()).toBe('off');
  const countBefore = (await server.textsTo(w.number)).length;
  await w.alert('gone');
  expect(await server.textsTo(w.number)).toHaveLength(countBefore);
});

test('the time of a verification is stored with the number, and removed when the number changes or the guardian leaves', async () => {
  const [w, other] = [await guardianWithPhone(), await guardianWithPhone()];
  const timeOf = async ({ bob }: { bob: { uuid: string } }) =>
    (await server.db.selectFrom('guardians').select('phone_verified_time').where('uuid', '=', bob.uuid).executeTakeFirstOrThrow())
      .phone_verified_time;
  const times = async () => [await timeOf(w), await timeOf(other)];
  await w.prove();
  const firstTime = server.clock.now();
  expect(await times()).toEqual([firstTime, null]);
  server.clock.turn(minute);
  await other.prove();
  const secondTime = server.clock.now();
  expect(await times()).toEqual([firstTime, secondTime]);
  await other.change({ phone_number: other.number, sms: false });
  await w.change({ phone_number: '+442079460958' });
  expect(await times()).toEqual([null, secondTime]);
  await w.change({ phone_number: w.number });
  expect(await times()).toEqual([null, secondTime]);
  server.clock.turn(minute);
  await w.prove();
  expect(await times()).toEqual([server.clock.now(), secondTime]);
  await server.call(`POST /guardian/${w.bob.uuid}/leave`, { headers: w.bob.session });
  expect(await times()).toEqual([null, secondTime]);
});
