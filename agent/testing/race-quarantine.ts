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
/** Whoever races: owns nothing else. */
const racer = { uid: 65_534, gid: 65_534 };
const whose = { identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain' } as const;
const secret = 'only root reads this\n';

export interface Race {
  /** What is swapped for a link meanwhile. */
  swaps: 'name' | 'folder' | 'file';
  rounds: number;
  /** As if on this system, where folders cannot be held open. */
  platform?: NodeJS.Platform;
}

/**
 * Puts a file of a person's folder away and back, as root, while that person swaps it, its folder or its first name for a link to what is root's. Answers
 * what of root's was changed, read, or reached; and how often the file came back all the same.
 */
export async function raceQuarantine(above: string, { swaps, rounds, platform }: Race): Promise<{ won: string[]; back: number }> {
  const [home, system, folder] = [join(above, 'home'), join(above, 'system'), join(above, 'quarantine')];
  const place = join(home, 'Downloads');
  const victim = swaps === 'folder' ? system : join(system, 'secret');
  await chmod(above, 0o755);
  for (const path of [home, place]) await mkdir(path).then(() => chown(path, racer.uid, racer.gid));
  await mkdir(system);
  await writeFile(join(system, 'secret'), secret, { mode: 0o600 });
  // What could be taken in the place of the file.
  await writeFile(join(system, 'AnyDesk'), secret, { mode: 0o600 });
  const before = await seen(system);
  const os = fakeOs();
  if (platform) os.files = ownedFiles({ command: () => [process.execPath, fileOf('../lib/files/as-owner-process.ts')], platform });
  const quarantine = await openQuarantine(folder, os, readSystemClock);
  const child = spawn(process.execPath, [fileOf('racer.ts'), swaps, place, victim], {
    ...racer,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const won: string[] = [];
  let back = 0;
  try {
    for (let round = 1; round <= rounds; round++) {
      const lose = (what: string) => void won.push(`${swaps}, round ${round}: ${what}`);
      // Nobody moves while it is laid down, and looked at.
      await stand(child);
      await layDown(home);
      // A folder that is swapped all the time is mostly left alone: every other time it begins when the file is to come back.
      const later = swaps === 'folder' && round % 2 === 1;
      if (!later) child.kill('SIGCONT');
      const path = join(place, 'AnyDesk');
      await quarantine.takeFile({ path }, whose).catch(() => {});
      if (later) child.kill('SIGCONT');
      for (const name of await readdir(folder))
        if (name.endsWith('.held') && (await readFile(join(folder, name), 'utf8')) === secret) lose('what root alone reads was put away');
      for (const { uuid } of await quarantine.held()) if ((await quarantine.undo(uuid).catch(() => null))?.done) back++;
      await stand(child);
      if ((await seen(system)) !== before) lose(`what is root's is another: ${await seen(system)}`);
      for (const what of await foreign(home)) lose(what);
    }
  } finally {
    const over = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await over;
  }
  return { won, back };
}

/** Stops it, and comes back when it stands. */
async function stand(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  await until('the racer to stand', async () => / T /.test(await readFile(`/proc/${child.pid}/stat`, 'utf8')));
}

/** A file of theirs, in a folder of its own that is renamed into its place, however things lie there. */
async function layDown(home: string): Promise<void> {
  const [place, real] = [join(home, 'Downloads'), join(home, 'Downloads-real')];
  if (await lstat(real).catch(() => null)) {
    await rm(place, { force: true });
    await rename(real, place);
  }
  const fresh = join(home, 'AnyDesk-fresh');
  await writeFile(fresh, '\x7fELF bad');
  await chown(fresh, racer.uid, racer.gid);
  await rm(join(place, 'AnyDesk-real'), { force: true });
  await rename(fresh, join(place, 'AnyDesk'));
}

/** All of a folder that somebody else must not change. */
async function seen(folder: string): Promise<string> {
  const one = async (path: string) => {
    const { mode, uid, gid, nlink } = await lstat(path);
    return [path, mode.toString(8), uid, gid, nlink].join(' ');
  };
  const names = (await readdir(folder)).toSorted();
  const contents = await Promise.all(
    names.map(async (name) => `${await one(join(folder, name))} ${await readFile(join(folder, name), 'utf8')}`),
  );
  return [await one(folder), ...contents].join('\n');
}

/** What lies in a person's folder and is not theirs, or has special rights. */
async function foreign(home: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of ['Downloads', 'Downloads-real']) {
    const path = join(home, name);
    if (!(await lstat(path).catch(() => null))?.isDirectory()) continue;
    for (const file of await readdir(path).catch(() => [])) {
      const stat = await lstat(join(path, file)).catch(() => null);
      if (stat && (stat.uid !== racer.uid || (!stat.isSymbolicLink() && stat.mode & 0o7000)))
        found.push(`${file} is of ${stat.uid} with ${stat.mode.toString(8)}`);
    }
  }
  return found;
}
