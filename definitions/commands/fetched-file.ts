import type { Os } from '../format.ts';
import { findAddresses } from './find-address.ts';
import type { Saver } from './format.ts';
import { withoutQuotes } from './normalize.ts';
import type { CompiledCommands } from './patterns.ts';
import { isOneOf, programName, startedFrom } from './started-from.ts';

/** A program that was just started, with its arguments one by one. */
export interface StartSeen {
  os: Os;
  name: string;
  args: string[];
  parents: string[];
}

/** What a command of a user has fetched into files. */
export interface FetchedFiles {
  /** The names in the command: the folder may be missing. */
  files: string[];
  /** Host only. */
  address: string;
}

const maxArguments = 200;
/** What is fetched into one of them is in no file. */
const noFile = new Set(['', '-', '.', '..', '/dev/null', '/dev/stdout', 'nul']);

/** `-fsSLo x`, `-ox`, `--output x` and `--output=x`. The names, and whether the address gives one. */
function namesIn(args: string[], { names, by_address, always }: Saver): { named: string[]; byAddress: boolean } {
  const named: string[] = [];
  let byAddress = always;
  args.forEach((arg, index) => {
    const [long = '', value] = arg.split('=', 2);
    if (names.includes(long)) named.push(value ?? args[index + 1] ?? '');
    else if (by_address.includes(arg)) byAddress = true;
    else if (/^-[A-Za-z]/.test(arg)) {
      const flags = Array.from(arg.slice(1, 20));
      const at = flags.findIndex((flag) => names.includes(`-${flag}`));
      if (at !== -1) named.push(arg.slice(at + 2) || (args[index + 1] ?? ''));
      else if (flags.some((flag) => by_address.includes(`-${flag}`))) byAddress = true;
    }
  });
  return { named, byAddress };
}

/** `/tmp/update`, `./update` and `UPDATE.EXE` without what differs between ways to name a file. */
function readPath(written: string, os: Os): string {
  const path = (os === 'windows' ? written.replaceAll('\\', '/') : written).replace(/^(?:\.{0,2}\/)+/, '').slice(-1_000);
  return os === 'linux' ? path : path.toLowerCase();
}

function isAmong(written: string, files: string[], os: Os): boolean {
  const path = readPath(written, os);
  return path !== '' && files.some((file) => path === file || path.endsWith(`/${file}`) || file.endsWith(`/${path}`));
}

/** The file of an address, without its query. */
const lastSegment = (address: string) => address.slice(0, 2_000).split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';

/**
 * Whether a user typed it, or pasted it as a line: what a script starts is part of the script, which is one question. A shell within a shell
 * is taken for a script.
 */
function isTyped({ os, parents }: StartSeen, commands: CompiledCommands): boolean {
  const names = parents.map(programName);
  const top = names.findIndex((name) => !isOneOf(name, commands.passed_through) && name !== 'login');
  const shells = names.slice(0, top === -1 ? names.length : top).filter((name) => isOneOf(name, commands.fetched_files.shells));
  return shells.length <= 1 && startedFrom(parents, os, commands) !== null;
}

/** Null if a user did not type it, or if it fetches nothing into a file. */
export function fetchedFiles(seen: StartSeen, commands: CompiledCommands): FetchedFiles | null {
  const { os, name, args } = seen;
  const program = programName(name);
  const saver = commands.fetched_files.savers.find(({ programs }) => isOneOf(program, programs));
  if (!saver || !isTyped(seen, commands)) return null;
  const read = args.slice(0, maxArguments);
  const [address] = findAddresses(withoutQuotes([program, ...read].join(' '), os)).web;
  if (address === undefined) return null;
  const { named, byAddress } = namesIn(read, saver);
  const addresses = read.filter((arg) => !arg.startsWith('-') && arg.includes('/') && !named.includes(arg));
  const files = (named.length === 0 && byAddress ? addresses.map(lastSegment) : named).filter((file) => !noFile.has(file.toLowerCase()));
  return files.length > 0 ? { files: files.map((file) => readPath(file, os)), address } : null;
}

/** The arguments by which a program gets the file to run: the first one, and that of PowerShell's `-File`. */
function filesToRun({ os, name, args }: StartSeen, { fetched_files: { runners } }: CompiledCommands): string[] {
  if (!isOneOf(programName(name), runners)) return [];
  const isOption = (arg: string) => arg.startsWith('-') || (os === 'windows' && arg.startsWith('/'));
  const first = args.findIndex((arg) => !isOption(arg));
  const file = args.findIndex((arg) => /^[-/]f(?:i(?:le?)?)?$/i.test(arg));
  // After the comma is the entry point, for `rundll32`.
  return [first, file === -1 ? -1 : file + 1].flatMap((at) => args[at]?.split(',', 1) ?? []);
}

/** Whether reading the command of this start is worth the time. */
export function mayStart(
  { os, name }: { os: Os; name: string },
  path: string,
  { files }: FetchedFiles,
  commands: CompiledCommands,
): boolean {
  return isOneOf(programName(name), commands.fetched_files.runners) || isAmong(path, files, os);
}

/**
 * Whether a user starts one of these files: as a program, whose file is at `path`, or as an `argument` of a program that runs it. Null if
 * not.
 */
export function startsFetched(
  seen: StartSeen,
  path: string,
  { files }: FetchedFiles,
  commands: CompiledCommands,
): 'program' | 'argument' | null {
  const isFetched = (file: string) => isAmong(file, files, seen.os);
  const way = filesToRun(seen, commands).some(isFetched) ? 'argument' : isFetched(path) ? 'program' : null;
  return way !== null && isTyped(seen, commands) ? way : null;
}
