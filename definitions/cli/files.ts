import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signedFeed } from '@porchlight/contract/shapes.ts';
import { readCatalogue } from '../catalogue.ts';
import { checkCatalogue } from '../check.ts';
import { checkPart, readCataloguePart } from '../feed.ts';
import { setPayload } from '../feed-format.ts';
import type { Definition } from '../format.ts';
import { definitionSet } from '../recognition.ts';
import { usageHint } from './command.ts';
import { type CommandForm, Failure, readCommandLine } from './command-line.ts';

/** Parses words and options; each option takes a value. Throws `Usage` for an unknown option. */
export function read(
  args: string[],
  command: CommandForm,
  options: string[] = [],
): { words: string[]; option: (name: string) => string | undefined } {
  const optionTypes = Object.fromEntries(options.map((name) => [name, { type: 'string' as const }]));
  const names = { command: command.name, hint: `. ${usageHint(command)}`, positionals: true };
  const { values, positionals } = readCommandLine(args, optionTypes, names);
  return { words: positionals, option: (name) => values[name] };
}

export function fileFailure(file: string, reason: unknown): Failure {
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

export function checkedCatalogue(folder: string | undefined): Definition[] {
  const catalogue = catalogueOf(folder);
  const problems = checkCatalogue(catalogue);
  if (problems.length > 0) throw new Failure([...problems, `Nothing was written: ${problems.length} to put right first.`].join('\n'));
  return catalogue;
}

/** Reads a folder of definition files, or a signed feed, whose catalogue must match its signed hash. */
function definitionsIn(folder: string): Definition[] {
  const feed = join(folder, 'feed.json');
  if (!existsSync(feed)) return catalogueOf(folder);
  try {
    const { payload } = signedFeed.parse(JSON.parse(readFileSync(feed, 'utf8'))).set;
    const set = setPayload.parse(JSON.parse(payload));
    const bytes = readFileSync(join(folder, 'parts', set.catalogue.sha256));
    return readCataloguePart(checkPart(bytes, set.catalogue), set).definitions;
  } catch {
    throw new Failure(`${folder} is not a whole feed. Name a folder that "sign" wrote.`);
  }
}

export function definitionsOf(path: string): Definition[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === 'EISDIR') return definitionsIn(path);
    throw fileFailure(path, reason);
  }
  try {
    return definitionSet.pick({ definitions: true }).parse(JSON.parse(text)).definitions;
  } catch {
    throw new Failure(
      `${path} is not a set of definitions. Name a file that "build" wrote, or a folder that "sign" wrote or of the catalogue.`,
    );
  }
}
