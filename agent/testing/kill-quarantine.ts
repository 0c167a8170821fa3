import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readSystemClock } from '../lib/clock.ts';
import { fakeOs } from '../os/fake/fake.ts';
import { openQuarantine } from '../quarantine/quarantine.ts';

const worker = fileURLToPath(new URL('./quarantine-worker.ts', import.meta.url));
const files = 12;
const modeOf = (at: number) => [0o755, 0o711, 0o600][at % 3] ?? 0;
const contentOf = (at: number) =>
  createHash('sha512')
    .update(String(at))
    .digest()
    .toString('hex')
    .repeat(50 * (at + 1));

/**
 * Kills a process repeatedly while it quarantines and restores files. Returns the failures: after each kill every file must exist once and
 * intact, at its path or in quarantine. `random`: returns a number from 0 to 1.
 */
export async function killQuarantine(rounds: number, parentFolder: string, random: () => number): Promise<string[]> {
  const [folder, sourceFolder] = [join(parentFolder, 'quarantine'), join(parentFolder, 'place')];
  await mkdir(sourceFolder, { recursive: true });
  for (let index = 0; index < files; index++) {
    await writeFile(join(sourceFolder, `file-${index}`), contentOf(index));
    await chmod(join(sourceFolder, `file-${index}`), modeOf(index));
  }
  const failures: string[] = [];
  for (let round = 1; round <= rounds; round++) {
    const child = spawn(process.execPath, [worker, folder, sourceFolder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
    await sleep(random() * 60);
    await killed(child);
    failures.push(...(await check(folder, sourceFolder)).map((failure) => `round ${round}: ${failure}`));
  }
  const quarantine = await openQuarantine(folder, fakeOs(), readSystemClock);
  for (const { uuid } of await quarantine.quarantined()) await quarantine.undo(uuid);
  for (let index = 0; index < files; index++)
    if (!(await isWhole(join(sourceFolder, `file-${index}`), index))) failures.push(`file-${index} did not come back as it was`);
  if ((await readdir(folder)).length) failures.push('something is left in the quarantine');
  return failures;
}

async function check(folder: string, sourceFolder: string): Promise<string[]> {
  const quarantine = await openQuarantine(folder, fakeOs(), readSystemClock);
  const entries = await quarantine.quarantined();
  const failures: string[] = [];
  for (let index = 0; index < files; index++) {
    const path = join(sourceFolder, `file-${index}`);
    const quarantinedEntries = entries.filter((entry) => entry.kind === 'file' && entry.path === path);
    const isPresent = await stat(path).then(
      () => true,
      () => false,
    );
    if (Number(isPresent) + quarantinedEntries.length !== 1)
      failures.push(`file-${index} is ${isPresent ? '' : 'not '}in its place, and ${quarantinedEntries.length} times put away`);
    if (isPresent && !(await isWhole(path, index))) failures.push(`file-${index} is not what it was`);
    for (const { uuid } of quarantinedEntries) {
      const content = await readFile(join(folder, `${uuid}.held`), 'utf8').catch(() => '');
      if (content !== contentOf(index)) failures.push(`file-${index} is put away and not whole`);
    }
  }
  const knownNames = new Set(entries.flatMap(({ uuid }) => [`${uuid}.held`, `${uuid}.json`]));
  for (const name of await readdir(folder)) if (!knownNames.has(name)) failures.push(`${name} is left over`);
  for (const name of await readdir(sourceFolder)) if (!/^file-\d+$/.test(name)) failures.push(`${name} is left over in the place`);
  return failures;
}

async function isWhole(path: string, index: number): Promise<boolean> {
  const mode = await stat(path).then(
    (s) => s.mode & 0o7777,
    () => null,
  );
  return mode === modeOf(index) && (await readFile(path, 'utf8')) === contentOf(index);
}

async function killed(child: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await closed;
}
