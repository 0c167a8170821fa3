import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import { removeFile } from '../state/files.ts';
import type { Options } from './options.ts';

/** What an installer leaves for the agent: the code of its own name, or nothing, for the free plan. */
const enrolFile = (folder: string) => join(folder, 'enrol');

/** What to begin with after an installation; null when nothing was left, and so all goes on as before. */
export async function readEnrolFile(folder: string): Promise<Options> {
  const content = await readFile(enrolFile(folder), 'latin1').catch(() => null);
  if (content === null) return null;
  // Windows writes two bytes for each letter.
  const code = readDeviceCode(content.replace(/[^\x20-\x7e]/g, ''));
  return code ? { code, free: true } : { free: true };
}

/** It was used, or refused for good. */
export const removeEnrolFile = (folder: string): Promise<void> => removeFile(enrolFile(folder));
