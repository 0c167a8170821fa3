import { minute } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  activeGuardian,
  detection,
  endIncidents,
  guardsByCalls,
  linkedDevice,
  person,
  type TestServer,
  testServer,
} from '../../testing/world.ts';

/** Guardians can end emails with one click and text messages with STOP. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const clickUnsubscribe = (header: string | null | undefined, method: 'GET' | 'POST' = 'POST') => {
  const url = /^<http:\/\/localhost:4380(\/api\/unsubscribe\/[^>]+)>, <mailto:/.exec(header ?? '')?.[1] ?? '/none';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return server.app.http.inject(method === 'GET' ? { url } : { method, url, headers, payload: 'List-Unsubscribe=One-Click' });
};
const listedGuardian = async (token: string) => (await server.call('GET /web/guardians', { token })).body.guardians?.[0];

test('[P5.5] [P5.1] unsubscribing from an invitation declines it, and emails resume only after a new invitation', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const { body } = await server.call('POST /web/create-guardian', { token, body: { name: 'Bob Builder', email: 'asked@example.org' } });
  const [invitation] = await server.mailsTo('asked@example.org');
  expect(invitation?.list_unsubscribe_post).toBe('List-Unsubscribe=One-Click');
  const page = await clickUnsubscribe(invitation?.list_unsubscribe, 'GET');
  expect(page.body).toContain('You will get no more emails about Ann. This also says no to being a guardian.');
  expect(await listedGuardian(token)).toMatchObject({ state: 'pending' });

  for (let i = 0; i < 2; i++) {
    const unsubscribeReply = await clickUnsubscribe(invitation?.list_unsubscribe);
    expect([unsubscribeReply.statusCode, unsubscribeReply.body.includes('Ann now knows that you cannot be a guardian.')]).toEqual([
      200,
      true,
    ]);
  }
  expect(await listedGuardian(token)).toMatchObject({ state: 'declined', active: false });
  const notifications = (await server.mailsTo(email)).filter(({ subject }) => subject === 'Bob Builder said no to being your guardian');
  expect(notifications).toHaveLength(1);

  await server.call(`POST /web/guardians/${String(body.uuid)}/resend`, { token });
  expect(await server.mailsTo('asked@example.org')).toHaveLength(2);
  expect(await listedGuardian(token)).toMatchObject({ state: 'pending' });
  await server.call(`DELETE /web/guardians/${String(body.uuid)}`, { token });
  expect((await clickUnsubscribe(invitation?.list_unsubscribe)).statusCode).toBe(410);
});

test('[P5.5] [6.6] one click ends emails and STOP ends text messages; the holder is notified when no channel remains', async () => {
  const { token, email } = await person(server, 'Ann Example');
  const { agent } = await linkedDevice(server, token, 'Den PC');
  const bob = await activeGuardian(server, token, 'Bob Builder');
  const number = '+12025550177';
  const headers = bob.session;
  await server.call(`PATCH /guardian/${bob.uuid}`, { headers, body: { phone_number: number } });
  await server.call(`POST /guardian/${bob.uuid}/send-phone-code`, { headers });
  const code = /\b\d{6}\b/.exec((await server.textsTo(number))[0]?.body ?? '')?.[0];
  await server.call(`POST /guardian/${bob.uuid}/verify-phone`, { headers, body: { code } });
  const alert = async (identifier: string) => {
    const countsBefore = [(await server.mailsTo(bob.email)).length, (await server.textsTo(number)).length] as const;
    await server.call('POST /agent/detections', { token: agent, body: { detections: [detection(server, { identifier })] } });
    return [(await server.mailsTo(bob.email)).length - countsBefore[0], (await server.textsTo(number)).length - countsBefore[1]];
  };
  const notifications = async () => (await server.mailsTo(email)).filter(({ subject }) => subject === 'Bob gets no more alerts').length;
  expect(await alert('one')).toEqual([1, 1]);
  // In an incident emails end only after it, and text messages at once.
  await endIncidents(server);

  expect((await clickUnsubscribe((await server.mailsTo(bob.email))[0]?.list_unsubscribe)).statusCode).toBe(200);
  expect(await listedGuardian(token)).toMatchObject({ mail: false, texts: 'on', active: true });
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers })).body).toMatchObject({ mail: false, sms: true, state: 'active' });
  expect(await alert('two')).toEqual([0, 1]);
  expect(await notifications()).toBe(0);

  await server.textFrom(number, 'STOP');
  await server.textFrom(number, 'STOP');
  expect(await listedGuardian(token)).toMatchObject({ mail: false, texts: 'off' });
  expect((await server.call(`GET /guardian/${bob.uuid}`, { headers })).body).toMatchObject({ phone_number_opted_out: true });
  expect(await alert('three')).toEqual([0, 0]);
  expect(await notifications()).toBe(1);

  await server.textFrom(number, 'START');
  expect(await listedGuardian(token)).toMatchObject({ texts: 'on' });
  server.clock.turn(minute);
  expect(await alert('four')).toEqual([0, 1]);
});

test('[P5.5] resent links also contain the unsubscribe link', async () => {
  const { token } = await person(server, 'Ann Example');
  const bob = await guardsByCalls(server, token, 'Bob Builder', 'bob.again@example.org');
  await server.call(`POST /web/guardians/${bob.uuid}/resend`, { token });
  await server.call('POST /guardian-link', { body: { email: bob.email } });
  const mails = await server.mailsTo(bob.email);
  expect(mails.length).toBeGreaterThanOrEqual(3);
  for (const mail of mails) expect(mail.list_unsubscribe, mail.subject).toMatch(/^<http:\/\/localhost:4380\/api\/unsubscribe\//);
});
