import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  activeGuardian,
  agreeToChanges,
  endIncidents,
  goodPassword,
  guardianSession,
  linkedDevice,
  linkIn,
  person,
  type TestServer,
  testServer,
} from '../../testing/world.ts';
import { timeInWords } from '../../texts/formatting.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

let numbers = 0;

/** Ann with a verified phone, and her guardian Bob. Returns only messages sent after this setup, oldest first. */
async function family() {
  const { token, email } = await person(server);
  const phone = `+120255502${String(numbers++).padStart(2, '0')}`;
  await server.call('PATCH /web/profile', { token, body: { phone_number: phone, current_password: goodPassword } });
  await server.call('POST /web/send-phone-code', { token });
  const code = /\b\d{6}\b/.exec((await server.textsTo(phone))[0]?.body ?? '')?.[0] ?? '';
  expect((await server.call('POST /web/verify-phonenumber', { token, body: { code } })).status).toBe(200);
  const bob = await activeGuardian(server, token);
  const device = await linkedDevice(server, token);
  const mails = async (email: string) => (await server.mailsTo(email)).map(({ subject }) => subject).toReversed();
  const texts = async () => (await server.textsTo(phone)).map(({ body }) => body).toReversed();
  const [annsCount, bobsCount, textCount] = [(await mails(email)).length, (await mails(bob.email)).length, (await texts()).length];
  return {
    token,
    email,
    phone,
    bob,
    device,
    toAnn: async () => (await mails(email)).slice(annsCount),
    toBob: async () => (await mails(bob.email)).slice(bobsCount),
    texts: async () => (await texts()).slice(textCount),
    async call(key: string, body?: object) {
      await agreeToChanges(server);
      return server.call(key, { token, ...(body ? { body } : {}) });
    },
    async allow(identifier: string, type: 'domain' | 'definition' = 'domain') {
      await agreeToChanges(server);
      return server.call(`POST /web/devices/${device.uuid}/v2/exceptions`, { token, body: { type, identifier, lasts: 'hour' } });
    },
    reportEvent: (event: object, uuid = crypto.randomUUID()) =>
      server.call('POST /agent/events', {
        token: device.agent,
        body: { events: [{ uuid, time: server.clock.now().toISOString(), reported: event }] },
      }),
  };
}

test('[P10.4] A4: after five mild acts people are still notified of each severe act immediately by email and text message', async () => {
  const ann = await family();
  for (let i = 1; i <= 5; i++) expect((await ann.allow(`site${i}.example.com`)).status).toBe(200);
  expect(await ann.toBob()).toHaveLength(5);
  expect(await ann.texts()).toEqual([]);

  await ann.allow('anydesk', 'definition');
  await ann.call('GET /web/bypasspassword');
  const until = new Date(server.clock.now().getTime() + 10 * minute);
  await ann.reportEvent({ kind: 'paused', until: until.toISOString() });
  await agreeToChanges(server);
  await server.call('POST /agent/goodbye', { token: ann.device.agent, body: { reason: 'uninstalled' } });
  await ann.call(`DELETE /web/devices/${ann.device.uuid}`);

  const expectedMessages = [
    /allowed AnyDesk on Den PC/,
    /looked at the Admin PIN/,
    new RegExp(`Den PC was paused until ${timeInWords(until, 'America/New_York')}`),
    /was uninstalled from Den PC/,
    /removed Den PC/,
  ];
  for (const messages of [(await ann.toBob()).slice(5), (await ann.toAnn()).slice(5), await ann.texts()]) {
    expect(messages).toHaveLength(expectedMessages.length);
    for (const expected of expectedMessages) expect(messages.filter((words) => expected.test(words))).toHaveLength(1);
  }
});

test('[P10.4] allowing a site that a remote-control program needs is as severe as allowing the program; another site is mild', async () => {
  const ann = await family();
  await ann.allow('example.com');
  expect(await ann.texts()).toEqual([]);
  await ann.allow('net.anydesk.com');
  await ann.allow('anydesk.com');
  expect(await ann.texts()).toHaveLength(2);
});

test('[P10.4] a flood of mild acts causes one immediate alarm on every channel in ten minutes, and later acts are grouped', async () => {
  const ann = await family();
  for (let i = 1; i <= 30; i++) await ann.allow(`site${i}.example.com`);
  const flood = /7 changes in a few minutes: check now/;
  for (const messages of [await ann.toBob(), await ann.toAnn()]) {
    expect(messages).toHaveLength(6);
    expect(messages.filter((subject) => flood.test(subject))).toHaveLength(1);
  }
  expect(await ann.texts()).toEqual([expect.stringMatching(/^7 changes to your protection in a few minutes\./)]);
  server.clock.turn(10 * minute);
  expect((await ann.toBob()).at(-1)).toBe('24 more changes to Ann’s protection');
  expect(await ann.texts()).toHaveLength(1);
});

