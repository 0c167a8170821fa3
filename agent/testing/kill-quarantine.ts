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
 * Kills a process again and again while it puts files away and back; after each kill every file is there once, whole: in its place with its rights, or put
 * away and known. Answers what was not so. `random`: from 0 to 1.
 */
export async function killQuarantine(rounds: number, above: string, random: () => number): Promise<string[]> {
  const [folder, place] = [join(above, 'quarantine'), join(above, 'place')];
  await mkdir(place, { recursive: true });
  for (let at = 0; at < files; at++) {
    await writeFile(join(place, `file-${at}`), contentOf(at));
    await chmod(join(place, `file-${at}`), modeOf(at));
  }
  const wrong: string[] = [];
  for (let round = 1; round <= rounds; round++) {
    const child = spawn(process.execPath, [worker, folder, place], { stdio: ['ignore', 'pipe', 'inherit'] });
    // Once it works, at any moment of its work.
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
    await sleep(random() * 60);
    await killed(child);
    wrong.push(...(await lookAt(folder, place)).map((what) => `round ${round}: ${what}`));
  }
  const quarantine = await openQuarantine(folder, fakeOs(), readSystemClock);
  for (const { uuid } of await quarantine.held()) await quarantine.undo(uuid);
  for (let at = 0; at < files; at++)
    if (!(await isWhole(join(place, `file-${at}`), at))) wrong.push(`file-${at} did not come back as it was`);
  if ((await readdir(folder)).length) wrong.push('something is left in the quarantine');
  return wrong;
}

/** Opens it as the next start does, and counts. */
async function lookAt(folder: string, place: string): Promise<string[]> {
  const quarantine = await openQuarantine(folder, fakeOs(), readSystemClock);
  const held = await quarantine.held();
  const wrong: string[] = [];
  for (let at = 0; at < files; at++) {
    const path = join(place, `file-${at}`);
    const away = held.filter((entry) => entry.kind === 'file' && entry.path === path);
    const there = await stat(path).then(
      () => true,
      () => false,
    );
    if (Number(there) + away.length !== 1)
      wrong.push(`file-${at} is ${there ? '' : 'not '}in its place, and ${away.length} times put away`);
    if (there && !(await isWhole(path, at))) wrong.push(`file-${at} is not what it was`);
    for (const { uuid } of away) {
      const content = await readFile(join(folder, `${uuid}.held`), 'utf8').catch(() => '');
      if (content !== contentOf(at)) wrong.push(`file-${at} is put away and not whole`);
    }
  }
  const known = new Set(held.flatMap(({ uuid }) => [`${uuid}.held`, `${uuid}.json`]));
  for (const name of await readdir(folder)) if (!known.has(name)) wrong.push(`${name} is left over`);
  for (const name of await readdir(place)) if (!/^file-\d+$/.test(name)) wrong.push(`${name} is left over in the place`);
  return wrong;
}

async function isWhole(path: string, at: number): Promise<boolean> {
  const mode = await stat(path).then(
    (s) => s.mode & 0o7777,
    () => null,
  );
  return mode === modeOf(at) && (await readFile(path, 'utf8')) === contentOf(at);
}

async function killed(child: ChildProcess): Promise<void> {
  const over = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await over;
}
