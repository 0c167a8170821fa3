import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Wine {
  /** Drive C, as a folder of this computer. */
  drive: string;
  /** Runs a program to its end, without pipes, because Node does not start under wine with a pipe. */
  run(program: string, ...args: string[]): Promise<{ code: number | null; output: string }>;
  /** Runs a program with this DNS server instead of the computer's own. Needs root. */
  runWithDns(nameServer: string, program: string, ...args: string[]): Promise<{ code: number | null; output: string }>;
  running(): Promise<string>;
  start(program: string, ...args: string[]): { ended: Promise<number | null>; end(): void };
  close(): Promise<void>;
}

/** Programs that build and run Windows programs, each with its Debian package. */
export const wineNeeds: [path: string, name: string][] = [
  ['/usr/lib/wine/wine64', 'wine64'],
  ['/usr/bin/wine', 'wine'],
  ['/usr/bin/makensis', 'nsis'],
];

/** Null if Windows programs can be built and run, else the reason. */
export function wineMissing(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'wine is used on Linux for x64 alone';
  const missingPrograms = wineNeeds.filter(([path]) => !existsSync(path));
  return missingPrograms.length
    ? `there is no ${missingPrograms.map(([, name]) => name).join(', ')} (Debian: apt-get install ${missingPrograms.map(([, name]) => name).join(' ')})`
    : null;
}

export async function startWine(): Promise<Wine> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-wine-'));
  // Wine links its user's folders to our home folder. A search for downloads must not find real files.
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
  let logCount = 0;
  const startProgram = (command: string, args: string[], log: string) => {
    const file = openSync(log, 'w');
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', file, file] });
    closeSync(file);
    const exitCode = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return { child, ended: exitCode };
  };
  const run = async (command: string, args: string[]) => {
    const log = join(folder, `${logCount++}.log`);
    const code = await startProgram(command, args, log).ended;
    return { code, output: await readFile(log, 'utf8') };
  };
  const wine: Wine = {
    drive: join(folder, 'prefix', 'drive_c'),
    run: (program, ...args) => run('wine', [program, ...args]),
    async runWithDns(nameServer, program, ...args) {
      const resolv = join(folder, 'resolv.conf');
      await writeFile(resolv, `nameserver ${nameServer}\n`);
      return run('unshare', ['--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec wine "$@"', resolv, program, ...args]);
    },
    async running() {
      // Command lines come from the kernel: wine 8's `tasklist` lists nothing, and its debugger shows a renamed file's old name.
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
      const readProc = (pid: string, procFile: string) => readFile(`/proc/${pid}/${procFile}`, 'utf8').catch(() => '');
      const winePrefix = `WINEPREFIX=${env.WINEPREFIX}`;
      const lines = await Promise.all(
        pids.map(async (pid) => ((await readProc(pid, 'environ')).split('\0').includes(winePrefix) ? readProc(pid, 'cmdline') : '')),
      );
      const text = lines.join('\n').replaceAll('\0', ' ');
      if (!text.includes('services.exe')) throw new Error(`It is not known what runs in wine: ${text}`);
      return text;
    },
    start(program, ...args) {
      const { child, ended } = startProgram('wine', [program, ...args], join(folder, `${logCount++}.log`));
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
    const registryKey = 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment';
    // Wine 8 does not know TCP_KEEPIDLE, which every `fetch` of Node 22.23 sets; without this option no fetch succeeds.
    await wine.run('reg', 'add', registryKey, '/v', 'NODE_OPTIONS', '/d', '--require C:/keep-alive.cjs');
    // Services end with the last program unless wineserver waits; a running wineserver ignores this option and the setting above.
    await run('wineserver', ['-w']);
    const waitResult = await run('wineserver', ['-p300']);
    if (waitResult.code !== 0) throw new Error(`wineserver did not start: ${waitResult.output}`);
  } catch (reason) {
    await wine.close();
    throw reason;
  }
  return wine;
}

async function ownFolders(users: string): Promise<void> {
  for (const user of await readdir(users)) {
    for (const entry of await readdir(join(users, user), { withFileTypes: true })) {
      if (!entry.isSymbolicLink()) continue;
      await rm(join(users, user, entry.name));
      await mkdir(join(users, user, entry.name));
    }
  }
}
