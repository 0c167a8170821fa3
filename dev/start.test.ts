import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from './ports.ts';
import { root } from './root.ts';
import { until } from './until.ts';

let dataDir = '';
const running: ChildProcess[] = [];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'start-'));
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(dataDir, { recursive: true, force: true });
});

function start(port: number, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(root, 'dev', 'start.ts')], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const heard = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (heard.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (heard.err += chunk.toString()));
  return { child, heard, ended: once(child, 'close').then(([code]) => code as number) };
}

describe.skipIf(!existsSync(join(root, 'server', 'main.ts')))('[P7.1] npm start', () => {
  test('says three things when it is ready, refuses to start twice, and stops cleanly', async () => {
    const port = await freePort();
    const first = start(port);
    await until('three lines', () => first.heard.out.includes('Protection:'), 60_000);
    const lines = first.heard.out.trim().split('\n');
    expect(lines.slice(-3).map((line) => line.split(':')[0])).toEqual(['Dashboard', 'Mailbox', 'Protection']);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);

    const second = start(await freePort());
    expect(await second.ended).toBe(1);
    expect(second.heard.err).toMatch(
      /^Porchlight is already running on .* \(process \d+\)\. Stop that one, or choose another DATA_DIR\.\n$/,
    );

    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(first.heard.err).toBe('');
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  }, 90_000);

  test('killed without a word, it leaves nothing running that stands in the way of the next start', async () => {
    const port = await freePort();
    const first = start(port);
    await until('three lines', () => first.heard.out.includes('Protection:'), 60_000);
    first.child.kill('SIGKILL');
    await until(
      'the server to have gone',
      () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          () => false,
          () => true,
        ),
      20_000,
    );
    const second = start(port);
    await until('three lines again', () => second.heard.out.includes('Protection:'), 60_000);
    expect(second.heard.err).toBe('');
  }, 120_000);

  test('a taken port is named with what to do about it', async () => {
    const port = await freePort();
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const tried = start(port);
    expect(await tried.ended).toBe(1);
    expect(tried.heard.err).toBe(
      `Port ${port} is taken by another program. Stop that one, or choose another port: PORT=${port + 1} npm start\n`,
    );
    other.close();
  });

  test('a wrong setting is named', async () => {
    const tried = start(await freePort(), { DATABASE_URL: 'mysql://nowhere' });
    expect(await tried.ended).toBe(1);
    expect(tried.heard.err).toMatch(/DATABASE_URL/);
  }, 60_000);
});
