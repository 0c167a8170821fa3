import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { newKeyPair, signText } from '@porchlight/definitions/signature.ts';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentForTest, serverForTest, type TestAgent } from '../../testing/agent.ts';
import type { TestServer } from '../../testing/server.ts';
import { until } from '../../testing/until.ts';
import { startLoopback } from './server.ts';

async function serverAndAgent(): Promise<{ server: TestServer; test: TestAgent }> {
  const server = await serverForTest();
  return { server, test: await agentForTest(server) };
}

async function handOver({ agent }: TestAgent, server: TestServer, body: unknown): Promise<{ status: number; code?: string }> {
  const answer = await fetch(`http://127.0.0.1:${agent.port}/api/uri`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, ...((await answer.json()) as { code?: string }) };
}

describe('GET /.well-known/', () => {
  it('[7.36] [3.18] the loopback status has exactly the fields g, l and v', async () => {
    const { test } = await serverAndAgent();
    expect(await test.status()).toEqual({ status: 200, body: { g: false, l: false, v: '1.2.3' } });
    await test.linked();
    expect(await test.status()).toEqual({ status: 200, body: { g: false, l: true, v: '1.2.3' } });
  });

  it('the loopback status refuses requests from other Origins and without an Origin', async () => {
    const { test } = await serverAndAgent();
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }] as Record<string, string>[]) {
      const answer = await fetch(`http://127.0.0.1:${test.agent.port}/.well-known/`, { headers });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(await answer.text()).not.toContain('"l"');
    }
  });

  it('the loopback preflight allows requests of our dashboard', async () => {
    const { server, test } = await serverAndAgent();
    const answer = await fetch(`http://127.0.0.1:${test.agent.port}/api/uri`, { method: 'OPTIONS', headers: { origin: server.url } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe(server.url);
    expect(answer.headers.get('access-control-allow-private-network')).toBe('true');
  });
});

describe('POST /api/uri', () => {
  it('[7.37] a signed link enrols this computer', async () => {
    const { server, test } = await serverAndAgent();
    expect(await handOver(test, server, server.link({ code: 'ABCDEFGH' }))).toEqual({ status: 200 });
    expect(server.enrolled).toEqual(['ABCD-EFGH']);
    expect((await test.store.identity())?.device.uuid).toBe(server.device);
    expect(test.logLines).toContain('Linked as Laptop.');
  });

  it('a link sent twice at once enrols once, and is refused when sent again later', async () => {
    const { server, test } = await serverAndAgent();
    const link = server.link();
    const answers = await Promise.all([handOver(test, server, link), handOver(test, server, link)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(server.enrolled).toHaveLength(1);
    expect(await handOver(test, server, link)).toMatchObject({ status: 409, code: 'used' });
    expect(server.enrolled).toHaveLength(1);
  });

  it('a forged link is refused while a valid link is being used', async () => {
    const { server, test } = await serverAndAgent();
    const link = server.link();
    const forgedLink = { ...link, signature: signText(link.uri, newKeyPair()) };
    const [forgedAnswer, validAnswer] = await Promise.all([handOver(test, server, forgedLink), handOver(test, server, link)]);
    expect(forgedAnswer).toMatchObject({ status: 409, code: 'bad_signature' });
    expect(validAnswer).toEqual({ status: 200 });
    expect(server.enrolled).toHaveLength(1);
  });

  it('an expired, foreign or incomplete link is refused', async () => {
    const { server, test } = await serverAndAgent();
    const past = Math.floor(Date.now() / 1000) - 1;
    expect(await handOver(test, server, server.link({ exp: past }))).toMatchObject({ status: 409, code: 'expired' });
    expect(await handOver(test, server, server.link({ server: 'https://evil.example' }))).toMatchObject({
      status: 409,
      code: 'other_server',
    });
    const incompleteUri = 'porchlight://link?server=x&code=y';
    const signature = signText(incompleteUri, server.keys.link);
    expect(await handOver(test, server, { uri: incompleteUri, signature })).toMatchObject({ status: 409, code: 'bad_link' });
    for (const body of [{}, { uri: incompleteUri }, 'text', null, { uri: 1, signature: 2 }])
      expect((await handOver(test, server, body)).status).toBe(422);
    expect(server.enrolled).toEqual([]);
    expect(await test.store.identity()).toBeNull();
  });

  it('a link changed anywhere is refused', async () => {
    const { server, test } = await serverAndAgent();
    const validLink = server.link();
    const changed = (text: string) =>
      fc
        .tuple(fc.nat(text.length - 1), fc.constantFrom('', 'A', 'b', '0', '=', '&', '%', '-', '_'))
        .map(([at, put]) => text.slice(0, at) + put + text.slice(at + 1));
    const otherKey = newKeyPair();
    const forgedLinks = fc.oneof(
      changed(validLink.signature).map((signature) => ({ ...validLink, signature })),
      changed(validLink.uri).map((uri) => ({ ...validLink, uri })),
      changed(validLink.uri).map((uri) => ({ uri, signature: signText(uri, otherKey) })),
      fc.string({ minLength: 1, maxLength: 100 }).map((signature) => ({ ...validLink, signature })),
      fc
        .constantFrom(server.keys.policy, server.keys.definitions)
        .map((key) => ({ ...validLink, signature: signText(validLink.uri, key) })),
    );
    await fc.assert(
      fc.asyncProperty(forgedLinks, async (link) => {
        fc.pre(link.uri !== validLink.uri || link.signature !== validLink.signature);
        const { status } = await handOver(test, server, link);
        expect([409, 422]).toContain(status);
        expect(server.enrolled).toEqual([]);
      }),
      { numRuns: 200 },
    );
    expect((await handOver(test, server, validLink)).status).toBe(200);
  });

  it('a body over 4 KB is cut off, and other requests are still answered', async () => {
    const { server, test } = await serverAndAgent();
    const link = { ...server.link(), more: 'x'.repeat(5000) };
    await expect(handOver(test, server, link)).rejects.toThrow();
    expect(server.enrolled).toEqual([]);
    expect((await test.status()).status).toBe(200);
  });

  it('a body longer than announced is cut off', async () => {
    const { server, test } = await serverAndAgent();
    const socket = connect(test.agent.port ?? 0, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let closed = false;
    socket.on('close', () => (closed = true)).on('error', () => {});
    socket.resume();
    const head = [
      'POST /api/uri HTTP/1.1',
      `Host: 127.0.0.1:${test.agent.port}`,
      `Origin: ${server.url}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(`1400\r\n${'x'.repeat(0x1400)}\r\n`);
    await until('the connection to be cut', () => closed);
  });
});

it('a taken port leaves the agent running without loopback', async () => {
  const otherServer = createServer();
  await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void otherServer.close());
  const { port } = otherServer.address() as AddressInfo;
  const deps = { origins: () => [], status: () => ({ g: false, l: false, v: '1' }), takeLink: async () => {}, window: async () => {} };
  expect(await startLoopback({ port, ...deps })).toBeNull();

  const server = await serverForTest();
  const test = await agentForTest(server, { loopback_port: port });
  expect(test.agent.port).toBeNull();
  await test.linked();
  expect(server.enrolled).toEqual(['ABCD-EFGH']);
});
