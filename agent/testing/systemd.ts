import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished, type TestContext } from 'vitest';
import { temporaryFolder } from './agent.ts';
import { requirePrograms, skipTest } from './left-out.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const program = '/lib/systemd/systemd';
/** systemd needs its own cgroup tree, and /run/systemd/system. */
const bootScript =
  'mount -t cgroup2 none /sys/fs/cgroup && mount -t tmpfs none /run && mkdir -p /run/systemd/system && exec "$0" --user --unit=basic.target';

/** Starts a systemd instance for the services of one test; skips the test where that is impossible. */
export async function systemdForTest(context: TestContext) {
  requirePrograms(context, { unshare: 'util-linux', nsenter: 'util-linux', systemctl: 'systemd' });
  if (process.getuid?.() !== 0) skipTest(context, 'a systemd of its own takes root.');
  const testFolder = await temporaryFolder();
  const [runtime, units] = [join(testFolder, 'run'), join(testFolder, '.config/systemd/user')];
  mkdirSync(units, { recursive: true });
  mkdirSync(runtime, { mode: 0o700 });
  const env = { PATH: process.env.PATH, HOME: testFolder, XDG_RUNTIME_DIR: runtime };
  const manager = spawn('unshare', ['--mount', '--cgroup', 'sh', '-c', bootScript, program], { env, stdio: 'ignore' });
  const commandPrefix = ['--target', String(manager.pid), '--mount', 'systemctl', '--user'];
  const systemctl = async (...args: string[]) => (await run('nsenter', [...commandPrefix, ...args], { env })).stdout.trim();
  onTestFinished(async () => {
    spawnSync('nsenter', [...commandPrefix, 'stop', '*.service'], { env });
    manager.kill('SIGTERM');
    await until('the end of systemd', () => manager.exitCode !== null || manager.signalCode !== null);
  });
  const answers = () => systemctl('is-active', 'basic.target').catch(() => '');
  const isRunning = await until('systemd', async () => manager.exitCode !== null || (await answers()) === 'active').then(
    () => manager.exitCode === null,
    () => false,
  );
  if (!isRunning) skipTest(context, 'no systemd can run here: it takes the right to mount.');
  return {
    systemctl,
    command: { file: '/usr/bin/env', args: [`XDG_RUNTIME_DIR=${runtime}`, 'nsenter', ...commandPrefix] },
    runtime: join(runtime, 'systemd/user'),
    async add(name: string, content: string) {
      writeFileSync(join(units, name), content);
      await systemctl('daemon-reload');
    },
    property: async (unit: string, name: string) => (await systemctl('show', `--property=${name}`, unit)).slice(name.length + 1),
  };
}
