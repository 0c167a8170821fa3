import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/world.ts';

const servers: Record<string, TestServer> = {};
beforeAll(async () => {
  servers.www = await testServer({ PUBLIC_URL: 'https://www.porchlight.example', TRUST_PROXY: 'off' });
  servers.port = await testServer({ PUBLIC_URL: 'http://www.porchlight.example:8443', TRUST_PROXY: 'off' });
  servers.bare = await testServer({ PUBLIC_URL: 'https://porchlight.example', TRUST_PROXY: 'off' });
});
afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

async function request(server: string, host: string, url: string, method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE' = 'GET') {
  const answer = await servers[server]?.app.http.inject({ method, url, headers: { host } });
  return { status: answer?.statusCode, location: answer?.headers.location };
}

describe('a request to the bare host', () => {
  test.each([
    ['GET', 301],
    ['HEAD', 301],
    ['POST', 308],
    ['PATCH', 308],
    ['DELETE', 308],
  ] as const)(
    '[1.7] [P3.8] a %s request to the bare host is redirected with %i to the same path and query at the www host',
    async (method, status) => {
      expect(await request('www', 'porchlight.example', '/dashboard/login?notice=x&a=%2F', method)).toEqual({
        status,
        location: 'https://www.porchlight.example/dashboard/login?notice=x&a=%2F',
      });
    },
  );

  test('[1.7] the redirect to the www host also works for an unknown path, capital letters, and a port of the public address', async () => {
    expect(await request('www', 'PorchLight.example', '/no/such/page')).toEqual({
      status: 301,
      location: 'https://www.porchlight.example/no/such/page',
    });
    expect(await request('port', 'porchlight.example:8443', '/')).toEqual({ status: 301, location: 'http://www.porchlight.example:8443/' });
    expect((await request('port', 'porchlight.example', '/')).location).toBe('/dashboard');
  });

  test('[1.7] a path like //evil.example/x never redirects to another host', async () => {
    expect((await request('www', 'porchlight.example', '//evil.example/x')).location).toBe(
      'https://www.porchlight.example//evil.example/x',
    );
  });
});

test.each([
  'www.porchlight.example',
  'localhost:4380',
  'other.example',
  'a.porchlight.example',
  'porchlight.example.evil.example',
  '10.0.0.7',
])('[P3.8] a request to the host %s is not redirected', async (host) => {
  expect(await request('www', host, '/api/docs')).toEqual({ status: 200, location: undefined });
});

test.each(['/healthz', '/readyz', '/readyz?probe=1'])(
  '[P3.8] the probe %s is answered at the bare host, without a redirect',
  async (url) => {
    expect(await request('www', 'porchlight.example', url)).toEqual({ status: 200, location: undefined });
  },
);

test('[P3.8] no request is redirected when the public address has no www', async () => {
  for (const host of ['porchlight.example', 'www.porchlight.example', 'rchlight.example']) {
    expect(await request('bare', host, '/api/docs')).toEqual({ status: 200, location: undefined });
  }
});