test('[P8.2] an alarm about acts at one computer names its user to call, and with an act elsewhere the holder', async () => {
  const ann = await family();
  const mum = { name: 'Mum', phone_number: '+12025550143', is_holder: false };
  await ann.call(`POST /web/devices/${ann.device.uuid}`, { name: 'Den PC', policy: 'strict', person: mum });
  // Sent after the turn, these would be late, and after the alarm.
  expect(await ann.texts()).toEqual([expect.stringMatching(/changed who uses Den PC/)]);
  server.clock.turn(11 * minute);
  const requestPrograms = async (firstNumber: number, lastNumber: number) => {
    for (let i = firstNumber; i <= lastNumber; i++) await ann.reportEvent({ kind: 'asked', name: `Program ${i}` });
  };
  await requestPrograms(1, 6);
  // The alarm may arrive before older ordinary emails, so it is found by its subject.
  const newest = async (email: string) => (await server.mailsTo(email)).find(({ subject }) => / changes /.test(subject))?.text ?? '';
  expect(await newest(ann.bob.email)).toMatch(
    /^6 changes to Ann’s protection in a few minutes\n\nCall Mum: \+1 202 555 0143\n[\s\S]*Call Mum\.[\s\S]*See how Mum is:/,
  );
  expect(await newest(ann.email)).toMatch(/^6 changes to your protection in a few minutes\n\nCall Mum: /);
  expect((await ann.texts()).at(-1)).toBe('6 changes to your protection in a few minutes. Not expected? Call Mum: +12025550143.');
  await requestPrograms(7, 9);
  server.clock.turn(10 * minute);
  expect(await newest(ann.bob.email)).toMatch(/^3 more changes within a few minutes\n\nCall Mum: [\s\S]*See how Mum is:/);
  server.clock.turn(11 * minute);
  await requestPrograms(10, 16);
  await endIncidents(server);
  await ann.allow('example.com');
  server.clock.turn(10 * minute);
  expect(await newest(ann.bob.email)).toMatch(/^2 more changes within a few minutes\n\n[\s\S]*Call Ann\.[\s\S]*See how Ann is:/);
  expect(await newest(ann.email)).toMatch(/^2 more changes within a few minutes\n\n[\s\S]*If this wasn’t you[\s\S]*See the changes:/);
});

test('[P10.4] a flood of one kind of severe act sends a limited number of messages and delays no other kind', async () => {
  const ann = await family();
  const programs = (await server.call('GET /definitions/allowlistable.json')).body as unknown as { identifier: string; category: string }[];
  const remote = programs.filter(({ category }) => category === 'RemoteControl').slice(0, 40);
  expect(remote.length).toBe(40);
  for (const { identifier } of remote) await ann.allow(identifier, 'definition');
  const [bobsBefore, textCount] = [(await ann.toBob()).length, (await ann.texts()).length];
  expect([bobsBefore, textCount]).toEqual([11, 11]);
  await ann.call(`DELETE /web/devices/${ann.device.uuid}`);
  expect((await ann.toBob()).slice(bobsBefore)).toEqual(['Ann removed Den PC from the account']);
  expect((await ann.texts()).slice(textCount)).toHaveLength(1);
});

test('[P10.4] A5: with alert emails off the holder still gets emails about severe acts, and none about mild ones', async () => {
  const ann = await family();
  await ann.call('PATCH /web/alert-settings', { mail: false });
  await ann.call('GET /web/bypasspassword');
  await ann.allow('example.com');
  await ann.call('PATCH /web/alert-settings', { notify_after_days: 7 });
  expect((await ann.toAnn()).toSorted()).toEqual(['You looked at the Admin PIN', 'You turned off emails about threats']);
  expect(await ann.toBob()).toHaveLength(4);
});

test('[P5.5] STOP also ends text messages about severe acts; the emails continue', async () => {
  const [ann, otherHolder] = [await family(), await family()];
  await server.textFrom(ann.phone, 'STOP');
  for (const holder of [ann, otherHolder]) await holder.call('POST /web/bypasspassword');
  expect(await ann.texts()).toEqual([]);
  expect(await otherHolder.texts()).toHaveLength(1);
  expect([await ann.toAnn(), await otherHolder.toAnn()]).toEqual([['You made a new Admin PIN'], ['You made a new Admin PIN']]);
});

test('[P10.4] inviting a guardian notifies the holder and the other guardians, once', async () => {
  const ann = await family();
  const carol = await activeGuardian(server, ann.token, 'Carol');
  expect(await ann.toAnn()).toEqual(['You asked Carol to be a guardian']);
  expect(await ann.toBob()).toEqual(['Ann asked Carol to be a guardian']);
  expect(await ann.texts()).toHaveLength(1);
  expect((await server.mailsTo(carol.email)).map(({ subject }) => subject)).toEqual(['Ann asks you to be a guardian']);
  server.clock.turn(11 * minute);
  // Resending the invitation notifies nobody else; inviting a guardian who left does.
  await ann.call(`POST /web/guardians/${carol.uuid}/resend`);
  expect(await ann.toBob()).toHaveLength(1);
  const headers = await guardianSession(server, carol.uuid, carol.email);
  expect((await server.call(`POST /guardian/${carol.uuid}/leave`, { headers })).status).toBe(200);
  await ann.call(`POST /web/guardians/${carol.uuid}/resend`);
  expect(await ann.toBob()).toEqual(['Ann asked Carol to be a guardian', 'Ann asked Carol to be a guardian']);
});

