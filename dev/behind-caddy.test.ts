// Tier: whole. It starts Caddy and the product.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { call } from './call.ts';
import { linkedDevice, registeredPerson, validPassword } from './people.ts';
import { freePort } from './ports.ts';
import { root } from './root.ts';
import { until } from './until.ts';
import { startWorld, type World } from './world.ts';

const caddy = '/usr/bin/caddy';
const caddyIsInstalled = existsSync(caddy);
if (!caddyIsInstalled) console.log(`Skipped: the server behind Caddy, because there is no ${caddy} (Debian: apt-get install caddy).`);

const caddyfile = join(root, 'packaging', 'container', 'Caddyfile');

/** Caddy with the Caddyfile of the container, on loopback alone and without a certificate. */
async function startCaddy(port: number, upstream: string) {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-caddy-'));
  const text = await readFile(caddyfile, 'utf8');
  await writeFile(join(folder, 'Caddyfile'), text.replace('admin off', 'admin off\n\tdefault_bind 127.0.0.1'));
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(caddy, ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    env: { HOME: folder, PUBLIC_URL: url, UPSTREAM: upstream },
    stdio: 'ignore',
  });
  await until('Caddy to answer', async () => {
    if (child.exitCode !== null) throw new Error(`Caddy ended with the exit code ${child.exitCode}.`);
    return fetch(url).catch(() => null);
  });
  return async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
}

test.skipIf(!caddyIsInstalled)('Caddy accepts the Caddyfile with a public name, and finds it formatted', () => {
  const run = (...args: string[]) =>
    spawnSync(caddy, args, { env: { HOME: tmpdir(), PUBLIC_URL: 'https://www.example.org' }, encoding: 'utf8' });
  expect(run('validate', '--config', caddyfile, '--adapter', 'caddyfile')).toMatchObject({ status: 0 });
  expect(run('fmt', '--diff', caddyfile).stdout).not.toMatch(/^[-+]/m);
});

describe.skipIf(!caddyIsInstalled)('behind the Caddy of the container,', () => {
  let world: World;
  let stopCaddy: () => Promise<void>;
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    world = await startWorld({ publicUrl: url, env: { TRUST_PROXY: 'on' } });
    stopCaddy = await startCaddy(port, new URL(world.url).host.replace('localhost', '127.0.0.1'));
  }, 120_000);
  afterAll(async () => {
    await stopCaddy?.();
    await world?.close();
  });

  test('a page and a call of the API are answered, and redirects lead to the public address', async () => {
    const page = await fetch(`${url}/`, { redirect: 'manual' });
    expect([page.status, new URL(page.headers.get('location') ?? '', url).href]).toEqual([302, `${url}/dashboard`]);
    expect(await call(url, 'GET /agent/server', {})).toMatchObject({ public_url: url });
  });

  test('[P7.3] the id of a call is the one of Caddy, and no caller chooses it', async () => {
    const { headers } = await fetch(`${url}/api/agent/server`, { headers: { 'x-request-id': '0f0e0d0c-0b0a-4908-8706-050403020109' } });
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });

  /** Logs in from an address of loopback, with a forwarding header of the caller's own. */
  function logIn(from: string, forwarded: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': forwarded };
      const attempt = request(`${url}/api/login/web`, { method: 'POST', localAddress: from, headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      attempt.on('error', reject);
      attempt.end(JSON.stringify({ email: 'nobody@example.org', password: validPassword }));
    });
  }

  test.skipIf(process.platform !== 'linux')(
    'attempts are counted by the address that Caddy saw: a forged header evades no limit, and another caller is not refused',
    async () => {
      const statuses: number[] = [];
      for (let n = 1; n <= 11; n++) statuses.push(await logIn('127.0.0.2', `198.18.1.${n}`));
      expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
      expect(await logIn('127.0.0.3', '198.18.1.1')).toBe(400);
    },
  );

  test('a long poll waits its whole time and is answered', async () => {
    const { token } = await linkedDevice({ ...world, url }, await registeredPerson({ ...world, url }));
    const { definitions_version } = await call(url, 'GET /agent/policy', { token });
    const startedAt = performance.now();
    const known = { known: 1_000_000, known_epoch: 1, known_definitions: definitions_version + 1_000_000 };
    const body = { ...known, protecting: true, wait: serverLimits.agent_wait_seconds };
    expect(await call(url, 'POST /agent/changes', { token, body })).toMatchObject({ changed: false });
    expect(performance.now() - startedAt).toBeGreaterThan((serverLimits.agent_wait_seconds - 1) * 1_000);
  }, 60_000);

  test('the first byte of an unfinished answer arrives at once, and the server notices a caller who leaves', async () => {
    let callerLeft = false;
    const upstream = createServer((incoming, response) => {
      if (incoming.url !== '/waiting') return void response.end();
      response.on('close', () => {
        callerLeft = true;
      });
      response.writeHead(200, { 'content-type': 'application/json' }).write(' ');
    });
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    const port = await freePort();
    const stop = await startCaddy(port, `127.0.0.1:${(upstream.address() as AddressInfo).port}`);
    onTestFinished(async () => {
      // Caddy waits for open calls before it ends.
      upstream.closeAllConnections();
      upstream.close();
      await stop();
    });
    const leave = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/waiting`, { signal: leave.signal });
    const first = await Promise.race([response.body?.getReader().read(), sleep(5_000)]);
    expect(Buffer.from(first?.value ?? '').toString()).toBe(' ');
    expect(callerLeft).toBe(false);
    leave.abort();
    await until('the server to notice', () => callerLeft, 5_000);
  });
});
