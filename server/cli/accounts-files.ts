import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '@porchlight/definitions/cli/command-line.ts';

/**
 * Writes files that only their owner can read. A file gets its name once all of them are on disk, so that a crash or a full disk leaves no
 * partial one. Without `replace`, a file that exists stays as it is, even if another process has just made it. Returns the paths.
 */
export async function writeFilesTogether(
  folder: string,
  files: Record<string, string>,
  { replace }: { replace: boolean },
): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((err: Error) => refuse(folder, err));
  const drafts: { draft: string; path: string }[] = [];
  const named: string[] = [];
  try {
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder, name);
      const draft = `${path}.${randomUUID()}`;
      drafts.push({ draft, path });
      await writeSynced(draft, content).catch((err: Error) => refuse(folder, err));
    }
    for (const { draft, path } of drafts) {
      await (replace ? rename(draft, path) : link(draft, path).catch((err: Error) => refuseExisting(path, err)));
      named.push(path);
    }
  } catch (err) {
    // Without --replace these are new, and half an export would stand in the way of the next try.
    if (!replace) for (const path of named) await rm(path, { force: true });
    throw err;
  } finally {
    for (const { draft } of drafts) await rm(draft, { force: true });
  }
  return named;
}

async function writeSynced(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

function refuse(folder: string, err: Error): never {
  throw new Failure(`${folder} cannot be written to; check the name and your rights. (${err.message})`);
}

function refuseExisting(path: string, err: NodeJS.ErrnoException): never {
  if (err.code !== 'EEXIST') throw err;
  throw new Failure(`${path} exists already, and nothing was written. Say --replace to write over it, or another folder.`);
}
