import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import { removeFile } from '../state/files.ts';
import type { Options } from './options.ts';

/** The file an installer leaves for the agent: its name's code, or nothing, for the free plan. */
const enrolFile = (folder: string) => join(folder, 'enrol');

/** The options to begin with after an installation; null when no file was left. */
export async function readEnrolFile(folder: string): Promise<Options> {
  const content = await readFile(enrolFile(folder), 'latin1').catch(() => null);
  if (content === null) return null;
  // Windows writes UTF-16: two bytes for each letter.
  const code = readDeviceCode(content.replace(/[^\x20-\x7e]/g, ''));
  return code ? { code, free: true } : { free: true };
}

export const removeEnrolFile = (folder: string): Promise<void> => removeFile(enrolFile(folder));
