import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile, writeWhole } from './files.ts';

export interface Run {
  died: boolean;
  /** It ends as it should. */
  over(): Promise<void>;
}

/**
 * Notes that the agent runs, and answers whether the last run ended without a word while the computer stayed on: it crashed, or was killed
 * (P4.7). `boot` names this start of the computer; where there is no such name ('') nothing is said, since a power cut looks the same.
 * It is only a note: on a disk that takes none `failed` is told why, and the agent runs all the same.
 */
export async function noteRun(folder: string, boot: string, failed: (why: unknown) => void): Promise<Run> {
  const path = join(folder, 'running');
  const before = await readFile(path, 'utf8').catch(() => '');
  await writeWhole(path, boot).catch(failed);
  return { died: boot !== '' && before === boot, over: () => removeFile(path) };
}
