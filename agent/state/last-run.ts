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
 */
export async function noteRun(folder: string, boot: string): Promise<Run> {
  const path = join(folder, 'running');
  const before = await readFile(path, 'utf8').catch(() => '');
  await writeWhole(path, boot);
  return { died: boot !== '' && before === boot, over: () => removeFile(path) };
}
