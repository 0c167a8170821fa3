import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readCatalogue } from '../catalogue.ts';
import { checkCatalogue } from '../check.ts';
import { refusalOf } from '../feed-offer.ts';
import type { Definition } from '../format.ts';
import { institutionProblems, readInstitutions } from '../money/institutions.ts';
import type { Recognition } from '../recognition.ts';
import { usageHint } from './command.ts';
import { type CommandForm, Failure, readCommandLine } from './command-line.ts';

/** Parses words and options; each of `options` takes a value, and `flags` take none. Throws `Usage` for an unknown option. */
export function read(
  args: string[],
  command: CommandForm,
  options: string[] = [],
  flags: string[] = [],
): { words: string[]; option: (name: string) => string | undefined; flag: (name: string) => boolean } {
  const optionTypes: Record<string, { type: 'string' | 'boolean' }> = Object.fromEntries([
    ...options.map((name) => [name, { type: 'string' }]),
    ...flags.map((name) => [name, { type: 'boolean' }]),
  ]);
  const names = { command: command.name, hint: `. ${usageHint(command)}`, positionals: true };
  const { values, positionals } = readCommandLine(args, optionTypes, names);
  const option = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  return { words: positionals, option, flag: (name) => values[name] === true };
}

export function fileFailure(file: string, reason: unknown): Failure {
  const code = (reason as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return new Failure(`${file} is not there. Check the name, and the folder that you are in.`);
  if (code === 'EISDIR') return new Failure(`${file} is a folder. Name a file in it.`);
  if (code === 'ENOTDIR') return new Failure(`${file} is a file. Name a folder.`);
  if (code === 'EACCES') return new Failure(`${file} may not be opened by this user.`);
  return new Failure(`${file}: ${reason instanceof Error ? reason.message : String(reason)}`);
}

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (reason) {
    throw fileFailure(file, reason);
  }
}

export function readBytes(file: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(file));
  } catch (reason) {
    throw fileFailure(file, reason);
  }
}

export function write(file: string, text: string | Uint8Array): void {
  try {
    writeFileSync(file, text);
  } catch (reason) {
    throw fileFailure(file, reason);
  }
}

export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (reason) {
    throw fileFailure(folder, reason);
  }
}

/** Writes a file that only this user can read. Never overwrites a file. */
export function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === 'EEXIST')
      throw new Failure(`${file} is there already. Name another file: a key that is lost cannot be made again.`);
    throw fileFailure(file, reason);
  }
}

/** Reads the catalogue in `folder`, by default the shipped catalogue. Throws Failure for a malformed file. */
export function catalogueOf(folder: string | undefined): Definition[] {
  try {
    return readCatalogue(folder);
  } catch (reason) {
    if (folder !== undefined && (reason as NodeJS.ErrnoException).code) throw fileFailure(folder, reason);
    throw new Failure(reason instanceof Error ? reason.message : String(reason));
  }
}

export function readJson(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What the maintainer of this recognition has to put right, one sentence for each problem. */
export function problemsIn(recognition: Recognition): string[] {
  const problems = [...checkCatalogue(recognition.definitions), ...institutionProblems(readInstitutions())];
  const refusal = problems.length > 0 ? null : refusalOf(null, { recognition, sites: null });
  return refusal ? [refusal] : problems;
}
