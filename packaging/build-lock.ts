import { randomUUID } from 'node:crypto';
import { readFileSync, unlinkSync } from 'node:fs';
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
  /** Works while the process exits too. */
  release(): void;
}

/**
 * The lock is a file in the folder of the installers, because servers on several computers may share that folder. It holds the progress, so that
 * each of them can show it. Null while another build runs there.
 */
export async function lockBuild(folder: string): Promise<BuildLock | null> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, buildFiles.building);
  const own = { id: randomUUID(), pid: process.pid, host: hostname() };
  const first: RunningBuild = { ...own, step: 1, steps: 1, platform: null };
  // The last one is for a lock that was released between the first two.
  const isLocked = (await create(path, first)) || (await takeOver(path, first)) || (await create(path, first));
  if (!isLocked) return null;
  const heartbeat = setInterval(() => {
    const now = new Date();
    if (idIn(path) === own.id) void utimes(path, now, now).catch(() => {});
  }, heartbeat_ms).unref();
  return {
    async progress(progress) {
      if (idIn(path) !== own.id) throw new Error('Another build took over, because this one was stopped for minutes.');
      await writeAtomically(path, JSON.stringify({ ...own, ...progress } satisfies RunningBuild));
    },
    release() {
      clearInterval(heartbeat);
      if (idIn(path) === own.id) unlinkSync(path);
    },
  };
}

async function create(path: string, content: RunningBuild): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(JSON.stringify(content)).finally(() => file.close());
    return true;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw err;
  }
}

/**
 * Only the build that made the second file may replace a stale lock, and it reads the lock again before. The lock is therefore never gone in between, so
 * that no third build can make one.
 */
async function takeOver(path: string, content: RunningBuild): Promise<boolean> {
  if (!(await isStale(path))) return false;
  const takeover = `${path}.takeover`;
  if (!(await create(takeover, content))) {
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
