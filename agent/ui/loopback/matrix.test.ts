import { Agent, request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { agentForTest, serverForTest, temporaryFolder } from '../../testing/agent.ts';
import { linkTrial } from '../../testing/mutated-links.ts';

/** Sends requests over one connection. `null`: the header is omitted. */
function caller(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return (method: string, path: string, headers: Record<string, string | null>): Promise<number> =>
    new Promise((resolve, reject) => {
      const body = method === 'GET' || method === 'OPTIONS' ? null : '{}';
      const givenHeaders = Object.entries({ ...headers, 'content-length': body && String(body.length) }).filter(
        (pair): pair is [string, string] => pair[1] !== null,
      );
      // After an invalid request, such as one without a Host, the server closes the connection, so it gets its own.
      const connection = headers.host === null ? { agent: false as const } : { agent };
      const call = request({
        host: '127.0.0.1',
        port,
        method,
        path,
        ...connection,
        setHost: false,
        headers: Object.fromEntries(givenHeaders),
      });
      call.once('response', (answer) => answer.resume().once('end', () => resolve(answer.statusCode ?? 0)));
      call.once('error', (err) => reject(new Error(`${method} ${path} ${JSON.stringify(headers)}: ${String(err)}`)));
      call.end(body ?? undefined);
    });
}

it('[P3.2] of 12 hosts, 10 origins, 6 methods and 6 content types only the listed combinations pass', async () => {
  const server = await serverForTest();
  const { agent } = await agentForTest(server);
  const port = agent.port ?? 0;
  const call = caller(port);
  const serverPort = new URL(server.url).port;
  const hosts: [string | null, boolean][] = [
    ...[`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`].map((host): [string, boolean] => [host, true]),
    ...['127.0.0.1', 'localhost', `127.0.0.1:${port + 1}`, `0.0.0.0:${port}`, `[::1]:${port}`].map((host): [string, boolean] => [
      host,
      false,
    ]),
    ...['evil.example', `evil.example:${port}`, `localhost.evil.example:${port}`].map((host): [string, boolean] => [host, false]),
    [null, false],
  ];
  const origins: [string | null, boolean][] = [
    [server.url, true],
    [`http://localhost:${serverPort}`, true],
    ...['null', 'https://evil.example', `https://127.0.0.1:${serverPort}`, `${server.url}/`].map((origin): [string, boolean] => [
      origin,
      false,
    ]),
    ...[server.url.toUpperCase(), `${server.url}.evil.example`, `http://127.0.0.1:${port}`].map((origin): [string, boolean] => [
      origin,
      false,
    ]),
    [null, false],
  ];
  const methods = ['GET', 'POST', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'];
  const types = [
    'application/json',
    null,
    'text/plain',
    'application/json; charset=utf-8',
    'application/x-www-form-urlencoded',
    'Application/JSON',
  ];
  expect([hosts.length, origins.length, methods.length, types.length]).toEqual([12, 10, 6, 6]);

  const passed = { 'GET /.well-known/': 0, 'POST /api/uri': 0, preflight: 0, other: [] as unknown[], refused: 0 };
  for (const path of ['/.well-known/', '/api/uri']) {
    for (const [host, goodHost] of hosts) {
      for (const [origin, goodOrigin] of origins) {
        for (const method of methods) {
          for (const type of types) {
            const status = await call(method, path, { host, origin, 'content-type': type });
            const cell = { path, host, origin, method, type, status };
            const isAllowed = goodHost && goodOrigin;
            if (isAllowed && method === 'GET' && path === '/.well-known/' && status === 200) passed['GET /.well-known/']++;
            else if (isAllowed && method === 'POST' && path === '/api/uri' && type === 'application/json' && status === 422)
              passed['POST /api/uri']++;
            else if (isAllowed && method === 'OPTIONS' && status === 204) passed.preflight++;
            // A wrong Host or Origin gets 403 for any method; without a Host it is invalid HTTP.
            else if (status === (host === null ? 400 : !isAllowed ? 403 : path === '/api/uri' && method === 'POST' ? 415 : 405))
              passed.refused++;
            else passed.other.push(cell);
          }
        }
      }
    }
  }
  expect(passed).toEqual({
    'GET /.well-known/': 3 * 2 * 6,
    'POST /api/uri': 3 * 2,
    preflight: 2 * 3 * 2 * 6,
    other: [],
    refused: 2 * 4320 - 3 * 2 * 6 - 3 * 2 - 2 * 3 * 2 * 6,
  });
});

it('a body over 4 KB is refused whole', async () => {
  const server = await serverForTest();
  const { agent } = await agentForTest(server);
  const send = (body: string) =>
    fetch(`http://127.0.0.1:${agent.port}/api/uri`, {
      method: 'POST',
      headers: { origin: server.url, 'content-type': 'application/json' },
      body,
    }).then(
      ({ status }) => status,
      () => 'cut off',
    );
  const link = JSON.stringify(server.link());
  expect(await send(link + ' '.repeat(4097 - link.length))).not.toBe(200);
  expect(server.enrolled).toEqual([]);
  expect(await send(link + ' '.repeat(4096 - link.length))).toBe(200);
});

it('[P3.2] none of 3,000 mutated links is accepted', async () => {
  expect(await linkTrial(await temporaryFolder(), 3000, 1)).toEqual([]);
});
