// Tier: whole. It builds as a process.
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildProcess } from './build-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'porchlight-build-process-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A program in the place of the build. */
async function program(source: string, { env = {}, limitMs }: { env?: NodeJS.ProcessEnv; limitMs?: number } = {}) {
  const script = join(folder, `${Math.random()}.mjs`);
  await writeFile(script, source);
  const settings = { script, args: ['--server', 'http://127.0.0.1:1'], env: { PATH: process.env.PATH, ...env }, own: { PORT: '7' } };
  return buildProcess(limitMs === undefined ? settings : { ...settings, limitMs });
}
const never = () => new AbortController().signal;
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('the last message of the build is its end', async () => {
  const end = { end: 'built', notes: ['A note.'] };
  expect(
    await (await program(`process.send({ other: 1 }); process.send(${JSON.stringify(end)}, () => process.exit())`)).build(never()),
  ).toEqual(end);
});

test.each([
  [
    'that prints an error and ends',
    "console.error('First.'); console.error('The disk is full.'); process.exitCode = 1; process.disconnect()",
    { end: 'failed', reason: 'other', message: 'The disk is full.' },
  ],
  [
    'that ends without a word',
    'process.exit(3)',
    { end: 'failed', reason: 'other', message: 'The build ended with the exit code 3, and gave no reason.' },
  ],
  ['that something outside ends', "process.kill(process.pid, 'SIGKILL')", { end: 'interrupted' }],
])('a build %s', async (_name, source, expected) => {
  expect(await (await program(source)).build(never())).toEqual(expected);
});

test('a build gets its own settings and none of the passwords of the server, and has the lowest priority', async () => {
  const source = `import { getPriority } from 'node:os'; import { setTimeout } from 'node:timers/promises';
    while (getPriority() !== ${constants.priority.PRIORITY_LOW}) await setTimeout(5);
    const { SECRET_KEY, DATABASE_URL, STRIPE_SECRET_KEY, PORT, HTTPS_PROXY } = process.env;
    process.send({ end: 'failed', reason: 'other', message: JSON.stringify([SECRET_KEY, DATABASE_URL, STRIPE_SECRET_KEY, PORT, HTTPS_PROXY, ...process.argv.slice(2)]) }, () => process.exit())`;
  const env = { SECRET_KEY: 'x', DATABASE_URL: 'x', STRIPE_SECRET_KEY: 'x', HTTPS_PROXY: 'http://proxy.example' };
  const end = await (await program(source, { env })).build(never());
  expect(JSON.parse(end.end === 'failed' ? end.message : '')).toEqual([
    ...[null, null, null],
    '7',
    'http://proxy.example',
    '--server',
    'http://127.0.0.1:1',
  ]);
});

/** Ignores SIGTERM, and so does the program that it runs. */
const stubborn = (file: string) => `import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs';
  process.on('SIGTERM', () => {});
  const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: 'ignore' });
  writeFileSync(${JSON.stringify(file)}, process.pid + ' ' + child.pid); setInterval(() => {}, 1000)`;

test.runIf(process.platform !== 'win32')(
  'a server that stops ends the build and the programs that it runs, also if they resist',
  async () => {
    const file = join(folder, 'pids');
    const stop = new AbortController();
    const build = (await program(stubborn(file))).build(stop.signal);
    await vi.waitFor(() => expect(existsSync(file) && readFileSync(file, 'utf8')).toMatch(/\d+ \d+/), 20_000);
    stop.abort();
    expect(await build).toEqual({ end: 'interrupted' });
    const pids = readFileSync(file, 'utf8').split(' ').map(Number);
    await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), 5000);
  },
);

test('a build that takes longer than its limit is ended, and counts as failed', async () => {
  const end = await (await program('setInterval(() => {}, 1000)', { limitMs: 200 })).build(never());
  expect(end).toMatchObject({ end: 'failed', reason: 'too_slow' });
});

test('after the server has begun to stop, no build begins', async () => {
  expect(await (await program(`process.send({ end: 'busy' }, () => process.exit())`)).build(AbortSignal.abort())).toEqual({
    end: 'interrupted',
  });
});

test.runIf(process.platform !== 'win32')('makensis is found in the PATH, if it is a program', async () => {
  const file = join(folder, 'makensis');
  const hasMakensis = async () => (await program('', { env: { PATH: `/nonexistent:${folder}` } })).hasMakensis();
  expect(await hasMakensis()).toBe(false);
  await writeFile(file, '');
  await chmod(file, 0o644);
  expect(await hasMakensis()).toBe(false);
  await chmod(file, 0o755);
  expect(await hasMakensis()).toBe(true);
});

test('what the programs for Windows are signed with changes with the file of the certificate and with the timestamp server', async () => {
  const [certificate, other] = [join(folder, 'one.p12'), join(folder, 'other.p12')];
  await writeFile(certificate, 'one');
  await writeFile(other, 'other');
  const signedWith = async (env: NodeJS.ProcessEnv) => (await program('', { env })).signedWith();
  expect(await signedWith({})).toBeNull();
  const first = await signedWith({ WINDOWS_CERTIFICATE: certificate });
  expect(await signedWith({ WINDOWS_CERTIFICATE: certificate })).toBe(first);
  const stamped = await signedWith({ WINDOWS_CERTIFICATE: certificate, WINDOWS_TIMESTAMP_URL: 'http://timestamp.example.org' });
  const values = [first, stamped, await signedWith({ WINDOWS_CERTIFICATE: other }), await signedWith({ WINDOWS_CERTIFICATE: folder })];
  expect(new Set(values).size).toBe(4);
  expect(values).not.toContain(null);
});
