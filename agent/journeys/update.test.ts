// Tier: whole. It starts and updates agents as processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { UpdateManifest } from '@porchlight/contract/updates.ts';
import { signReleaseKey } from '@porchlight/definitions/feed-make.ts';
import { newKeyPair, signDocument } from '@porchlight/definitions/signature.ts';
import { bundle } from '@porchlight/packaging/bundle.ts';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';
import { agentsOn, provoke } from '../testing/update-trial.ts';
import { askForWindow } from '../ui/desktop/show-window-socket.ts';

const key = newKeyPair();
const target = 'linux-x64';
const programPlaceholder = '@PROGRAM@';
const scripts = new Map<string, string>();

beforeAll(async () => {
  for (const version of ['1.0.0', '1.0.1'])
    scripts.set(version, await bundle(target, 'koffi.node', { version, target, key: key.public_key, program: programPlaceholder }));
});

/** An executable agent of this version; `first` runs before it. */
const program = (version: string, path: string, first = '') =>
  Buffer.from(`#!${process.execPath}\n${first}\n${(scripts.get(version) ?? '').replaceAll(programPlaceholder, path)}`);

interface World {
  server: TestServer;
  folder: string;
  path: string;
  output: () => string;
  child: ChildProcess;
  launch(): ChildProcess;
  status(): Promise<string | null>;
}

function offer(server: TestServer, content: Buffer, change: Partial<UpdateManifest> = {}, signer = key): void {
  const packed = gzipSync(content);
  const sha256 = createHash('sha256').update(packed).digest('hex');
  server.update.files.set(sha256, packed);
  const file = { target, name: 'agent', size: packed.length, sha256, unpacked_size: content.length } as const;
  const manifest: UpdateManifest = {
    agent_version: '1.0.1',
    issued: '2026-01-01T00:00:00Z',
    expires: '2100-01-01T00:00:00Z',
    files: [file],
    ...change,
  };
  server.update.manifest = signDocument(manifest, signer);
}

