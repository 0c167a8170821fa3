import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeGuardian, detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** How a guardian is reached: their phone, and what they switched on or off. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const minute = 60_000;
const not = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const codeTo = async (number: string) => /\b\d{6}\b/.exec((await server.textsTo(number))[0]?.body ?? '')?.[0] ?? '';
const wrong = { status: 400, body: { code: 'phone_code_wrong' } };
const dead = { status: 410, body: { code: 'phone_code_expired' } };

let numbers = 30;
async function world() {
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

test('[6.6] [P2.5] [1.3] a guardian gives a number, proves it with the code of a text, and gets alerts by text from then on', async () => {
  const w = await world();
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
  expect(await w.enter(not(code))).toMatchObject(wrong);
  expect(await w.texts()).toBe('unverified');
  expect((await w.enter(code)).body).toMatchObject({ phone_number: w.number, phone_number_verified: true });
  expect(await w.enter(code)).toMatchObject(dead);
  expect(await w.texts()).toBe('on');
  await w.alert('two');
  const texts = await server.textsTo(w.number);
  expect(texts).toHaveLength(2);
  expect(texts[0]?.body).toContain('Ann may need you');
  // The holder never sees the number.
  expect(JSON.stringify((await server.call('GET /web/guardians', { token: w.token })).body)).not.toContain(w.number.slice(-4));
});

test("[P2.5] a guardian's code works for ten minutes, five tries, one text a minute, and for the number it was sent to", async () => {
  const w = await world();
  await w.change({ phone_number: w.number });
  await w.send();
  expect((await w.send()).status).toBe(429);
  server.clock.turn(minute - 1);
  expect((await w.send()).status).toBe(429);
  server.clock.turn(1);
  expect((await w.send()).status).toBe(200);
  const second = await codeTo(w.number);
  for (let i = 0; i < 5; i++) expect(await w.enter(not(second))).toMatchObject(wrong);
  expect(await w.enter(second)).toMatchObject(dead);
  server.clock.turn(minute);
  await w.send();
  const late = await codeTo(w.number);
  server.clock.turn(10 * minute);
  expect(await w.enter(late)).toMatchObject(dead);
  await w.send();
  const mine = await codeTo(w.number);
  server.clock.turn(10 * minute - 1);
  const other = await world();
  await other.change({ phone_number: other.number });
  expect(await other.enter(mine)).toMatchObject(dead);
  expect((await w.enter(mine)).status).toBe(200);

  server.clock.turn(minute);
  await w.change({ phone_number: `+120255501${numbers++}` });
  await w.send();
  await w.change({ phone_number: w.number });
  expect(await w.texts()).toBe('unverified');
  expect(await w.enter(await codeTo(`+120255501${numbers - 1}`))).toMatchObject(dead);
});

test('[6.6] mails and texts are switched on and off one by one, and what is off does not arrive', async () => {
  const w = await world();
  await w.prove();
  const arrived = async () => [(await server.mailsTo(w.bob.email)).length, (await server.textsTo(w.number)).length] as const;
  const more = async (identifier: string) => {
    const [mails, texts] = await arrived();
    await w.alert(identifier);
    const [m, t] = await arrived();
    return [m - mails, t - texts];
  };
  expect(await more('both')).toEqual([1, 1]);
  expect((await w.change({ sms: false })).body).toMatchObject({ sms: false, mail: true, phone_number_verified: true });
  expect(await w.texts()).toBe('off');
  expect(await more('mail')).toEqual([1, 0]);
  expect((await w.change({ sms: true, email: false })).body).toMatchObject({ sms: true, mail: false });
  expect(await w.texts()).toBe('on');
  expect(await more('text')).toEqual([0, 1]);
  const told = async () => (await server.mailsTo(w.email)).filter(({ subject }) => subject.startsWith('Bob')).length;
  const before = await told();
  await w.change({ sms: false });
  expect(await more('none')).toEqual([0, 0]);
  // The holder hears once that nothing reaches this guardian any more.
  expect((await told()) - before).toBe(1);
  await w.change({ sms: false, email: false });
  expect((await told()) - before).toBe(1);
});

test('[2.117] after STOP the page says so, with the number to text START to, and the holder sees that texts are off', async () => {
  const w = await world();
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

test('[6.6] a number that is taken away is forgotten', async () => {
  const w = await world();
  await w.prove();
  expect((await w.change({ phone_number: null })).body).toMatchObject({ phone_number: null, phone_number_verified: false });
  expect(await w.texts()).toBe('off');
  const before = (await server.textsTo(w.number)).length;
  await w.alert('gone');
  expect(await server.textsTo(w.number)).toHaveLength(before);
});
