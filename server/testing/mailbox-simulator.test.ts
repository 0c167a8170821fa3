import { afterAll, beforeAll, expect, test } from 'vitest';
import { person, type TestServer, testServer } from './world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
  await person(server, 'Ann <i>Example', 'ann@example.org');
  await server.mailsTo('ann@example.org');
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