/** A linked agent of version 1.0.0 as a process. `prepare`: offers updates before it starts. */
async function installed(prepare: (server: TestServer, path: string) => void): Promise<World> {
  const server = await serverForTest();
  const programFolder = await temporaryFolder();
  const [path, folder] = [join(programFolder, 'porchlight-agent'), join(programFolder, 'data')];
  await mkdir(folder);
  await writeFile(path, program('1.0.0', path));
  await chmod(path, 0o755);
  await writeFile(join(folder, 'enrol'), 'ABCD-EFGH\n');
  prepare(server, path);
  const port = String(20_000 + Math.floor(Math.random() * 20_000));
  const env = { PATH: process.env.PATH, PORCHLIGHT_SERVER: server.url, AGENT_DATA_DIR: folder, AGENT_LOOPBACK_PORT: port };
  let output = '';
  const launch = () => {
    const child = spawn(path, ['--installed'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    return child;
  };
  const child = launch();
  onTestFinished(() => {
    for (const pid of agentsOn(folder)) process.kill(pid, 'SIGKILL');
  });
  const status = () =>
    fetch(`http://127.0.0.1:${port}/.well-known/`, { headers: { origin: server.url } })
      .then(async (answer) => ((await answer.json()) as { v: string }).v)
      .catch(() => null);
  return { server, folder, path, output: () => output, child, launch, status };
}

const runs = (version: string) => (world: World) => until(`version ${version}`, async () => (await world.status()) === version, 20_000);
const linked = async (prepare: (server: TestServer, path: string) => void) => {
  const world = await installed(prepare);
  await until('the link', () => world.output().includes('Linked as Laptop.'));
  return world;
};

describe('an update of an installed agent', () => {
  test('an update takes over without a gap in protection, and the system starts the new version afterwards', async () => {
    const world = await linked((server, path) => offer(server, program('1.0.1', path)));
    const { server, path, folder, child } = world;
    const old = new Promise<number | null>((resolve) => child.once('exit', resolve));
    let hasExited = false;
    void old.then(() => (hasExited = true));
    const ran = await provoke(server, () => hasExited);
    expect(await old).toBe(0);
    await runs('1.0.1')(world);
    expect(await readFile(path)).toEqual(program('1.0.1', path));
    expect(await readFile(`${path}.old`)).toEqual(program('1.0.0', path));
    expect(Math.max(...ran)).toBeLessThan(2000);
    expect(server.enrolled).toEqual(['ABCD-EFGH']);

    expect(await askForWindow([join(folder, 'window')])).toBe(true);

    // The system starts the program at its path, and the successor of the update yields to it.
    const [successor = 0] = agentsOn(folder);
    const restartedChild = world.launch();
    await until('the successor to go', () => !agentsOn(folder).includes(successor), 20_000);
    await runs('1.0.1')(world);
    expect(restartedChild.exitCode).toBeNull();
    expect(agentsOn(folder)).toEqual([restartedChild.pid]);
  });

  test('an agent whose protocol the server no longer has still updates', async () => {
    const { server, path, child, launch, ...world } = await linked(() => {});
    child.kill('SIGKILL');
    await until('the end of the agent', () => agentsOn(world.folder).length === 0);
    server.protocol += 1;
    offer(server, program('1.0.1', path));
    launch();
    await runs('1.0.1')({ ...world, server, path, child, launch });
    expect(world.output()).toContain('This program is older than its server.');
  });

  test.each([
    ['ends at once', 'process.exit(3);'],
    [
      'loads, and ends when it is to take over',
      "process.once('message', () => process.exit(3)); process.send('loaded'); setInterval(() => {}, 1000); return;",
    ],
  ])('an update that %s is given up and not retried, and the former version continues', async (_how, prelude) => {
    const world = await linked((server, path) => offer(server, program('1.0.1', path, prelude)));
    const { path, server, child } = world;
    await until(
      'the sentence',
      () => world.output().includes('Version 1.0.1 did not protect this computer. Version 1.0.0 goes on.'),
      20_000,
    );
    await runs('1.0.0')(world);
    expect(child.exitCode).toBeNull();
    expect(await readFile(path)).toEqual(program('1.0.0', path));
    await expect(readFile(`${path}.new`)).rejects.toThrow('ENOENT');
    let rounds = 0;
    for (const ms of await provoke(server, () => ++rounds > 2)) expect(ms).toBeLessThan(2000);
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    const fetched = server.update.fetched;
    const nextChild = world.launch();
    await runs('1.0.0')(world);
    await until('the manifest to be read', () => server.update.asked >= 2);
    expect([nextChild.exitCode, server.update.fetched]).toEqual([null, fetched]);
  });

  test('A12: after a new release key an update signed with the former key is refused, and one signed with the new key is installed', async () => {
    const newKey = newKeyPair();
    const world = await linked((server, path) => {
      server.feed.nameKeys(server.keys.policy.public_key, server.keys.link.public_key, {
        release: [signReleaseKey(newKey.public_key, new Date(), key)],
      });
      offer(server, program('1.0.1', path));
    });
    const { server, path, child } = world;
    await until('the sentence', () => world.output().includes('it is not signed by whom this one came from'));
    expect([child.exitCode, await world.status(), server.update.fetched]).toEqual([null, '1.0.0', 0]);
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exited;
    offer(server, program('1.0.1', path), {}, newKey);
    world.launch();
    await runs('1.0.1')(world);
    await until('it to be what is started', async () => (await readFile(path)).equals(program('1.0.1', path)));
  });

  test.each<[string, (server: TestServer, path: string) => void]>([
    ['signed by somebody else', (server, path) => offer(server, program('1.0.1', path), {}, newKeyPair())],
    [
      'not what was signed',
      (server, path) => {
        offer(server, program('1.0.1', path));
        for (const [sha256, content] of server.update.files)
          server.update.files.set(sha256, Buffer.concat([content.subarray(0, -9), Buffer.alloc(9)]));
      },
    ],
    [
      'longer than was signed',
      (server, path) => {
        offer(server, program('1.0.1', path));
        for (const [sha256, content] of server.update.files) server.update.files.set(sha256, Buffer.concat([content, Buffer.alloc(10)]));
      },
    ],
    [
      'cut off',
      (server, path) => {
        offer(server, program('1.0.1', path));
        for (const [sha256, content] of server.update.files) server.update.files.set(sha256, content.subarray(0, -10));
      },
    ],
  ])('an update that is %s is not started', async (_what, prepare) => {
    const world = await linked((server, path) => prepare(server, path));
    await until('the sentence', () => world.output().includes('The newest version of Porchlight could not be taken'));
    expect(world.child.exitCode).toBeNull();
    expect(await world.status()).toBe('1.0.0');
    for (const suffix of ['.new', '.new.part', '.old']) await expect(readFile(`${world.path}${suffix}`)).rejects.toThrow('ENOENT');
  });
});
