import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type BuildFailure, type BuildProgress, buildFailure, buildProgress } from '@porchlight/contract/downloads.ts';
import { type BuiltInstallers, build_stale_ms, buildFiles, builtInstallers, runningBuild } from '@porchlight/contract/installer-build.ts';
import { time } from '@porchlight/contract/shapes.ts';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { installerFiles } from './installers.ts';

const failedBuild = z.object({ reason: buildFailure, at: time });

export interface BuildFolder {
  /** What the last build wrote. While a build writes: what the build before it wrote, as incomplete. */
  built(): Promise<BuiltInstallers | null>;
  /** Whether there are installers that no build wrote: the operator's own, which no build replaces. */
  hasOnlyOwn(): Promise<boolean>;
  has(file: string): Promise<boolean>;
  /** When a build began that some process runs in this folder; null without one. */
  running(): Promise<BuildProgress | 'starting' | null>;
  failure(): Promise<{ reason: BuildFailure; at: Date } | null>;
  /** A folder that cannot be written is no reason to fail: then only this process knows. */
  noteFailure(reason: BuildFailure): Promise<void>;
  forgetFailure(): Promise<void>;
}

/** The state of the builds in the folder of the installers, which several servers may share. */
export function buildFolder(folder: string, clock: Clock): BuildFolder {
  const path = (file: string) => join(folder, file);
  const read = async <T>(file: string, schema: z.ZodType<T>): Promise<T | null> => {
    try {
      return schema.parse(JSON.parse(await readFile(path(file), 'utf8')));
    } catch {
      return null;
    }
  };
  const has = (file: string) =>
    stat(path(file)).then(
      () => true,
      () => false,
    );
  const hasAny = async (files: string[]) => (await Promise.all(files.map(has))).includes(true);
  return {
    has,
    built: () => read(buildFiles.built, builtInstallers),
    hasOnlyOwn: async () => (await hasAny(Object.values(installerFiles))) && !(await hasAny([buildFiles.built, 'programs', 'update'])),
    async running() {
      const found = await stat(path(buildFiles.building)).catch(() => null);
      if (!found || clock.now().getTime() - found.mtimeMs > build_stale_ms) return null;
      const build = await read(buildFiles.building, runningBuild);
      if (!build) return 'starting';
      return build.host === hostname() && !isRunning(build.pid) ? null : buildProgress.parse(build);
    },
    async failure() {
      const stored = await read(buildFiles.failed, failedBuild);
      return stored && { reason: stored.reason, at: new Date(stored.at) };
    },
    async noteFailure(reason) {
      const failure: z.infer<typeof failedBuild> = { reason, at: clock.now().toISOString() };
      await writeFile(path(buildFiles.failed), JSON.stringify(failure)).catch(() => {});
    },
    forgetFailure: () => rm(path(buildFiles.failed), { force: true }).catch(() => {}),
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    // Another user's process may not be sent signals.
    return (err as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
