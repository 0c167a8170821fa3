import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile, writeWhole } from './files.ts';

export interface Run {
  died: boolean;
  over(): Promise<void>;
}

/**
 * Records that the agent runs, and returns whether the last agent was killed while the computer stayed on (P4.7). Without a `boot` id a
 * power cut cannot be excluded, so `died` is false. Write errors go to `failed`.
 */
export async function noteRun(folder: string, boot: string, failed: (why: unknown) => void): Promise<Run> {
  const path = join(folder, 'running');
  const lastBoot = await readFile(path, 'utf8').catch(() => '');
  await writeWhole(path, boot).catch(failed);
  return { died: boot !== '' && lastBoot === boot, over: () => removeFile(path) };
}
