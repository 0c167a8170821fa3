import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSystemClock } from '../lib/clock.ts';
import { ownedFiles } from '../lib/files/owned-files.ts';
import { fakeOs } from '../os/fake/fake.ts';
import { openQuarantine } from '../quarantine/quarantine.ts';
import { until } from './until.ts';

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const racer = { uid: 65_534, gid: 65_534 };
const whose = { identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain' } as const;
const secret = 'only root reads this\n';

export interface Race {
  swaps: 'name' | 'folder' | 'file';
  rounds: number;
  platform?: NodeJS.Platform;
}

/**
 * Quarantines and restores a user's file as root, while that user swaps the file, its folder or its temporary name for a link to root's
 * files. Returns what root lost, and how often the file was restored.
 */
export async function raceQuarantine(
  parentFolder: string,
  { swaps, rounds, platform }: Race,
): Promise<{ violations: string[]; back: number }> {
  const [home, system, folder] = [join(parentFolder, 'home'), join(parentFolder, 'system'), join(parentFolder, 'quarantine')];
  const downloads = join(home, 'Downloads');
  const victim = swaps === 'folder' ? system : join(system, 'secret');
  await chmod(parentFolder, 0o755);
  for (const path of [home, downloads]) await mkdir(path).then(() => chown(path, racer.uid, racer.gid));
  await mkdir(system);
  await writeFile(join(system, 'secret'), secret, { mode: 0o600 });
  await writeFile(join(system, 'AnyDesk'), secret, { mode: 0o600 });
  const systemBefore = await snapshot(system);
  const os = fakeOs();
  if (platform) os.files = ownedFiles({ command: () => [process.execPath, fileOf('../lib/files/as-owner-process.ts')], platform });
  const quarantine = await openQuarantine(folder, os, readSystemClock);
  const child = spawn(process.execPath, [fileOf('racer.ts'), swaps, downloads, victim], {
    ...racer,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const violations: string[] = [];
  let back = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      const addViolation = (violation: string) => void violations.push(`${swaps}, round ${round}: ${violation}`);
      await suspend(child);
      await placeFile(home);
      // A swapped folder mostly prevents quarantine, so in every second round the attack begins with the restore.
      const attackRestore = swaps === 'folder' && round % 2 === 1;
      if (!attackRestore) child.kill('SIGCONT');
      const path = join(downloads, 'AnyDesk');
      await quarantine.takeFile({ path }, whose).catch(() => {});
      if (attackRestore) child.kill('SIGCONT');
      for (const name of await readdir(folder))
        if (name.endsWith('.held') && (await readFile(join(folder, name), 'utf8')) === secret)
          addViolation('what root alone reads was put away');
      for (const { uuid } of await quarantine.quarantined()) if ((await quarantine.undo(uuid).catch(() => null))?.done) back++;
      await suspend(child);
      if ((await snapshot(system)) !== systemBefore) addViolation(`what is root's is another: ${await snapshot(system)}`);
      for (const violation of await foreign(home)) addViolation(violation);
    }
  } finally {
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await closed;
  }
  return { violations, back };
}

async function suspend(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  await until('the racer to stand', async () => / T /.test(await readFile(`/proc/${child.pid}/stat`, 'utf8')));
}

/** Creates the user's file, and repairs what the attack left. */
async function placeFile(home: string): Promise<void> {
  const [downloads, realFolder] = [join(home, 'Downloads'), join(home, 'Downloads-real')];
  if (await lstat(realFolder).catch(() => null)) {
    await rm(downloads, { force: true });
    await rename(realFolder, downloads);
  }
  const newFile = join(home, 'AnyDesk-fresh');
  await writeFile(newFile, '\x7fELF bad');
  await chown(newFile, racer.uid, racer.gid);
  await rm(join(downloads, 'AnyDesk-real'), { force: true });
  await rename(newFile, join(downloads, 'AnyDesk'));
}

async function snapshot(folder: string): Promise<string> {
  const describeEntry = async (path: string) => {
    const { mode, uid, gid, nlink } = await lstat(path);
    return [path, mode.toString(8), uid, gid, nlink].join(' ');
  };
  const names = (await readdir(folder)).toSorted();
  const contents = await Promise.all(
    names.map(async (name) => `${await describeEntry(join(folder, name))} ${await readFile(join(folder, name), 'utf8')}`),
  );
  return [await describeEntry(folder), ...contents].join('\n');
}

async function foreign(home: string): Promise<string[]> {
  const foreignPaths: string[] = [];
  for (const name of ['Downloads', 'Downloads-real']) {
    const path = join(home, name);
    if (!(await lstat(path).catch(() => null))?.isDirectory()) continue;
    for (const file of await readdir(path).catch(() => [])) {
      const stat = await lstat(join(path, file)).catch(() => null);
      if (stat && (stat.uid !== racer.uid || (!stat.isSymbolicLink() && stat.mode & 0o7000)))
        foreignPaths.push(`${file} is of ${stat.uid} with ${stat.mode.toString(8)}`);
    }
  }
  return foreignPaths;
}
