import { readFile, rm } from 'node:fs/promises';
import { readDeviceCode } from '@porchlight/contract/codes.ts';
import { codeFromInstallerName } from './installer-name.ts';

/**
 * Reads the code from an installer's file: a code per line, plain or in an installer's name. Null without a code, or when two codes differ.
 */
export async function codeInFile(path: string): Promise<string | null> {
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n');
  const codes = new Set(lines.flatMap((line) => readDeviceCode(line) ?? codeFromInstallerName(line) ?? []));
  const [code] = codes;
  return codes.size === 1 && code !== undefined ? code : null;
}

/** A code works once, so a file that cannot be removed is harmless. */
export async function forgetCode(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {});
}
