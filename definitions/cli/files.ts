import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signedFeed } from '@porchlight/contract/shapes.ts';
import { readCatalogue } from '../catalogue.ts';
import { checkCatalogue } from '../check.ts';
import { checkPart, readCataloguePart } from '../feed.ts';
import { setPayload } from '../feed-format.ts';
import { type Definition, definitionSet } from '../format.ts';
import { readCommandLine } from './command-line.ts';
import { Failure } from './usage.ts';

/** The words and options that were typed. Options all take a value. Throws Usage with what is not known. */
export function read(
  args: string[],
  usage: string,
  options: string[] = [],
): { words: string[]; option: (name: string) => string | undefined } {
  const known = Object.fromEntries(options.map((name) => [name, { type: 'string' as const }]));
  const names = { command: usage.split(' ')[0] ?? '', hint: `. Type: npm run -s definitions -- ${usage}`, positionals: true };
  const { values, positionals } = readCommandLine(args, known, names);
  return { words: positionals, option: (name) => values[name] };
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

export function readBytes(file: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(file));
  } catch (reason) {
    throw inWords(file, reason);
  }
}

export function write(file: string, text: string | Uint8Array): void {
  try {
    writeFileSync(file, text);
  } catch (reason) {
    throw inWords(file, reason);
  }
}

export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (reason) {
    throw inWords(folder, reason);
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

/** The catalogue of a folder, whether as files or as a signed feed, whose part is believed only when it is what was signed. */
function familiesIn(folder: string): Definition[] {
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

/** The families of a built set, of a signed feed, or of a folder of files. */
export function familiesOf(path: string): Definition[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code === 'EISDIR') return familiesIn(path);
    throw inWords(path, reason);
  }
  try {
    return definitionSet.parse(JSON.parse(text)).definitions;
  } catch {
    throw new Failure(
      `${path} is not a set of definitions. Name a file that "build" wrote, or a folder that "sign" wrote or of the catalogue.`,
    );
  }
}
