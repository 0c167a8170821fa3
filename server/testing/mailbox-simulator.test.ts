import { afterAll, beforeAll, expect, test } from 'vitest';
import { storedItems } from '../lib/stored-items.ts';
import { registersByCalls } from './calls-of-people.ts';
import { incidentFamily } from './incident-family.ts';
import { placedCall, storedCall } from './placed-call.ts';
import { type TestServer, testServer } from './world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
  await registersByCalls(server, 'Ann <i>Example', 'ann@example.org');
});
afterAll(() => server.close());

const open = (url: string, headers: Record<string, string> = { cookie: `simulators_key=${server.simulator_key}` }) =>
  server.app.http.inject({ url, headers: { host: 'localhost:4380', ...headers } });

test('the mailbox simulator shows mail on a page for people, and as JSON for tests', async () => {
  const { mails } = (await open('/dev/mailbox.json')).json<{ mails: { id: string; to: string[]; subject: string }[] }>();
  expect(mails).toMatchObject([{ to: ['ann@example.org'], subject: 'Please confirm your email address' }]);
  expect((await open('/dev/mailbox')).body).toContain('Please confirm your email address');
  const mail = await open(`/dev/mailbox/mail/${mails[0]?.id}`);
  expect(mail.body).toContain('Confirm my email address');
  expect(mail.body).not.toContain('<i>Example');
  expect(mail.headers['content-security-policy']).toContain("default-src 'none'");
});

test('[P14.3] A6: the mailbox URL printed at the start sets a cookie, and redirects to the URL without the key', async () => {
  const firstReply = await open(`/dev/mailbox?key=${server.simulator_key}&id=x`, {});
  expect([firstReply.statusCode, firstReply.headers.location]).toEqual([303, '/dev/mailbox?id=x']);
  expect(firstReply.headers['set-cookie']).toBe(`simulators_key=${server.simulator_key}; Path=/dev; HttpOnly; SameSite=Strict`);
  const data = await open(`/dev/mailbox.json?key=${server.simulator_key}`, {});
  expect([data.statusCode, data.body.includes('ann@example.org')]).toEqual([200, true]);
});

test.each([
  ['without a key', '', {}],
  ['with a wrong key', '?key=wrong', {}],
  ['with two keys', '?key=a&key=b', {}],
  ['with a wrong cookie', '', { cookie: 'simulators_key=wrong' }],
  ['as a proxy asks that says nothing of itself', '', { 'x-real-ip': '192.0.2.7', host: '127.0.0.1:4380' }],
])('[P14.3] A6: the mailbox simulator answers 404 %s', async (_how, query, headers) => {
  for (const url of ['/dev/mailbox', '/dev/mailbox.json', '/dev/mailbox/mail/x']) {
    const answer = await open(url + query, headers);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain('ann@example.org');
  }
  expect((await open('/dev/mailbox.json')).body).toContain('ann@example.org');
});

const press = (id: string, action: string, headers: Record<string, string> = { cookie: `simulators_key=${server.simulator_key}` }) =>
  server.app.http.inject({
    method: 'POST',
    url: `/dev/mailbox/call/${encodeURIComponent(id)}`,
    headers: { host: 'localhost:4380', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: `do=${action}`,
  });
const buttonsOf = (page: string) => [...page.matchAll(/<button [^>]*>([^<]*)</g)].map(([, label]) => label);

test('the mailbox simulator shows a call that rings, what is read once it is picked up, the keys, and its result', async () => {
  const family = await incidentFamily(server);
  const number = '+12025550143';
  const verified = new Date(server.clock.now().getTime() - 100 * 3_600_000);
  await server.db
    .updateTable('guardians')
    .set({ phone_number: number, phone_number_verified: true, phone_verified_time: verified })
    .where('uuid', '=', family.bob?.uuid ?? '')
    .execute();
  await family.stops();
  server.clock.turn(6 * 60_000);
  const [call] = await server.callsTo(number);
  const id = call?.id ?? '';
  const page = async () => (await open(`/dev/mailbox?id=${encodeURIComponent(id)}`)).body;
  const storedState = async () =>
    (await server.db.selectFrom('calls').select('state').where('phone_number', '=', number).executeTakeFirstOrThrow()).state;
  expect((await open('/dev/mailbox')).body).toContain('<b>Phone is ringing</b><br>to +12025550143');
  expect(buttonsOf(await page())).toEqual(['Pick up', 'Voicemail', 'Busy', 'Let it ring out']);

  expect((await press(id, 'answer', {})).statusCode).toBe(404);
  expect(await storedState()).toBe('ringing');
  const pressed = await press(id, 'answer');
  expect([pressed.statusCode, pressed.headers.location]).toEqual([303, `/dev/mailbox?${new URLSearchParams({ id }).toString()}`]);
  expect(await page()).toContain('Press 1 if you are on it.');
  expect(await page()).toContain('<b>On the phone</b>');
  expect(buttonsOf(await page())).toEqual(['Press 1', 'Press 9', 'Hang up']);

  await press(id, '1');
  expect(await page()).toContain('The call has ended.');
  expect(await page()).toContain('Pressed: 1');
  expect(await page()).toContain('Thank you. You are on it.');
  expect(buttonsOf(await page())).toEqual([]);
  expect(await storedState()).toBe('completed');
  expect((await open('/dev/mailbox.json')).json()).toMatchObject({ calls: [{ id, to: number, result: 'completed' }], pushes: [] });
});

test.each([
  ['voicemail', 'Voicemail picked up.', 'machine'],
  ['busy', 'The line was busy.', 'busy'],
  ['ignore', 'Nobody picked up.', 'no_answer'],
])('the button %s of the mailbox simulator ends a call: %s', async (action, result, state) => {
  const uuid = await placedCall(server, '+12025550144');
  const [call] = await server.callsTo('+12025550144');
  await press(call?.id ?? '', action);
  expect((await open(`/dev/mailbox?id=${encodeURIComponent(call?.id ?? '')}`)).body).toContain(`role="status">${result}</p>`);
  expect(await storedCall(server, uuid)).toMatchObject({ state });
});

test('the mailbox simulator shows a notification with its address, and answers a text with 1', async () => {
  const items = storedItems(server.db, 'push');
  await items.add(
    Buffer.from(JSON.stringify({ to: 'Bob’s phone', title: 'We <blocked> it', body: 'Call Ann.', url: '/guardian/1', tag: 'x' })),
  );
  const page = (await open('/dev/mailbox')).body;
  expect(page).toContain('<b>Notification: We &#60;blocked&#62; it</b><br>to Bob’s phone');
  expect(page).toContain('<a class="link" href="/guardian/1">Open it</a>');

  const [text] = (await open('/dev/mailbox.json')).json<{ texts: { id: string; body: string }[] }>().texts;
  const answer = await server.app.http.inject({
    method: 'POST',
    url: `/dev/mailbox/text/${text?.id}`,
    headers: { cookie: `simulators_key=${server.simulator_key}` },
    payload: 'body=1',
  });
  expect((await open(String(answer.headers.location))).body).toContain('There is nothing to answer right now.');
});
