import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import { renameOver } from '../lib/rename-over.ts';

/**
 * Writes a file atomically and durably: temporary file, fsync, rename, fsync of the folder. The temporary name is random, because another
 * process may write the same file.
 */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } catch (err) {
    await rm(temporary, { force: true }).catch(() => {});
    throw err;
  } finally {
    await file.close();
  }
  await renameOver(temporary, path).catch(async (err: unknown) => {
    await rm(temporary, { force: true }).catch(() => {});
    throw err;
  });
  await syncFolder(dirname(path));
}

const MAX_MS = 60 * 60_000;

export async function removeHalfWritten(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.tmp'))) {
    const path = join(folder, name);
    const age = Date.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? Date.now());
    // The absolute age counts, because the clock may have been set back.
    if (Math.abs(age) > MAX_MS) await rm(path, { force: true }).catch(() => {});
  }
}

export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolder(dirname(path));
}

export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; it persists names itself.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export async function privateFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}

export async function readWhole<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch {
    return null;
  }
  const parsed = schema.safeParse(parse(content));
  if (parsed.success) return parsed.data;
  await rename(path, `${path}.damaged-${Date.now()}`).catch(() => {});
  return null;
}

export async function jsonFilesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name));
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
