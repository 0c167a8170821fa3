import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readCatalogue } from '../catalogue.ts';
import { checkCatalogue } from '../check.ts';
import { type Definition, definitionSet } from '../format.ts';
import { Failure, Usage } from './usage.ts';

/** The words and options that were typed. Options all take a value. Throws Usage with what is not known. */
export function read(
  args: string[],
  usage: string,
  options: string[] = [],
): { words: string[]; option: (name: string) => string | undefined } {
  try {
    const known = Object.fromEntries(options.map((name) => [name, { type: 'string' as const }]));
    const { values, positionals } = parseArgs({ args, options: known, allowPositionals: true });
    return { words: positionals, option: (name) => values[name] };
  } catch (reason) {
    const first = (reason instanceof Error ? reason.message : String(reason)).split('. ')[0];
    throw new Usage(`${first}. Type: npm run -s definitions -- ${usage}`);
  }
}

/** A failing file system in words: which file, and what to do. */
export function inWords(file: string, reason: unknown): Failure {
  const code = (reason as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return new Failure(`${file} is not there. Check the name, and the folder that you are in.`);
  if (code === 'EISDIR') return new Failure(`${file} is a folder. Name a file in it.`);
  if (code === 'EACCES') return new Failure(`${file} may not be opened by this user.`);
  return new Failure(`${file}: ${reason instanceof Error ? reason.message : String(reason)}`);
}

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (reason) {
    throw inWords(file, reason);
  }
}

export function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (reason) {
    throw inWords(file, reason);
  }
}

/** A secret in a file of its own: for this user alone, and never over another one. */
export function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === 'EEXIST')
      throw new Failure(`${file} is there already. Name another file: a key that is lost cannot be made again.`);
    throw inWords(file, reason);
  }
}

/** The catalogue of a folder, or the one that ships. Throws Failure when a file is not as the format says. */
export function catalogueOf(folder: string | undefined): Definition[] {
  try {
    return readCatalogue(folder);
  } catch (reason) {
    if (folder !== undefined && (reason as NodeJS.ErrnoException).code) throw inWords(folder, reason);
    throw new Failure(reason instanceof Error ? reason.message : String(reason));
  }
}

/** The same, and nothing is wrong with it. */
export function checkedCatalogue(folder: string | undefined): Definition[] {
  const catalogue = catalogueOf(folder);
  const problems = checkCatalogue(catalogue);
  if (problems.length > 0) throw new Failure([...problems, `Nothing was written: ${problems.length} to put right first.`].join('\n'));
  return catalogue;
}

/** The families of a built set, of a signed one, or of a folder of files. */
export function familiesOf(path: string): Definition[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === 'EISDIR') return catalogueOf(path);
    throw inWords(path, reason);
  }
  try {
    const raw: unknown = JSON.parse(text);
    const payload = typeof raw === 'object' && raw !== null && 'payload' in raw ? JSON.parse(String(raw.payload)) : raw;
    return definitionSet.parse(payload).definitions;
  } catch {
    throw new Failure(`${path} is not a set of definitions. Name a file that "build" or "sign" wrote, or a folder of the catalogue.`);
  }
}
