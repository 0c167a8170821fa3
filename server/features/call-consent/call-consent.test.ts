import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consentFamily, consentGiven, inWords, newNumber } from '../../testing/consent-family.ts';
import { incidentFamily } from '../../testing/incident-family.ts';
import { phoneOf } from '../../testing/phone-calls.ts';
import { goodPassword, linkedDevice, newcomer, person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
const family = (more = {}) => consentFamily(server, more);
const agreeing = () => consentGiven(server);
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

test('[P11.1] the user agrees by pressing 1 in the call that the holder asked for, and only then', async () => {
  const ann = await family();
  const shown = { calls: true, phone_number: inWords(ann.phone_number) };
  expect((await ann.call('GET')).body).toEqual({ ...shown, state: 'none', calling: false });
  expect(await ann.call('POST')).toMatchObject({ status: 200, body: { ...shown, state: 'asked', calling: true } });
  expect(await ann.phone.calls()).toMatchObject([{ purpose: 'consent', account: ann.account, device: ann.device, name: 'Mum' }]);
  expect(await ann.phone.picksUp()).toEqual({
    say: [
      'Hello. This is Porchlight.',
      'Ann asked us to call you.',
      'If we stop a scammer on your computer and nobody answers us, may we call you here?',
      'To say yes, press 1.',
      'If you never want a call from us, press 9.',
      'We never ask for money, passwords or codes.',
    ],
    keys: true,
  });
  expect(await ann.state()).toBe('asked');
  expect((await ann.phone.presses('1')).say[0]).toBe('Thank you.');
  expect(await ann.state()).toBe('agreed');
  await ann.phone.hangsUp();
  expect((await ann.call('GET')).body).toEqual({ ...shown, state: 'agreed', calling: false });
});

test.each(['2', '0', '*', '#'])('[P11.1] the key %s agrees to nothing, and neither does hanging up', async (key) => {
  const ann = await family();
  await ann.call('POST');
  await ann.phone.picksUp();
  expect(await ann.phone.presses(key)).toEqual({ say: ['Nothing has changed.', 'Goodbye.'], keys: false });
  await ann.phone.hangsUp();
  expect((await ann.call('GET')).body).toMatchObject({ state: 'asked', calling: false });
});

test('voicemail agrees to nothing, is asked for no key, and hears that there is nothing to do', async () => {
  const ann = await family();
  await ann.call('POST');
  const { say, keys } = await ann.phone.picksUp('machine');
  expect(keys).toBe(false);
  expect(say).toContain('Nothing has changed, and there is nothing to do.');
  expect(say.join(' ')).not.toContain('press');
  await ann.phone.hangsUp();
  expect((await ann.call('GET')).body).toMatchObject({ state: 'asked', calling: false });
});

test('[P11.1] 9 refuses for every account: no calls and no texts, until START; a neighbour’s consent stays', async () => {
  const [ann, neighbour] = [await family(), await agreeing()];
  const carol = await family({ phone_number: ann.phone_number });
  await ann.call('POST');
  expect((await ann.phone.presses('9')).say[0]).toBe('We will never call or text this number again.');
  await ann.phone.hangsUp();
  for (const one of [ann, carol]) {
    expect(await one.state()).toBe('refused');
    expect(await one.call('POST')).toMatchObject({ status: 409, body: { code: 'calls_refused' } });
    await one.call('DELETE');
    expect(await one.state()).toBe('refused');
  }
  expect(await ann.phone.calls()).toHaveLength(1);
  expect(await neighbour.state()).toBe('agreed');
  await server.textFrom(ann.phone_number, 'START');
  expect([await ann.state(), await carol.state()]).toEqual(['none', 'none']);
  expect((await ann.call('POST')).status).toBe(200);
});

test('a code that a stranger has texted to a number does not end its refusal of calls', async () => {
  const ann = await family();
  await ann.call('POST');
  await ann.phone.presses('9');
  const eve = await newcomer(server, 'Eve Other');
  const body = { phone_number: ann.phone_number, current_password: goodPassword };
  await server.call('PATCH /web/profile', { token: eve.token, body });
  expect((await server.call('POST /web/send-phone-code', { token: eve.token })).status).toBe(200);
  expect(await server.textsTo(ann.phone_number)).toHaveLength(1);
  expect(await ann.state()).toBe('refused');
});

test('STOP ends a consent', async () => {
  const [ann, neighbour] = [await agreeing(), await agreeing()];
  await server.textFrom(ann.phone_number, 'STOP');
  expect([await ann.state(), await neighbour.state()]).toEqual(['refused', 'agreed']);
});

test('[P11.1] consent is of one user on one number: another number, another user, or the holder has none', async () => {
  for (const next of [{ phone_number: newNumber() }, { name: 'Dad' }, { phone_number: '' }]) {
    const ann = await agreeing();
    await ann.uses({ ...ann.user, ...next });
    expect(await ann.state()).toBe('none');
    await ann.uses(ann.user);
    expect(await ann.state()).toBe('none');
  }
  const ann = await agreeing();
  await ann.uses(null);
  expect((await ann.call('GET')).body).toMatchObject({ state: 'none', phone_number: null });
  const same = await agreeing();
  await same.uses(same.user);
  expect(await same.state()).toBe('agreed');
});

test('a 1 counts for the number that was called; a new number is called also while the former one talks', async () => {
  const ann = await family();
  await ann.call('POST');
  await ann.phone.picksUp();
  const next = newNumber();
  await ann.uses({ ...ann.user, phone_number: next });
  expect((await ann.call('POST')).body).toMatchObject({ state: 'asked', calling: true, phone_number: inWords(next) });
  expect(await phoneOf(server, next).calls()).toHaveLength(1);
  await ann.phone.presses('1');
  expect(await ann.state()).toBe('asked');
  await phoneOf(server, next).presses('1');
  expect(await ann.state()).toBe('agreed');
});

test('a 1 in one call does not win over the 9 that was pressed in another call to the same number', async () => {
  const bob = await family();
  const carol = await family({ phone_number: bob.phone_number });
  await bob.call('POST');
  await bob.phone.picksUp();
  server.clock.turn(1000);
  await carol.call('POST');
  const [newest, older] = await server.callsTo(bob.phone_number);
  await server.phones.press(older?.id ?? '', '9');
  await server.phones.answer(newest?.id ?? '');
  await server.phones.press(newest?.id ?? '', '1');
  expect((await server.callsTo(bob.phone_number))[0]?.words).toContain('Nothing has changed.');
  expect([await bob.state(), await carol.state()]).toEqual(['refused', 'refused']);
});

test('the holder of a computer of their own is called on their verified number, and asked in other words', async () => {
  const { token } = await person(server);
  const { uuid } = await linkedDevice(server, token);
  const call = (method: string) => server.call(`${method} /web/devices/${uuid}/call-consent`, { token });
  expect((await call('GET')).body).toMatchObject({ state: 'none', phone_number: null });
  expect(await call('POST')).toMatchObject({ status: 409, body: { code: 'phone_missing' } });
  const number = newNumber();
  await server.call('PATCH /web/profile', { token, body: { phone_number: number, current_password: goodPassword } });
  expect(await call('POST')).toMatchObject({ status: 409, body: { code: 'phone_missing' } });
  await server.call('POST /web/send-phone-code', { token });
  const code = /\b\d{6}\b/.exec((await server.textsTo(number))[0]?.body ?? '')?.[0];
  await server.call('POST /web/verify-phonenumber', { token, body: { code } });
  expect((await call('POST')).status).toBe(200);
  const phone = phoneOf(server, number);
  expect((await phone.picksUp()).say[1]).toBe('You asked us to call you on this number.');
  await phone.presses('1');
  expect((await call('GET')).body.state).toBe('agreed');
});

test('asking again while somebody is called, or has agreed, calls nobody; two pages at once cause one call', async () => {
  const ann = await family();
  const replies = await Promise.all([ann.call('POST'), ann.call('POST')]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  await ann.call('POST');
  expect(await ann.phone.calls()).toHaveLength(1);
  await ann.phone.presses('1');
  await ann.phone.hangsUp();
  expect(await ann.call('POST')).toMatchObject({ status: 200, body: { state: 'agreed' } });
  expect(await ann.phone.calls()).toHaveLength(1);
});

test('a call whose end is never reported counts as over after five minutes', async () => {
  const ann = await family();
  await ann.call('POST');
  expect(await server.callsTo(ann.phone_number)).toMatchObject([{ state: 'ringing' }]);
  server.clock.turn(5 * 60_000 - 1);
  expect((await ann.call('GET')).body.calling).toBe(true);
  server.clock.turn(1);
  expect((await ann.call('GET')).body.calling).toBe(false);
  await ann.call('POST');
  expect(await ann.phone.calls()).toHaveLength(2);
});

test('a server that makes no calls says so, and calls nobody', async () => {
  const other = await testServer({ VOICE: 'off' });
  const { token } = await person(other);
  const user = { name: 'Mum', phone_number: newNumber(), is_holder: false };
  const { uuid } = (await other.call('POST /web/create-device', { token, body: { name: 'Laptop', policy: null, person: user } })).body;
  const call = (method: string) => other.call(`${method} /web/devices/${uuid}/call-consent`, { token });
  expect((await call('GET')).body).toMatchObject({ calls: false, state: 'none' });
  expect(await call('POST')).toMatchObject({ status: 409, body: { code: 'calls_off' } });
  await other.close();
});

test('the consent of another account’s computer is neither read, asked for nor withdrawn', async () => {
  const ann = await agreeing();
  const eve = await person(server, 'Eve Other');
  for (const id of [ann.device, randomUUID()]) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const reply = await server.call(`${method} /web/devices/${id}/call-consent`, { token: eve.token });
      expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  }
  expect(await ann.state()).toBe('agreed');
});

test('a name that is a lure is not read aloud: Someone asked', async () => {
  const ann = await family();
  await server.db.updateTable('accounts').set({ name: 'www.refund.example' }).where('uuid', '=', ann.account).execute();
  await ann.call('POST');
  expect((await ann.phone.picksUp()).say[1]).toBe('Someone asked us to call you.');
});

test('[P10.4] withdrawing a consent is logged with an advice and no undo, and people are notified; without a consent nothing is', async () => {
  const ann = await agreeing();
  const entries = async () =>
    (await server.call('GET /web/acts', { token: ann.token })).body.items as unknown as { kind: string; words: string; undo: unknown }[];
  expect(await ann.call('DELETE')).toMatchObject({ status: 200, body: { state: 'none' } });
  expect(await ann.state()).toBe('none');
  const logged = { kind: 'call_consent_off', words: 'Ann ended our phone calls to Mum after a stop.', undo: null };
  expect(await entries()).toMatchObject([logged]);
  const subjects = async () => (await server.mailsTo(ann.email)).map(({ subject }) => subject).filter((subject) => /calls/.test(subject));
  expect(await subjects()).toEqual(['You ended our phone calls to Mum after a stop']);
  await ann.call('DELETE');
  expect(await subjects()).toHaveLength(1);
  expect(await entries()).toHaveLength(1);
});

test('a question that is withdrawn during the call cannot be answered with 1 any more', async () => {
  const ann = await family();
  await ann.call('POST');
  await ann.call('DELETE');
  expect((await ann.phone.presses('1')).say[0]).toBe('Nothing has changed.');
  expect(await ann.state()).toBe('none');
});

test('[P10.1] in an incident withdrawing waits for a yes, and asking again passes', async () => {
  const ann = await incidentFamily(server);
  const number = newNumber();
  const user = { name: 'Mum', phone_number: number, is_holder: false };
  const { uuid } = (await ann.call('POST /web/create-device', { name: 'Laptop', policy: null, person: user })).body;
  const path = `/web/devices/${uuid}/call-consent`;
  server.clock.turn(1000);
  await ann.stops();
  expect((await ann.call(`POST ${path}`)).status).toBe(200);
  await phoneOf(server, number).presses('1');
  const waiting = await ann.call(`DELETE ${path}`);
  expect(waiting).toMatchObject({ status: 409, body: { code: 'held', asked: ['Bob'] } });
  expect((await ann.call(`GET ${path}`)).body.state).toBe('agreed');
  await ann.answer(waiting.body.request, 'yes');
  expect((await ann.call(`DELETE ${path}`)).body.state).toBe('none');
});

test('the same draft of a device sent again with the same user keeps the consent', async () => {
  const { token } = await person(server);
  const number = newNumber();
  const draft = randomUUID().replaceAll('-', '');
  const body = { name: 'Laptop', policy: null, draft, person: { name: 'Mum', phone_number: number, is_holder: false } };
  const { uuid } = (await server.call('POST /web/create-device', { token, body })).body;
  const call = (method: string) => server.call(`${method} /web/devices/${uuid}/call-consent`, { token });
  server.clock.turn(1000);
  await call('POST');
  await phoneOf(server, number).presses('1');
  server.clock.turn(1000);
  await server.call('POST /web/create-device', { token, body: { ...body, name: 'Old laptop' } });
  expect((await call('GET')).body.state).toBe('agreed');
});
