import { expect, test } from 'vitest';
import { loopbackGuard, originsOf } from './guard.ts';

const port = 23407;
const ours = 'https://www.example.org';
const hosts = [
  '127.0.0.1:23407',
  'localhost:23407',
  'LOCALHOST:23407',
  undefined,
  '',
  '127.0.0.1',
  'evil.test:23407',
  '127.0.0.1:80',
  '0.0.0.0:23407',
  '[::1]:23407',
  'localhost.evil.test:23407',
  '127.0.0.1:23407.evil.test',
];
const origins = [
  ours,
  undefined,
  'null',
  'http://www.example.org',
  'https://example.org',
  'https://www.example.org:444',
  'https://www.example.org.evil.test',
  'http://127.0.0.1:23407',
  'https://evil.test',
  '',
];
const methods = ['GET', 'POST', 'OPTIONS', 'PUT', 'DELETE', 'HEAD'];
const types = [
  'application/json',
  undefined,
  'text/plain',
  'application/json; charset=utf-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
];
const paths = ['/.well-known/', '/api/uri'];

test('of all hosts, origins, methods, types and paths only the cells that are meant to pass do', () => {
  const passed: string[] = [];
  let cells = 0;
  for (const host of hosts)
    for (const origin of origins)
      for (const method of methods)
        for (const content_type of types)
          for (const path of paths) {
            cells++;
            const verdict = loopbackGuard({ method, path, host, origin, content_type }, port, [ours]);
            if ('pass' in verdict)
              passed.push(`${host} ${origin} ${method} ${path} ${method === 'POST' ? content_type : '-'} ${verdict.pass}`);
          }
  const good = ['127.0.0.1:23407', 'localhost:23407', 'LOCALHOST:23407'];
  const expected = good.flatMap((host) => [
    `${host} ${ours} GET /.well-known/ - status`,
    `${host} ${ours} OPTIONS /.well-known/ - preflight`,
    `${host} ${ours} OPTIONS /api/uri - preflight`,
    `${host} ${ours} POST /api/uri application/json uri`,
  ]);
  expect(cells).toBe(12 * 10 * 6 * 6 * 2);
  expect([...new Set(passed)].sort()).toEqual(expected.sort());
});

test.each([
  ['GET', undefined, 'pass'],
  ['GET', 'http://127.0.0.1:23407', 'refuse'],
  ['POST', 'http://127.0.0.1:23407', 'pass'],
  ['POST', undefined, 'refuse'],
  ['POST', ours, 'refuse'],
  ['GET', 'https://evil.test', 'refuse'],
  ['DELETE', undefined, 'refuse'],
])('the page of the agent itself: %s with origin %s', (method, origin, outcome) => {
  const verdict = loopbackGuard({ method, path: '/ui/', host: '127.0.0.1:23407', origin, content_type: undefined }, port, [ours]);
  expect(outcome in verdict).toBe(true);
});

test('until the server is known nobody passes', () => {
  expect(
    loopbackGuard({ method: 'GET', path: '/.well-known/', host: '127.0.0.1:23407', origin: ours, content_type: undefined }, port, []),
  ).toMatchObject({ refuse: 403 });
});

test('on this computer localhost and 127.0.0.1 are the same place; elsewhere an address is only itself', () => {
  expect(originsOf('http://localhost:4380')).toEqual(['http://localhost:4380', 'http://127.0.0.1:4380']);
  expect(originsOf('https://www.example.org/x')).toEqual(['https://www.example.org']);
});
