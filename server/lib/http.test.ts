import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/world.ts';

let server: TestServer;
let secure: TestServer;
beforeAll(async () => {
  [server, secure] = [await testServer(), await testServer({ PUBLIC_URL: 'https://www.example.org' })];
});
afterAll(async () => {
  await server.close();
  await secure.close();
});

test.each(['/healthz', '/dashboard', '/api/web/profile', '/api/no-such-call', '/dev/mailbox', '/.well-known/security.txt'])(
  'A12: %s says that only our own pages look for programs on this computer, and nobody uses a camera',
  async (url) => {
    const policy = String((await server.app.http.inject(url)).headers['permissions-policy']).split(', ');
    for (const part of ['loopback-network=(self)', 'local-network-access=(self)', 'local-network=()', 'camera=()', 'microphone=()']) {
      expect(policy).toContain(part);
    }
  },
);

test('A12: HTTPS is kept for this host and promised for no other one', async () => {
  const of = async (one: TestServer) =>
    (await one.app.http.inject({ url: '/healthz', headers: { host: 'www.example.org' } })).headers['strict-transport-security'];
  expect(await of(secure)).toBe('max-age=31536000');
  expect(await of(server)).toBeUndefined();
});

test('A12: security.txt says whom to write to, and until when that holds', async () => {
  const { body, headers } = await secure.app.http.inject({ url: '/.well-known/security.txt', headers: { host: 'www.example.org' } });
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  const lines = Object.fromEntries(
    body
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/s).slice(0, 2)),
  );
  expect(lines).toMatchObject({
    Contact: 'mailto:support@porchlight.example',
    Canonical: 'https://www.example.org/.well-known/security.txt',
  });
  const days = (Date.parse(lines.Expires) - secure.clock.now().getTime()) / 86_400_000;
  expect(days).toBeGreaterThan(179);
  expect(days).toBeLessThan(365);
});
