// Tier: whole. It starts nginx.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Gateway, newGateway } from '@porchlight/server/features/agents/polls/gateway.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from './ports.ts';
import { until } from './until.ts';

const nginx = '/usr/sbin/nginx';
const nginxIsInstalled = existsSync(nginx);
if (!nginxIsInstalled) console.log(`Skipped: polls behind nginx, because there is no ${nginx} (Debian: apt-get install nginx-light).`);

/** As nginx is without settings for long polls: it buffers answers, and cuts a silent upstream, here after one second instead of sixty. */
const configuration = (ports: { proxy: number; upstream: number }, folder: string) => `
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 64; }
http {
  access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  proxy_read_timeout 1s;
  server { listen 127.0.0.1:${ports.proxy}; location / { proxy_pass http://127.0.0.1:${ports.upstream}; } }
}`;

interface Proxied {
  url: string;
  gateway: Gateway;
  proxy: ChildProcess;
  folder: string;
}

const newest = { epoch: 1, version: 1 };

/** `byte_interval`: in milliseconds. */
async function behindNginx(byte_interval: number): Promise<Proxied> {
  const gateway = newGateway({
    backend: {
      begin: async () => ({ device: '11111111-1111-4111-8111-111111111111', policy_version: 1, wait_max: 240, newest }),
      changedOf: async () => [],
      newest: async () => newest,
      present: async () => [],
    },
    listener: { on() {}, close: async () => {} },
    isReady: () => true,
    log: { error() {}, warn() {} },
    headers: [],
    trust_proxy: 1,
    byte_interval,
  });
  const upstream = await gateway.listen({ port: 0, host: '127.0.0.1', backlog: 10 });
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-nginx-'));
  const port = await freePort();
  await writeFile(join(folder, 'nginx.conf'), configuration({ proxy: port, upstream }, folder));
  const proxy = spawn(nginx, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await until('nginx to pass calls on', async () => (await fetch(`${url}/healthz`).catch(() => null))?.status === 200);
  return { url, gateway, proxy, folder };
}

describe.skipIf(!nginxIsInstalled)('[P14.5] behind an nginx that cuts silent calls and buffers answers,', () => {
  const proxied: Proxied[] = [];
  beforeAll(async () => {
    proxied.push(await behindNginx(100), await behindNginx(60_000));
  }, 60_000);
  afterAll(async () => {
    for (const { gateway, proxy, folder } of proxied) {
      proxy.kill('SIGTERM');
      await once(proxy, 'exit');
      await gateway.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
  const poll = (url: string, wait: number) =>
    fetch(`${url}/api/agent/changes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${'x'.repeat(43)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ known: 1, known_epoch: 1, known_definitions: 1, protecting: true, wait }),
    });

  test('a poll lasts three times as long as the limit, and its bytes arrive at the agent meanwhile; without bytes it is cut', async () => {
    const [withBytes, silent] = proxied;
    const cut = poll(silent?.url ?? '', 3);
    const answer = await poll(withBytes?.url ?? '', 3);
    const pieces: string[] = [];
    const decoder = new TextDecoder();
    for await (const piece of answer.body ?? []) pieces.push(decoder.decode(piece as Uint8Array));
    expect(answer.status).toBe(200);
    expect(JSON.parse(pieces.join(''))).toEqual({ changed: false, again_in: 0 });
    // Far fewer than thirty would do: the first bytes come before the end.
    expect(pieces.length).toBeGreaterThan(5);
    expect((await cut).status).toBe(504);
  });
});
