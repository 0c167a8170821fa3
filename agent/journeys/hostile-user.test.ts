// Tier: whole. It runs the agent as root, and lets another user write files.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chown, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';
import { skipTest } from '../testing/left-out.ts';
import { runAgent } from '../testing/process.ts';
import { until } from '../testing/until.ts';

const uid = 1000;
const passwd = 'mount --bind "$1" /etc/passwd; shift';

/** What this user does in the home, which is the working folder. */
async function asUser(home: string, script: string): Promise<void> {
  const child = spawn('/bin/sh', ['-c', script], { cwd: home, uid, gid: uid, stdio: ['ignore', 'ignore', 'inherit'] });
  expect((await once(child, 'exit'))[0]).toBe(0);
}

async function program(name: string): Promise<ChildProcess> {
  const file = join(await temporaryFolder(), name);
  await copyFile('/bin/sleep', file);
  const child = spawn(file, ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('[P4.7] an ordinary user’s files and connections neither stop the agent of root nor its restart: listed programs are ended', async (context) => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) skipTest(context, 'only root can run an agent beside another user.');
  const [server, folder] = [await serverForTest(), await temporaryFolder()];
  const home = join(folder, 'home');
  await mkdir(home);
  await chown(home, uid, uid);
  await writeFile(join(folder, 'passwd'), `root:x:0:0::/root:/bin/sh\nmum:x:${uid}:${uid}::${home}:/bin/sh\n`);
  await asUser(home, 'mkdir .config && head -c 400000 /dev/zero | tr "\\0" "\\n" > .config/user-dirs.dirs');

  const name = `AnyDesk-${randomUUID()}`;
  const definitions = server.definitions.definitions
    .filter(({ identifier }) => identifier === 'anydesk')
    .map((definition) => ({ ...definition, programs: { ...definition.programs, names: [{ os: 'linux' as const, name }] } }));
  server.setDefinitions({ definitions });
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  // Few descriptors, so that 300 connections take all of them.
  const prefix = ['unshare', '--mount', '/bin/sh', '-c', `ulimit -n 200; ${passwd}; exec "$@"`, 'sh', join(folder, 'passwd')];
  const start = (...args: string[]) => {
    const run = runAgent(server, join(folder, 'data'), args, '', prefix, { AGENT_LOOPBACK_PORT: String(port) });
    onTestFinished(() => void run.child.kill('SIGKILL'));
    return run;
  };
  const isEnded = async () => {
    const child = await program(name);
    await until('the end of the listed program', () => child.signalCode === 'SIGKILL');
  };

  const first = start('--code', 'ABCD-EFGH');
  await first.printed('Linked as Laptop.');
  await isEnded();
  await asUser(home, 'rm .config/user-dirs.dirs && mkfifo .config/user-dirs.dirs');
  first.child.kill('SIGKILL');
  await first.ended;

  const second = start();
  await second.printed('Porchlight protects this computer as Laptop.');
  const sockets = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
  await isEnded();
  const answer = await fetch(`http://127.0.0.1:${port}/.well-known/`, { headers: { origin: server.url } });
  expect([answer.status, second.child.exitCode]).toEqual([200, null]);
});
