import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished, type TestContext } from 'vitest';
import { temporaryFolder } from './agent.ts';
import { leaveOut, needs } from './left-out.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const program = '/lib/systemd/systemd';
/** It wants a tree of groups of its own, and a sign that the computer is systemd's; both are gone with it. */
const alone =
  'mount -t cgroup2 none /sys/fs/cgroup && mount -t tmpfs none /run && mkdir -p /run/systemd/system && exec "$0" --user --unit=basic.target';

/** A systemd that looks after the services of one test, and of this computer after nothing. Left out where there is none, or it cannot run. */
export async function systemdForTest(context: TestContext) {
  needs(context, { unshare: 'util-linux', nsenter: 'util-linux', systemctl: 'systemd' });
  if (process.getuid?.() !== 0) leaveOut(context, 'a systemd of its own takes root.');
  const home = await temporaryFolder();
  const [runtime, units] = [join(home, 'run'), join(home, '.config/systemd/user')];
  mkdirSync(units, { recursive: true });
  mkdirSync(runtime, { mode: 0o700 });
  const env = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: runtime };
  const manager = spawn('unshare', ['--mount', '--cgroup', 'sh', '-c', alone, program], { env, stdio: 'ignore' });
  // From where it lives: elsewhere this computer is not systemd's.
  const inside = ['--target', String(manager.pid), '--mount', 'systemctl', '--user'];
  const systemctl = async (...args: string[]) => (await run('nsenter', [...inside, ...args], { env })).stdout.trim();
  onTestFinished(async () => {
    spawnSync('nsenter', [...inside, 'stop', '*.service'], { env });
    manager.kill('SIGTERM');
    await until('the end of systemd', () => manager.exitCode !== null || manager.signalCode !== null);
  });
  const answers = () => systemctl('is-active', 'basic.target').catch(() => '');
  const there = await until('systemd', async () => manager.exitCode !== null || (await answers()) === 'active').then(
    () => manager.exitCode === null,
    () => false,
  );
  if (!there) leaveOut(context, 'no systemd can run here: it takes the right to mount.');
  return {
    systemctl,
    /** The same, for whoever starts it without a shell: a file, and what comes first. */
    command: { file: '/usr/bin/env', args: [`XDG_RUNTIME_DIR=${runtime}`, 'nsenter', ...inside] },
    /** Where it looks for what is added to units until it ends. */
    runtime: join(runtime, 'systemd/user'),
    /** Makes a service known. */
    async add(name: string, content: string) {
      writeFileSync(join(units, name), content);
      await systemctl('daemon-reload');
    },
    property: async (unit: string, name: string) => (await systemctl('show', `--property=${name}`, unit)).slice(name.length + 1),
  };
}
