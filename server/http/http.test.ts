import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/world.ts';

let server: TestServer;
let httpsServer: TestServer;
beforeAll(async () => {
  [server, httpsServer] = [await testServer(), await testServer({ PUBLIC_URL: 'https://www.example.org' })];
});
afterAll(async () => {
  await server.close();
  await httpsServer.close();
});

test.each(['/healthz', '/dashboard', '/api/web/profile', '/api/no-such-call', '/dev/mailbox', '/.well-known/security.txt'])(
  'A12: the response to %s allows only our own pages to look for programs on this computer, and no page to use a camera',
  async (url) => {
    const policy = String((await server.app.http.inject(url)).headers['permissions-policy']).split(', ');
    for (const feature of ['loopback-network=(self)', 'local-network-access=(self)', 'local-network=()', 'camera=()', 'microphone=()']) {
      expect(policy).toContain(feature);
    }
  },
);

test('A12: HTTPS is required for our host without its subdomains, and only if the public URL uses HTTPS', async () => {
  const hstsOf = async (testedServer: TestServer) =>
    (await testedServer.app.http.inject({ url: '/healthz', headers: { host: 'www.example.org' } })).headers['strict-transport-security'];
  expect(await hstsOf(httpsServer)).toBe('max-age=31536000');
  expect(await hstsOf(server)).toBeUndefined();
});

test('A12: security.txt has a contact and an expiry date', async () => {
  const { body, headers } = await httpsServer.app.http.inject({ url: '/.well-known/security.txt', headers: { host: 'www.example.org' } });
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
  const days = (Date.parse(lines.Expires) - httpsServer.clock.now().getTime()) / 86_400_000;
  expect(days).toBeGreaterThan(179);
  expect(days).toBeLessThan(365);
});
