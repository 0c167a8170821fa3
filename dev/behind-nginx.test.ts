// Tier: whole. It starts nginx and the product.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from './ports.ts';
import { until } from './until.ts';
import { startWorld, type World } from './world.ts';

const nginx = '/usr/sbin/nginx';
const nginxIsInstalled = existsSync(nginx);
if (!nginxIsInstalled) console.log(`Skipped: A6 behind nginx, because there is no ${nginx} (Debian: apt-get install nginx-light).`);

/** An nginx that passes on neither the caller's address nor the original Host. */
const configuration = (port: number, upstream: string, folder: string) => `
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 64; }
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server { listen 127.0.0.1:${port}; location / { proxy_pass ${upstream}; } }
}`;

describe.skipIf(!nginxIsInstalled)('[P14.3] A6: behind an nginx that does not pass on the address of the caller,', () => {
  let world: World;
  let proxy: ChildProcess;
  let folder: string;
  let proxyUrl: string;
  beforeAll(async () => {
    world = await startWorld();
    folder = await mkdtemp(join(tmpdir(), 'porchlight-nginx-'));
    const port = await freePort();
    await writeFile(join(folder, 'nginx.conf'), configuration(port, world.url.replace('localhost', '127.0.0.1'), folder));
    proxy = spawn(nginx, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
    proxyUrl = `http://127.0.0.1:${port}`;
    await until('nginx to pass calls on', async () => (await fetch(`${proxyUrl}/healthz`).catch(() => null))?.status === 200);
  }, 120_000);
  afterAll(async () => {
    if (proxy?.exitCode === null) {
      proxy.kill('SIGTERM');
      await once(proxy, 'exit');
    }
    await world?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const post = (path: string, body: object) =>
    fetch(`${proxyUrl}/api${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  test('the server answers "not found" for the pages of the simulators', async () => {
    for (const path of ['/dev/mailbox.json', '/dev/mailbox', '/dev/mailbox/mail/x', '/dev/payments', '/dev/texts']) {
      expect([path, (await fetch(proxyUrl + path)).status]).toEqual([path, 404]);
    }
    for (const path of ['/dev/payments/hold', '/dev/mailbox/text/x']) {
      expect([path, (await fetch(proxyUrl + path, { method: 'POST' })).status]).toEqual([path, 404]);
    }
  });

  test('nobody can take over an account through the simulated mailbox; the printed address with its key opens the mailbox', async () => {
    const ann = { name: 'Ann Example', email: 'ann@example.org', password: 'correct horse battery' };
    expect((await post('/register', { ...ann, promo: null, signup_code: null })).status).toBe(200);
    expect((await post('/forgot-password', { email: ann.email })).status).toBe(200);
    await until('the mail', async () => (await world.mailbox()).some(({ text }) => text.includes('/reset-password/')));
    const withoutKey = await fetch(`${proxyUrl}/dev/mailbox.json`);
    expect(withoutKey.status).toBe(404);
    expect(await withoutKey.text()).not.toContain('reset-password');
    const withKey = await fetch(`${proxyUrl}/dev/mailbox.json`, { headers: world.simulatorCookie() });
    expect([withKey.status, (await withKey.text()).includes('/reset-password/')]).toEqual([200, true]);
  });
});
