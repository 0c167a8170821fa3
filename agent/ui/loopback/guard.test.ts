import { describe, expect, it } from 'vitest';
import { type LoopbackRequest, loopbackGuard, originsOf } from './guard.ts';

const port = 23407;
const ourOrigin = 'https://porchlight.example';
const goodHosts = [`127.0.0.1:${port}`, `localhost:${port}`, `LocalHost:${port}`];
const hosts = [...goodHosts, undefined, '', '127.0.0.1', 'localhost', `127.0.0.1:${port + 1}`, `evil.example:${port}`, `[::1]:${port}`];
const ownOrigins = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
const origins = [
  undefined,
  '',
  'null',
  ourOrigin,
  ourOrigin.toUpperCase(),
  `${ourOrigin}/`,
  `${ourOrigin}:443`,
  `${ourOrigin}.evil.example`,
  'http://porchlight.example',
  ...ownOrigins,
];
const methods = ['GET', 'POST', 'OPTIONS', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'get', ''];
const types = [undefined, '', 'application/json', 'application/json; charset=utf-8', 'Application/JSON', 'text/plain'];
const paths = [
  '/.well-known/',
  '/api/uri',
  '/ui/',
  '/ui/link',
  '/',
  '/.well-known',
  '/.well-known/x',
  '/api/uri/',
  '/api',
  '/ui',
  '//ui/',
  'constructor',
];

const table: LoopbackRequest[] = hosts.flatMap((host) =>
  origins.flatMap((origin) =>
    methods.flatMap((method) => types.flatMap((content_type) => paths.map((path) => ({ host, origin, method, content_type, path })))),
  ),
);

/** Describes independently of the code which requests must pass. */
function expectedPass({ host, origin, method, content_type, path }: LoopbackRequest): string | null {
  if (host === undefined || !goodHosts.includes(host)) return null;
  if (['/ui/', '/ui/link'].includes(path)) {
    const toItself = method === 'POST' && origin === `http://${host.toLowerCase()}`;
    return (method === 'GET' && origin === undefined) || toItself ? 'window' : null;
  }
  if (origin !== ourOrigin) return null;
  switch (`${method} ${path}`) {
    case 'GET /.well-known/':
      return 'status';
    case 'POST /api/uri':
      return content_type === 'application/json' ? 'uri' : null;
    case 'OPTIONS /.well-known/':
    case 'OPTIONS /api/uri':
      return 'preflight';
    default:
      return null;
  }
}

describe('loopbackGuard', () => {
  it(`[7.36] [3.18] the guard passes exactly the allowed ones of ${table.length} requests`, () => {
    const mismatches = table.filter((request) => {
      const verdict = loopbackGuard(request, port, [ourOrigin]);
      return ('pass' in verdict ? verdict.pass : null) !== expectedPass(request);
    });
    expect(mismatches).toEqual([]);
    const passed = new Set(table.map(expectedPass));
    expect(passed).toEqual(new Set([null, 'preflight', 'status', 'uri', 'window']));
  });

  it('the guard answers with the Origin of the request', () => {
    for (const request of table) {
      const verdict = loopbackGuard(request, port, [ourOrigin]);
      if ('origin' in verdict) expect(verdict.origin).toBe(request.origin);
    }
  });

  it('before the server is known only the agent’s own window passes the guard', () => {
    const passed = table.map((request) => loopbackGuard(request, port, [])).filter((verdict) => 'pass' in verdict);
    expect(passed.length).toBeGreaterThan(0);
    expect(passed.every((verdict) => verdict.pass === 'window')).toBe(true);
  });

  it('the guard distinguishes a wrong path, method and content type', () => {
    const request = { host: `127.0.0.1:${port}`, origin: ourOrigin, method: 'POST', content_type: 'application/json', path: '/api/uri' };
    expect(loopbackGuard({ ...request, host: 'evil.example' }, port, [ourOrigin])).toEqual({ refuse: 403, why: 'host' });
    expect(loopbackGuard({ ...request, origin: 'null' }, port, [ourOrigin])).toEqual({ refuse: 403, why: 'origin' });
    expect(loopbackGuard({ ...request, path: '/api' }, port, [ourOrigin])).toEqual({ refuse: 404, why: 'path' });
    expect(loopbackGuard({ ...request, method: 'PUT' }, port, [ourOrigin])).toEqual({ refuse: 405, why: 'method' });
    expect(loopbackGuard({ ...request, content_type: 'text/plain' }, port, [ourOrigin])).toEqual({ refuse: 415, why: 'type' });
  });
});

describe('originsOf', () => {
  it('a public address has one Origin', () => {
    expect(originsOf('https://porchlight.example')).toEqual(['https://porchlight.example']);
    expect(originsOf('https://porchlight.example/some/where?x=1')).toEqual(['https://porchlight.example']);
    expect(originsOf('https://porchlight.example:443')).toEqual(['https://porchlight.example']);
    expect(originsOf('https://porchlight.example:8443')).toEqual(['https://porchlight.example:8443']);
    expect(originsOf('https://localhost.example')).toEqual(['https://localhost.example']);
  });

  it('a local address has an Origin for each name of this computer', () => {
    const localOrigins = ['http://localhost:4380', 'http://127.0.0.1:4380'];
    expect(originsOf('http://localhost:4380')).toEqual(localOrigins);
    expect(originsOf('http://127.0.0.1:4380/')).toEqual(localOrigins);
    expect(originsOf('http://localhost')).toEqual(['http://localhost', 'http://127.0.0.1']);
  });

  it('an invalid address throws', () => {
    expect(() => originsOf('porchlight')).toThrow();
  });
});
