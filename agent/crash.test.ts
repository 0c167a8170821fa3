import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOptions } from './options.ts';
import { code, type TestServer, testServer, until } from './testing/server.ts';

let folder: string;
let server: TestServer;
const running = new Set<ChildProcess>();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'porchlight-crash-'));
  await copyFile('/bin/sleep', join(folder, 'AnyDesk'));
  server = await testServer();
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A real agent process. */
function agent(...args: string[]) {
  const env = {
    ...process.env,
    PORCHLIGHT_SERVER: server.url,
    AGENT_DATA_DIR: join(folder, 'agent'),
    AGENT_LOOPBACK_PORT: '0',
    DISPLAY: '',
    WAYLAND_DISPLAY: '',
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { env });
  running.add(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => void (text += part.toString()));
  const done = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, said: () => text, done };
}

test('killed with -9 between the disk and the server, three times: what happened arrives, each once', async () => {
  let one = agent('--code', code);
  await until('it to protect', () => one.said().includes('protects this computer as Den PC'));
  for (let round = 1; round <= 3; round++) {
    await server.stop();
    const threat = spawn(join(folder, 'AnyDesk'), ['300'], { stdio: 'ignore' });
    running.add(threat);
    await until('it to be stopped', () => one.said().includes('Stopped AnyDesk.'));
    one.child.kill('SIGKILL');
    await one.done;
    await server.start();
    one = agent();
    await until('it to arrive', () => server.stored.size === round);
  }
  expect(server.stored.size).toBe(3);
  one.child.kill('SIGTERM');
  expect(await one.done).toBe(0);
});

test('a second agent on the same folder says so in one sentence and exits 1', async () => {
  const first = agent();
  await until('the first to run', () => first.said().includes('not linked yet'));
  const second = agent();
  expect(await second.done).toBe(1);
  expect(second.said()).toMatch(/^Another Porchlight agent already runs on .+ AGENT_DATA_DIR .+\n$/);
});

test('options that make no sense are refused with what to do instead', () => {
  expect(readOptions([])).toBeNull();
  expect(readOptions(['--code', 'abcd efgh'])).toEqual({ code: 'abcd efgh' });
  expect(readOptions(['--link', 'u', '--signature', 's'])).toEqual({ link: { uri: 'u', signature: 's' } });
  for (const bad of [['--cod', 'x'], ['--link', 'u'], ['--signature', 's'], ['--code', 'x', '--link', 'u', '--signature', 's'], ['x']]) {
    expect(() => readOptions(bad)).toThrow(/Start it with --code/);
  }
});
