import { readFile, rm } from 'node:fs/promises';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import { codeFromInstallerName } from './installer-name.ts';

/** The code that an installer left in a file, as such or in the installer's name, one in a line. Null when there is none, or when two differ. */
export async function codeInFile(path: string): Promise<string | null> {
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  const codes = new Set(lines.flatMap((line) => readDeviceCode(line) ?? codeFromInstallerName(line) ?? []));
  const [code] = codes;
  return codes.size === 1 && code !== undefined ? code : null;
}

/** A code is good once. If the file cannot be removed the server refuses its code next time. */
export async function forgetCode(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {});
}
