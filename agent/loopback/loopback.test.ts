import { request } from 'node:http';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentWorld, agentWorld } from '../testing/world.ts';

let world: AgentWorld;
beforeEach(async () => {
  world = await agentWorld();
});
afterEach(() => world.close());

/** A call as the dashboard makes it; `fetch` would not let a test choose Host and Origin. */
function ask(
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<{ status: number; json: Record<string, unknown>; headers: Record<string, unknown> }> {
  const { port } = world.agent;
  const headers = {
    host: `127.0.0.1:${port}`,
    origin: world.server.url,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...more,
  };
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      let text = '';
      answer.on('data', (part: Buffer) => {
        text += part.toString();
      });
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          json: text ? (JSON.parse(text) as Record<string, unknown>) : {},
          headers: answer.headers,
        }),
      );
    });
    call.on('error', reject);
    call.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });
}

test('[7.36] [3.18] the status tells g, l and v and nothing else; connected after a link', async () => {
  expect((await ask('GET', '/.well-known/')).json).toEqual({ g: false, l: false, v: '1.0.0-test' });
  await world.link();
  expect((await ask('GET', '/.well-known/')).json).toEqual({ g: false, l: true, v: '1.0.0-test' });
});

test('[7.37] a signed link that is handed over links the device; the same one a second time does not', async () => {
  const link = world.server.link();
  expect((await ask('POST', '/api/uri', link)).status).toBe(200);
  expect(await world.store.identity()).toMatchObject({ device: { uuid: world.server.device } });
  expect(await ask('POST', '/api/uri', link)).toMatchObject({ status: 409, json: { code: 'used' } });
});

test('the same link handed over ten times at once enrols once', async () => {
  const link = world.server.link();
  await Promise.all(Array.from({ length: 10 }, () => ask('POST', '/api/uri', link)));
  expect(world.server.enrolments).toBe(1);
});

test('a link that is too old, for another server, not ours or not whole is refused by name', async () => {
  const cases = [
    [world.server.link({ exp: Math.floor(Date.now() / 1000) - 1 }), 'expired'],
    [world.server.link({ server: 'https://evil.test' }), 'other_server'],
    [{ ...world.server.link(), signature: 'x'.repeat(86) }, 'bad_signature'],
  ] as const;
  for (const [link, why] of cases) expect(await ask('POST', '/api/uri', link)).toMatchObject({ status: 409, json: { code: why } });
  expect(await ask('POST', '/api/uri', { uri: 'porchlight://link?' })).toMatchObject({ status: 422 });
  expect(await ask('POST', '/api/uri', '{')).toMatchObject({ status: 422 });
  expect(world.server.enrolments).toBe(0);
});

test('no link that was changed in any place is taken', async () => {
  const { uri, signature } = world.server.link();
  const changed = (text: string, at: number, to: string) => text.slice(0, at % text.length) + to + text.slice((at % text.length) + 1);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.constantFrom('a', 'b', 'X', 'Z', '0', '9', '-', '_', '=', '&', '%'),
      fc.boolean(),
      async (at, to, inUri) => {
        const link = inUri ? { uri: changed(uri, at, to), signature } : { uri, signature: changed(signature, at, to) };
        // The last character of a signature has bits that mean nothing: the same bytes are the same signature.
        if (link.uri === uri && Buffer.from(link.signature, 'base64url').equals(Buffer.from(signature, 'base64url'))) return;
        expect((await ask('POST', '/api/uri', link)).status).not.toBe(200);
      },
    ),
    { numRuns: 200 },
  );
  expect(world.server.enrolments).toBe(0);
});

test('more than four kilobytes are not read', async () => {
  await expect(ask('POST', '/api/uri', { uri: 'x'.repeat(5000), signature: 'x' })).rejects.toThrow();
  expect((await ask('GET', '/.well-known/')).status).toBe(200);
});

test('the preflight is answered for our dashboard and for nobody else', async () => {
  const ours = await ask('OPTIONS', '/api/uri');
  expect(ours).toMatchObject({
    status: 204,
    headers: { 'access-control-allow-origin': world.server.url, 'access-control-allow-private-network': 'true' },
  });
  expect(await ask('OPTIONS', '/api/uri', undefined, { origin: 'https://evil.test' })).toMatchObject({ status: 403 });
  expect(await ask('GET', '/.well-known/', undefined, { host: `evil.test:${world.agent.port}` })).toMatchObject({ status: 403 });
});
