import { randomUUID } from 'node:crypto';
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { mkdir, open, rm, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { BuildProgress } from '@porchlight/contract/downloads.ts';
import { build_stale_ms, buildFiles, type RunningBuild, runningBuild } from '@porchlight/contract/installer-build.ts';
import { writeAtomically } from './write-file.ts';

const heartbeat_ms = 10_000;

export interface BuildLock {
  /** Throws when another build has taken the lock over, because this one did not touch it for minutes. */
  progress(progress: BuildProgress): Promise<void>;
  release(): void;
}

const unreleased = new Set<() => void>();
process.once('exit', () => {
  for (const release of unreleased) release();
});

/**
 * The lock is a file in the folder of the installers, because servers on several computers may share that folder. It holds the progress, so that
 * each of them can show it. Null while another build runs there. The exit of the process releases it.
 */
export async function lockBuild(folder: string): Promise<BuildLock | null> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, buildFiles.building);
  const own = { id: randomUUID(), pid: process.pid, host: hostname() };
  const first: RunningBuild = { ...own, step: 1, steps: 1, platform: null };
  const heartbeat = setInterval(() => {
    const now = new Date();
    if (idIn(path) === own.id) void utimes(path, now, now).catch(() => {});
  }, heartbeat_ms).unref();
  const release = () => {
    unreleased.delete(release);
    clearInterval(heartbeat);
    if (idIn(path) === own.id) unlinkSync(path);
  };
  // Before there is a lock: a server that ends meanwhile ends its build too.
  unreleased.add(release);
  // The last one is for a lock that was released between the first two.
  const locking = async () => create(path, first) || (await takeOver(path, first)) || create(path, first);
  let isLocked = false;
  try {
    isLocked = await locking();
  } finally {
    if (!isLocked) release();
  }
  if (!isLocked) return null;
  return {
    async progress(progress) {
      if (idIn(path) !== own.id) throw new Error('Another build took over, because this one was stopped for minutes.');
      await writeAtomically(path, JSON.stringify({ ...own, ...progress } satisfies RunningBuild));
    },
    release,
  };
}

/** Synchronous, so that an exit of this process finds either no file or one with its id. */
function create(path: string, content: RunningBuild): boolean {
  try {
    writeFileSync(path, JSON.stringify(content), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw err;
  }
}

/**
 * Only the build that made the file `.takeover` may replace a stale lock, and it reads the lock again before. The lock is never gone in between, so that
 * no other build can make one.
 */
async function takeOver(path: string, content: RunningBuild): Promise<boolean> {
  if (!(await isStale(path))) return false;
  const takeover = `${path}.takeover`;
  if (!create(takeover, content)) {
    // A build that was stopped between the two files. The next build replaces the lock.
    if (await isStale(takeover)) await rm(takeover, { force: true });
    return false;
  }
  try {
    if (!(await isStale(path))) return false;
    await writeAtomically(path, JSON.stringify(content));
    return true;
  } finally {
    await rm(takeover, { force: true });
  }
}

/** False for a lock that was released meanwhile. */
async function isStale(path: string): Promise<boolean> {
  const file = await open(path).catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return null;
    throw err;
  });
  if (!file) return false;
  try {
    const untouchedMs = Date.now() - (await file.stat()).mtimeMs;
    return untouchedMs > build_stale_ms || hasEnded(await file.readFile('utf8'));
  } finally {
    await file.close();
  }
}

function hasEnded(content: string): boolean {
  const { data } = runningBuild.safeParse(parsed(content));
  if (!data || data.host !== hostname()) return false;
  try {
    process.kill(data.pid, 0);
    return false;
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Synchronous, because a process that exits can wait for nothing. */
function idIn(path: string): string | null {
  try {
    return runningBuild.parse(parsed(readFileSync(path, 'utf8'))).id;
  } catch {
    return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