test('[P10.4] when a guardian switches off their last channel, the holder and the other guardians are notified immediately', async () => {
  const ann = await family();
  const carol = await activeGuardian(server, ann.token, 'Carol');
  const annsBefore = (await ann.toAnn()).length;
  await server.call(`PATCH /guardian/${carol.uuid}`, { headers: carol.session, body: { email: false } });
  expect((await ann.toAnn()).slice(annsBefore)).toEqual(['Carol gets no more alerts']);
  expect((await ann.toBob()).at(-1)).toBe('Carol gets no more alerts about Ann');
  expect((await ann.texts()).at(-1)).toContain('Carol gets no more alerts about you.');
  expect((await server.mailsTo(carol.email)).map(({ subject }) => subject)).toEqual(['Ann asks you to be a guardian']);
});

test('[P10.4] changing the email address is also notified by text message', async () => {
  const ann = await family();
  const email = `new-${ann.email}`;
  await ann.call('PATCH /web/profile', { email, current_password: goodPassword });
  const [mail] = await server.mailsTo(email);
  await server.call('POST /confirm-email-change', { body: { token: linkIn(mail, '/confirm-email-change/') } });
  expect(await ann.texts()).toEqual([expect.stringContaining('You changed the email address of the account.')]);
});

test('[P10.4] A4: after sixty text messages about allowed programs, text messages about other severe acts are still sent', async () => {
  const ann = await family();
  const programs = (await server.call('GET /definitions/allowlistable.json')).body as unknown as { identifier: string; category: string }[];
  const remote = programs.filter(({ category }) => category === 'RemoteControl').map(({ identifier }) => identifier);
  for (let n = 0; n < 7; n++) {
    for (const identifier of remote.slice(n * 10, n * 10 + 10)) await ann.allow(identifier, 'definition');
    // A text message that still waits when the eleven minutes have passed would be too late to be sent.
    await server.app.worker.idle();
    server.clock.turn(11 * minute);
  }
  const textsBefore = await ann.texts();
  expect(textsBefore.at(-1)).toContain('No more texts today');
  await ann.allow(remote[70] ?? '', 'definition');
  expect(await ann.texts()).toHaveLength(textsBefore.length);
  await ann.call('GET /web/bypasspassword');
  await ann.call(`DELETE /web/devices/${ann.device.uuid}`);
  const newTexts = (await ann.texts()).slice(textsBefore.length);
  expect(newTexts).toEqual([expect.stringMatching(/Admin PIN/), expect.stringMatching(/removed Den PC/)]);

  // An hour later one more text message may be sent, and a mild act does not use it up.
  server.clock.turn(61 * minute);
  const laptop = await linkedDevice(server, ann.token, 'Laptop');
  const countBefore = (await ann.texts()).length;
  const allow = (type: string, identifier = '') =>
    ann.call(`POST /web/devices/${laptop.uuid}/v2/exceptions`, { type, identifier, lasts: 'hour' });
  await allow('domain', 'example.org');
  expect(await ann.texts()).toHaveLength(countBefore);
  await allow('definition', remote[0]);
  await allow('definition', remote[1]);
  expect((await ann.texts()).slice(countBefore)).toEqual([expect.stringMatching(/allowed .* on Laptop/)]);
});

test('[P10.4] the flood alarm and the message about an unreachable guardian use the urgent lane of the job queue; a mild act does not', async () => {
  const ann = await family();
  const carol = await activeGuardian(server, ann.token, 'Carol');
  server.clock.turn(11 * minute);
  const lanes = async () => {
    const rows = await server.db
      .selectFrom('deliveries')
      .innerJoin('jobs', 'jobs.unique_key', 'deliveries.key')
      .innerJoin('accounts', 'accounts.uuid', 'deliveries.account')
      .select(['jobs.lane', 'jobs.id'])
      .where('accounts.email', '=', ann.email)
      .where('deliveries.kind', '=', 'act')
      .where('jobs.kind', '=', 'mail')
      .where('deliveries.time', '>=', server.clock.now())
      .execute();
    const urgent = rows.filter(({ lane }) => lane === 'mail_urgent').length;
    return { urgent, ordinary: rows.length - urgent };
  };
  for (let i = 1; i <= 5; i++) await ann.allow(`site${i}.example.com`);
  expect(await lanes()).toEqual({ urgent: 0, ordinary: 15 });
  await ann.allow('site6.example.com');
  expect(await lanes()).toEqual({ urgent: 3, ordinary: 15 });
  await server.call(`PATCH /guardian/${carol.uuid}`, { headers: carol.session, body: { email: false } });
  expect(await lanes()).toEqual({ urgent: 5, ordinary: 15 });
});
