import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSafeServer, globalAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../testing/agent.ts';
import { requirePrograms } from '../testing/left-out.ts';
import { ask, knownAddresses, readUpTo, serverAddresses, Unreachable } from './http.ts';

async function serverThat(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const neverAborted = new AbortController().signal;

test('an HTTP request sends its body, and the whole answer is read', async () => {
  const url = await serverThat(async (request, response) => {
    const chunks = await request.setEncoding('utf8').toArray();
    response.writeHead(201).end(`${request.method} ${request.url} ${request.headers['x-a']} ${chunks.join('')}`);
  });
  const answer = await ask(`${url}/b?c=d`, { method: 'POST', headers: { 'x-a': 'e' }, body: '{"ü":1}', signal: neverAborted });
  expect([answer.status, answer.ok]).toEqual([201, true]);
  expect(String(await readUpTo(answer, 100))).toBe('POST /b?c=d e {"ü":1}');
});

test('TLS accepts only a server with a trusted certificate', async (context) => {
  requirePrograms(context, { openssl: 'openssl' });
  const folder = await temporaryFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const opensslArgs = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=localhost',
  ];
  await promisify(execFile)('openssl', [...opensslArgs, '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert]);
  const ca = await readFile(cert);
  const server = createSafeServer({ key: await readFile(key), cert: ca }, (_request, response) => void response.end('there'));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    delete globalAgent.options.ca;
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  await expect(ask(`https://localhost:${port}/`, { signal: neverAborted })).rejects.toThrow(Unreachable);
  globalAgent.options.ca = ca;
  expect(String(await readUpTo(await ask(`https://localhost:${port}/`, { signal: neverAborted }), 10))).toBe('there');
  await expect(ask(`https://127.0.0.1:${port}/`, { signal: neverAborted })).rejects.toThrow(Unreachable);
});

test.each([301, 302, 303, 307, 308])('the HTTP client does not follow a redirect (%i)', async (status) => {
  const requestedUrls: string[] = [];
  const url = await serverThat((request, response) => {
    requestedUrls.push(request.url ?? '');
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
  await expect(ask(`${url}/`, { signal: neverAborted })).rejects.toThrow(Unreachable);
  expect(requestedUrls).toEqual(['/']);
});

test('an answer longer than the limit is cut off, with or without a content length', async () => {
  const withLength = await serverThat((_request, response) => void response.writeHead(200, { 'content-length': 11 }).end('x'.repeat(11)));
  expect(await readUpTo(await ask(withLength, { signal: neverAborted }), 10)).toBeNull();
  expect(await readUpTo(await ask(withLength, { signal: neverAborted }), 11)).toHaveLength(11);
  let clientGone = false;
  const endless = await serverThat((_request, response) => {
    const writeMore = () => {
      while (!clientGone && response.write('x'.repeat(1000)));
    };
    response.on('drain', writeMore).on('close', () => (clientGone = true));
    writeMore();
  });
  expect(await readUpTo(await ask(endless, { signal: neverAborted }), 10_000)).toBeNull();
  await expect.poll(() => clientGone).toBe(true);
});

test('a truncated answer fails, and an aborted call ends at once', async () => {
  const cuttingServer = await serverThat((_request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('x');
    response.socket?.end();
  });
  await expect(readUpTo(await ask(cuttingServer, { signal: neverAborted }), 1000)).rejects.toThrow(Unreachable);
  await expect(ask('http://127.0.0.1:1/', { signal: neverAborted })).rejects.toThrow(Unreachable);
  const silentServer = await serverThat(() => {});
  await expect(ask(silentServer, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' });
  const abortReason = new Error('over');
  await expect(ask(silentServer, { signal: AbortSignal.abort(abortReason) })).rejects.toBe(abortReason);
});

describe('the addresses of a name', () => {
  const good = [
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ];
  /** A DNS that answers, or fails. */
  function dns() {
    const state = { works: true, lookups: 0 };
    const lookup = ((_host: string, _options: object, callback: (err: Error | null, addresses: typeof good) => void) => {
      state.lookups++;
      callback(state.works ? null : new Error('no DNS'), state.works ? good : []);
    }) as unknown as Parameters<typeof knownAddresses>[0];
    const known = knownAddresses(lookup);
    const find = (host: string, all: boolean) =>
      new Promise((resolve, reject) =>
        known.lookup(host, { all }, (err, address, ip) => (err ? reject(err) : resolve(all ? address : [address, ip]))),
      );
    return { state, known, find };
  }

  test('are the last good ones while DNS fails, for each name alone', async () => {
    const { state, known, find } = dns();
    expect(await find('a.example', true)).toEqual(good);
    state.works = false;
    expect(await find('a.example', true)).toEqual(good);
    expect(await find('a.example', false)).toEqual(['192.0.2.1', 4]);
    expect(known.last('a.example')).toEqual(['192.0.2.1', '2001:db8::1']);
    await expect(find('b.example', true)).rejects.toThrow('no DNS');
    expect(known.last('b.example')).toEqual([]);
  });

  test('are not looked up while they are pinned', async () => {
    const { state, known, find } = dns();
    known.pin('a.example', [{ address: '192.0.2.9', family: 4 }]);
    expect(await find('a.example', false)).toEqual(['192.0.2.9', 4]);
    expect(state.lookups).toBe(0);
    known.unpin('a.example');
    expect(await find('a.example', true)).toEqual(good);
  });

  test('are those that a request uses', async () => {
    const url = new URL(await serverThat((_request, response) => void response.end('there')));
    serverAddresses.pin('no-such-name.invalid', [{ address: '127.0.0.1', family: 4 }]);
    onTestFinished(() => serverAddresses.unpin('no-such-name.invalid'));
    const answer = await ask(`http://no-such-name.invalid:${url.port}/`, { signal: neverAborted });
    expect(String(await readUpTo(answer, 10))).toBe('there');
  });
});
