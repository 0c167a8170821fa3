import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Wine {
  /** Its drive C, as a folder of this computer. */
  drive: string;
  /** Runs a program to its end: what it wrote and its exit code. Nothing of ours is piped: Node does not start under wine with a pipe. */
  run(program: string, ...args: string[]): Promise<{ code: number | null; said: string }>;
  /** The same where names are asked of this server, and not of this computer's own. For root alone. */
  runAsking(nameServer: string, program: string, ...args: string[]): Promise<{ code: number | null; said: string }>;
  /** The command lines of all programs that run in it. */
  running(): Promise<string>;
  /** Starts a program that goes on; gives what ends it, and when it has ended. */
  start(program: string, ...args: string[]): { ended: Promise<number | null>; end(): void };
  /** Ends all that runs in it, and removes it. */
  close(): Promise<void>;
}

/** What builds and runs Windows programs here, each with its package of Debian. */
export const wineNeeds: [path: string, name: string][] = [
  ['/usr/lib/wine/wine64', 'wine64'],
  ['/usr/bin/wine', 'wine'],
  ['/usr/bin/makensis', 'nsis'],
];

/** Null where Windows programs can be built and run, else why not. */
export function wineMissing(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'wine is used on Linux for x64 alone';
  const missing = wineNeeds.filter(([path]) => !existsSync(path));
  return missing.length
    ? `there is no ${missing.map(([, name]) => name).join(', ')} (Debian: apt-get install ${missing.map(([, name]) => name).join(' ')})`
    : null;
}

/** A Windows 10 of its own, in a folder of its own. */
export async function startWine(): Promise<Wine> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-wine-'));
  // Wine links the folders of its user to ours. A search for downloads must not find real ones.
  const HOME = join(folder, 'home');
  for (const name of ['Desktop', 'Documents', 'Downloads', 'Music', 'Pictures', 'Videos'])
    await mkdir(join(HOME, name), { recursive: true });
  const env = {
    PATH: process.env.PATH,
    HOME,
    WINEPREFIX: join(folder, 'prefix'),
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=;winemenubuilder.exe=d',
  };
  let count = 0;
  const begin = (command: string, args: string[], log: string) => {
    const file = openSync(log, 'w');
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', file, file] });
    closeSync(file);
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return { child, ended };
  };
  const run = async (command: string, args: string[]) => {
    const log = join(folder, `${count++}.log`);
    const code = await begin(command, args, log).ended;
    return { code, said: await readFile(log, 'utf8') };
  };
  const wine: Wine = {
    drive: join(folder, 'prefix', 'drive_c'),
    run: (program, ...args) => run('wine', [program, ...args]),
    async runAsking(nameServer, program, ...args) {
      const resolv = join(folder, 'resolv.conf');
      await writeFile(resolv, `nameserver ${nameServer}\n`);
      return run('unshare', ['--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec wine "$@"', resolv, program, ...args]);
    },
    async running() {
      // Of the kernel: the `tasklist` of wine 8 lists nothing and says that all is well, and its debugger names a file that was renamed as it was called before.
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
      const of = (pid: string, what: string) => readFile(`/proc/${pid}/${what}`, 'utf8').catch(() => '');
      const ours = `WINEPREFIX=${env.WINEPREFIX}`;
      const lines = await Promise.all(
        pids.map(async (pid) => ((await of(pid, 'environ')).split('\0').includes(ours) ? of(pid, 'cmdline') : '')),
      );
      const text = lines.join('\n').replaceAll('\0', ' ');
      if (!text.includes('services.exe')) throw new Error(`It is not known what runs in wine: ${text}`);
      return text;
    },
    start(program, ...args) {
      const { child, ended } = begin('wine', [program, ...args], join(folder, `${count++}.log`));
      return { ended, end: () => void child.kill('SIGKILL') };
    },
    async close() {
      spawnSync('wineserver', ['-k'], { env, stdio: 'ignore' });
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  try {
    await wine.run('wineboot', '-i');
    await wine.run('winecfg', '-v', 'win10');
    await ownFolders(join(wine.drive, 'users'));
    await writeFile(
      join(wine.drive, 'keep-alive.cjs'),
      "require('node:net').Socket.prototype.setKeepAlive = function () { return this; };\n",
    );
    const place = 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment';
    // Wine 8 does not know TCP_KEEPIDLE, which every `fetch` of Node 22.23 sets; without this it would reach nobody.
    await wine.run('reg', 'add', place, '/v', 'NODE_OPTIONS', '/d', '--require C:/keep-alive.cjs');
    // Services end with the last program, unless their server waits; a server that runs already reads neither that option nor the setting above.
    await run('wineserver', ['-w']);
    const waits = await run('wineserver', ['-p300']);
    if (waits.code !== 0) throw new Error(`wineserver did not start: ${waits.said}`);
  } catch (reason) {
    await wine.close();
    throw reason;
  }
  return wine;
}

/** Wine links the folders of its user to ours: a search for downloads must never find real ones. */
async function ownFolders(users: string): Promise<void> {
  for (const user of await readdir(users)) {
    for (const entry of await readdir(join(users, user), { withFileTypes: true })) {
      if (!entry.isSymbolicLink()) continue;
      await rm(join(users, user, entry.name));
      await mkdir(join(users, user, entry.name));
    }
  }
}
