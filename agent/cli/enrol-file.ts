import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import { removeFile } from '../state/files.ts';
import type { Options } from './options.ts';

/** The file that an installer leaves: the code from the installer's name, or nothing for the free plan. */
const enrolFile = (folder: string) => join(folder, 'enrol');

export async function readEnrolFile(folder: string): Promise<Options> {
  const content = await readFile(enrolFile(folder), 'latin1').catch(() => null);
  if (content === null) return null;
  // Windows writes the file in UTF-16: two bytes for each character.
  const code = readDeviceCode(content.replace(/[^\x20-\x7e]/g, ''));
  return code ? { code, free: true } : { free: true };
}

export const removeEnrolFile = (folder: string): Promise<void> => removeFile(enrolFile(folder));
