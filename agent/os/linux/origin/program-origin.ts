import { closeSync, openSync, readlinkSync, readSync } from 'node:fs';
import { type GuardUserFiles, unguarded } from '../../../lib/user-file-work.ts';
import { filesRunBy, type LaunchedBy, type LaunchedFile, type Origin, type ProgramOrigin, runnerOf } from '../../origin.ts';
import { pathFor } from '../proc.ts';
import { type Attributes, loadAttributes } from './attributes.ts';
import { downloadFolders, folderOfFile } from './download-folders.ts';
import { watchDownloads } from './download-watch.ts';
import { extractionOf, extractions } from './extractions.ts';
import { lineage } from './lineage.ts';
import { fileMarks } from './marks.ts';
import { type OpenFile, withOpenFile } from './open-file.ts';

/** Folders are created, moved and configured later, and people are added. */
const REFRESH_MS = 60_000;
/** Only root can write there, so a program from there is no part of a download. */
const SYSTEM_FOLDER = /^\/(usr|bin|sbin|lib|lib32|lib64|libx32|etc|snap)\//;
const MAX_ARGUMENTS = 100;
/** A process controls the length of its command line. */
const commandLine = Buffer.alloc(1 << 16);

export interface LinuxOriginDeps {
  /** The folder with etc/passwd and the homes. */
  root: string;
  /** The only user whose files may be read; null for root. */
  onlyUid: number | null;
  /** In a folder that only the agent can change. */
  stateFile: string;
  /** Files that were created earlier (milliseconds since 1970) were there before the agent was. Null when unknown. */
  since: () => number | null;
  now: () => Date;
  failed: (why: unknown) => void;
  guard?: GuardUserFiles;
  attributes?: Attributes | null;
}

export interface LinuxOrigin extends ProgramOrigin {
  /** Resolves when the current download folders are watched and the files that are in them are marked. */
  refresh(): Promise<void>;
}

/** See `ProgramOrigin`. Browsers of Linux set no mark, so the agent marks what appears in the download folders. */
export async function linuxOrigin(deps: LinuxOriginDeps): Promise<LinuxOrigin> {
  const { root, onlyUid, stateFile, since, now, failed, guard = unguarded } = deps;
  const attributes = deps.attributes === undefined ? await loadAttributes() : deps.attributes;
  const marks = fileMarks({ attributes, stateFile, failed });
  const [extracted, started] = [extractions<Origin>(), lineage()];
  let folders = await downloadFolders(root, onlyUid, guard);

  /** A file that was moved here from another folder may be older than the agent. */
  const isNew = ({ born }: OpenFile) => born >= (since() ?? Number.POSITIVE_INFINITY);
  const watch = watchDownloads((file) => {
    if (isNew(file) && !marks.read(file)) marks.add(file);
  }, failed);
  const refresh = async () => {
    folders = await downloadFolders(root, onlyUid, guard);
    watch.setFolders(folders);
    await watch.idle();
    await marks.saved();
  };
  const timer = setInterval(() => void refresh().catch(failed), REFRESH_MS);
  timer.unref();
  await refresh();

  const originOf = (file: OpenFile): Origin => {
    const marked = marks.read(file);
    if (marked) return marked;
    // Started before the watch has marked it, or extracted into a folder that is not watched.
    const isDownloaded = folderOfFile(folders, file.path)?.uid === file.uid && isNew(file);
    const derived: Origin | null = isDownloaded ? { from: 'internet', host: null } : extracted.sourceOf(file);
    if (derived) marks.add(file);
    return derived ?? { from: file.is_root_only ? 'local' : 'unknown' };
  };
  const launchedFrom = (path: string) =>
    withOpenFile(path, 'follow', (file): LaunchedFile => ({ file: file.path, id: file.id, origin: originOf(file) }));

  const noteExtraction = (process: LaunchedBy, args: string[]) => {
    const extraction = extractionOf(process.path, args, readLink(`/proc/${process.pid}/cwd`) ?? '/');
    for (const archive of extraction?.archives ?? []) {
      withOpenFile(pathFor(process.pid, archive), 'follow', (file) => {
        const origin = originOf(file);
        if (extraction && origin.from === 'internet')
          extracted.add({ folder: extraction.folder, uid: file.uid, source: origin }, now().getTime());
      });
    }
  };

  return {
    refresh,
    of(process) {
      const { pid, path } = process;
      const [command = '', ...args] = argumentsOf(pid);
      noteExtraction(process, args);
      const runner = runnerOf(path, command);
      const files = filesRunBy(runner, args).map((file) => pathFor(pid, file));
      // A shell without arguments runs its standard input.
      if (!args.length && filesRunBy(runner, ['x']).length) files.push(`/proc/${pid}/fd/0`);
      const ran = [...files.slice(0, MAX_ARGUMENTS).map(launchedFrom), launchedFrom(`/proc/${pid}/exe`)].filter((file) => file !== null);
      const found = ran.find(({ origin }) => origin.from === 'internet') ?? ran[0] ?? null;
      if (found?.origin.from === 'internet') started.add(pid, found);
      // An interpreter is a system program; its script need not be.
      else if (!SYSTEM_FOLDER.test(found?.file ?? path)) return started.of(pid) ?? found;
      return found;
    },
    ofFile: ({ pid }, path) => launchedFrom(pathFor(pid, path)),
    close() {
      clearInterval(timer);
      watch.close();
    },
  };
}

function argumentsOf(pid: number): string[] {
  try {
    const file = openSync(`/proc/${pid}/cmdline`, 'r');
    try {
      const length = readSync(file, commandLine, 0, commandLine.length, 0);
      return commandLine.toString('utf8', 0, length).split('\0').slice(0, -1);
    } finally {
      closeSync(file);
    }
  } catch {
    return [];
  }
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
