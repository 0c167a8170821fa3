import { afterAll, beforeAll, expect, test } from 'vitest';
import { person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
  await person(server, 'Ann <i>Example', 'ann@example.org');
  await server.mailsTo('ann@example.org');
});
afterAll(() => server.close());

const open = (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  server.app.http.inject({ url, headers: { host: 'localhost:4380', ...headers }, remoteAddress });

test('a person reads the mail on a page, a test reads it as JSON', async () => {
  const { mails } = (await open('/dev/mailbox.json')).json<{ mails: { id: string; to: string[]; subject: string }[] }>();
  expect(mails).toMatchObject([{ to: ['ann@example.org'], subject: 'Please confirm your email address' }]);
  expect((await open('/dev/mailbox')).body).toContain('Please confirm your email address');
  const mail = await open(`/dev/mailbox/mail/${mails[0]?.id}`);
  expect(mail.body).toContain('Confirm my email address');
  expect(mail.body).not.toContain('<i>Example');
  expect(mail.headers['content-security-policy']).toContain("default-src 'none'");
});

test.each([
  ['from another computer', {}, '192.0.2.7'],
  ['through a proxy', { 'x-forwarded-for': '192.0.2.7' }, '127.0.0.1'],
  ['under a foreign name', { host: 'evil.test:4380' }, '127.0.0.1'],
])('it is not there %s', async (_how, headers, address) => {
  for (const url of ['/dev/mailbox', '/dev/mailbox.json', '/dev/mailbox/mail/x']) {
    const answer = await open(url, headers as Record<string, string>, address);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain('ann@example.org');
  }
});
