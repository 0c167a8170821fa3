import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../root.ts';
import { until } from '../../until.ts';

const run = promisify(execFile);

/** A bare Debian in a chroot: processes and mounts of its own, and of the network only the loopback that all machines of a drill share. */
export interface Machine {
  /** The path of its root folder on this computer. */
  folder: string;
  /** Runs a script as root. `online`: with this computer's network, to install. Throws with its output when it fails. */
  run(script: string, options?: { online?: boolean }): Promise<string>;
  /** Ends all its processes, as a loss of power does. */
  powerOff(): Promise<void>;
}

/** A loopback that lasts as long as the process that holds it. */
export interface Loopback {
  pid: number;
  end(): void;
}

export async function loopback(): Promise<Loopback> {
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'ip link set lo up && echo up && exec sleep infinity'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  holder.stdout.on('data', (text) => void (output += String(text)));
  await until('the network', () => output.includes('up'));
  return { pid: holder.pid ?? 0, end: () => void holder.kill('SIGKILL') };
}

export const names = ['porchlight.example.org', 'mail.example.org'];
const packages = 'ca-certificates,curl,git,iproute2,openssl,procps,sudo,xz-utils';

/** Made once with Debian's debootstrap, which takes a minute. Null without root or debootstrap. */
export async function bareDebian(): Promise<string | null> {
  const folder = join(root, '.cache', 'bare-debian');
  if (spawnSync('test', ['-e', join(folder, 'complete')]).status === 0) return folder;
  if (process.getuid?.() !== 0 || spawnSync('debootstrap', ['--version']).status !== 0) return null;
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(root, '.cache'), { recursive: true });
  await run('debootstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', folder], { maxBuffer: 1e8 });
  await writeFile(join(folder, 'complete'), '');
  return folder;
}

/** The folder is removed when the machine is powered off. */
export async function startMachine(bare: string, folder: string, network: Loopback): Promise<Machine> {
  await mkdir(folder, { recursive: true });
  await run('cp', ['-a', `${bare}/.`, folder]);
  await mkdir(join(folder, 'mnt/repository'), { recursive: true });
  await writeFile(join(folder, 'etc/hosts'), `127.0.0.1 localhost ${hostname()} ${names.join(' ')}\n::1 localhost\n`);
  await copyFile('/etc/resolv.conf', join(folder, 'etc/resolv.conf'));
  // What this computer trusts, because its network may have an authority of its own.
  await copyFile('/etc/ssl/certs/ca-certificates.crt', join(folder, 'etc/ssl/certs/ca-certificates.crt'));
  // Packages start nothing by themselves, because there is no init.
  await writeFile(join(folder, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  await addFakeSystemd(folder);
  const script = `set -e
    mount --rbind /dev ${folder}/dev
    mount -t tmpfs tmpfs ${folder}/run
    mkdir -p ${folder}/run/lock
    mount -t proc proc ${folder}/proc
    mount --bind -o ro ${root} ${folder}/mnt/repository
    # The first process collects those that have ended; bash does.
    echo up; exec bash -c 'while :; do sleep 3600 & wait; done'`;
  const holder = spawn(
    'nsenter',
    [
      `--net=/proc/${network.pid}/ns/net`,
      'unshare',
      '--mount',
      '--propagation',
      'private',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      script,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  holder.stdout?.on('data', (text) => void (output += String(text)));
  await until('the machine', () => output.includes('up'));
  const pid = await innerPid(holder);
  return {
    folder,
    run: (commands, { online = false } = {}) => runInside(pid, folder, commands, online),
    async powerOff() {
      process.kill(pid, 'SIGKILL');
      await until('the machine to be off', () => holder.exitCode !== null || holder.signalCode !== null);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The first process inside, whose end ends all others there. */
async function innerPid(holder: ChildProcess): Promise<number> {
  const children = async (pid: number) => (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number);
  const [inner] = await children(holder.pid ?? 0);
  return inner ?? 0;
}

async function runInside(pid: number, folder: string, commands: string, online: boolean): Promise<string> {
  const network = online ? [] : ['--net'];
  const args = [
    '--target',
    String(pid),
    '--mount',
    '--pid',
    ...network,
    'chroot',
    folder,
    'bash',
    '--norc',
    '-euo',
    'pipefail',
    '-c',
    commands,
  ];
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  const env = { PATH: path, HOME: '/root', LANG: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' };
  try {
    return (await run('nsenter', args, { env, maxBuffer: 1e8, timeout: 900_000 })).stdout;
  } catch (reason) {
    const { stdout = '', stderr = '' } = reason as { stdout?: string; stderr?: string };
    throw new Error(`${commands.trim()}\n--- ended with an error:\n${stdout.slice(-3_000)}${stderr.slice(-3_000)}`);
  }
}

async function addFakeSystemd(folder: string): Promise<void> {
  const file = join(folder, 'usr/local/lib/fake-systemd.mjs');
  await copyFile(join(root, 'dev/drills/operator/fake-systemd.mjs'), file);
  await run('chmod', ['755', file]);
  for (const name of ['systemctl', 'systemd-run', 'journalctl'])
    await symlink('/usr/local/lib/fake-systemd.mjs', join(folder, 'usr/local/bin', name));
}
