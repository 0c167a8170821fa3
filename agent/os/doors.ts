import { createHash, randomUUID } from 'node:crypto';
import { constants, type FSWatcher, watch } from 'node:fs';
import { stat as fileStat, lstat, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { marks } from '../lib/marked-lines.ts';
import { withLinkedFile, withPlainFile } from '../lib/plain-file.ts';
import { stampOf } from '../lib/stamp.ts';

/** Settings through which someone else can control this computer, or lead it astray (P12.5). Each is null where it cannot be read. */
export interface DoorState {
  /** Remote Desktop of Windows, xrdp, or the remote login of GNOME. */
  remote_desktop: boolean | null;
  /** An SSH server. */
  remote_shell: boolean | null;
  /** Screen Sharing of macOS, the desktop sharing of GNOME or KDE, or a VNC server. */
  screen_sharing: boolean | null;
  remote_assistance: boolean | null;
  /** Login names, sorted. */
  administrators: string[] | null;
  /** Lines `address name` of the hosts file in canonical form, without our own: at most `MAX_HOSTS_ENTRIES`, those that redirect first. */
  hosts_file: { entries: string[] } | null;
  /** DNS servers that someone has set by hand, sorted: neither ours nor from DHCP. */
  dns_changed_by_others: string[] | null;
  /** The proxy for the whole computer; empty when none is set. */
  proxy: string | null;
  /** `off`: our service is disabled or deleted. */
  own_service: 'on' | 'off' | null;
  /** Changes when a file of our program changes. */
  own_files: string | null;
}

type OpenedDoor = 'remote_desktop' | 'remote_shell' | 'screen_sharing' | 'own_service';
/** A door that can be put back safely. `entries`: the lines to remove from the hosts file, in the form of `DoorState`. */
export type ClosableDoor = { door: OpenedDoor } | { door: 'hosts_file'; entries: string[] };

export const MAX_HOSTS_ENTRIES = 2000;

export interface DoorWatch {
  close(): void;
}

export interface SystemDoors {
  read(): Promise<DoorState>;
  /** Calls when something may have changed, at least every 30 seconds. */
  watch(changed: () => void): DoorWatch;
  /** Puts one door back. False where it is still open afterwards. Nobody loses an account or its rights. */
  close(door: ClosableDoor): Promise<boolean>;
}

/** The whole content of a file, through symbolic links. Null unless it is a regular file of at most `largest` bytes, also in /proc. */
export function readWhole(path: string, largest: number): Promise<Buffer | null> {
  return withLinkedFile(path, async (file) => {
    const chunks: Buffer[] = [];
    // The size of a file in /proc is 0.
    for (let total = 0; total <= largest; ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(65_536), 0, 65_536, null);
      if (bytesRead === 0) return Buffer.concat(chunks);
      chunks.push(buffer.subarray(0, bytesRead));
      total += bytesRead;
    }
    return null;
  });
}

export const isMissing = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => false,
    (err: NodeJS.ErrnoException) => err.code === 'ENOENT',
  );

/** Lists that block advertisements have some 5 MB. */
const MAX_HOSTS_BYTES = 16 << 20;

/** Reads the entries of a hosts file, and parses it again only when it has changed. */
export function hostsReader(): (path: string) => Promise<DoorState['hosts_file']> {
  let known: { stamp: string; entries: string[] } | null = null;
  return async (path) => {
    const stat = await fileStat(path, { bigint: true }).catch(() => null);
    const stamp = stat && `${path}:${stampOf(stat)}`;
    if (known && known.stamp === stamp) return { entries: known.entries };
    // A byte is a character: the file may be in any encoding.
    const text = (await readWhole(path, MAX_HOSTS_BYTES))?.toString('latin1');
    if (text === undefined) return (await isMissing(path)) ? { entries: [] } : null;
    const entries = hostsEntries(text);
    known = stamp ? { stamp, entries } : null;
    return { entries };
  };
}

/** The entries of a hosts file in canonical form, without our own. A line between our marks that is not in our form is not ours. */
export function hostsEntries(text: string): string[] {
  const [redirecting, blocking] = [new Set<string>(), new Set<string>()];
  for (const { line, marked } of linesOf(text)) {
    if (blocking.size >= MAX_HOSTS_ENTRIES && blockingAddress.test(line)) continue;
    for (const entry of entriesIn(line)) {
      if (marked && isOwnForm(entry)) continue;
      const entries = blockingAddress.test(entry) ? blocking : redirecting;
      if (entries.size < MAX_HOSTS_ENTRIES) entries.add(entry);
    }
  }
  return [...redirecting, ...blocking].slice(0, MAX_HOSTS_ENTRIES);
}

/** The name is found nowhere, or on this computer. */
const blockingAddress = /^(0\.0\.0\.0|127\.[\d.]+|::1?) /;
const isOwnForm = (entry: string) => entry.startsWith('0.0.0.0 ') || entry.startsWith(':: ');

/** The lines with their ends. `marked`: between our marks. */
function linesOf(text: string): { line: string; marked: boolean }[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  // Without an end mark only the line of the begin mark is ours.
  const lastEnd = lines.findLastIndex((line) => line.includes(marks.end));
  let marked = false;
  return lines.map((line, n) => {
    if (line.includes(marks.begin)) marked = n < lastEnd;
    const isMarked = marked;
    if (line.includes(marks.end)) marked = false;
    return { line, marked: isMarked };
  });
}

function entriesIn(line: string): string[] {
  const [address = '', ...names] = line.replace(/#.*/s, '').trim().split(/\s+/);
  const canonical = canonicalAddress(address);
  return canonical === null ? [] : names.flatMap((name) => canonicalName(name) ?? []).map((name) => `${canonical} ${name}`);
}

function canonicalName(name: string): string | null {
  const lower = name.toLowerCase().replace(/\.$/, '');
  return /^[\w.-]{1,253}$/.test(lower) ? lower : null;
}

export function canonicalAddress(text: string): string | null {
  const address = text.replace(/%.*/, '');
  if (isIP(address) !== 6) return isIP(address) ? address : null;
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const [h, l] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [h >> 8, h & 255, l >> 8, l & 255].join('.');
}

/** Every other byte stays. A line with several names loses only the removed ones. Our own lines stay. */
export function withoutEntries(text: string, entries: string[]): string {
  const removed = new Set(entries);
  return linesOf(text)
    .map(({ line, marked }) => {
      const inLine = entriesIn(line).filter((entry) => removed.has(entry) && !(marked && isOwnForm(entry)));
      if (inLine.length === 0) return line;
      const names = new Set(inLine.map((entry) => entry.slice(entry.indexOf(' ') + 1)));
      const [content = ''] = line.split('#', 1);
      // Words and the spaces between them alternate. An indented line begins with an empty word.
      const pieces = content.split(/(\s+)/);
      const [head, others] = [pieces.slice(0, pieces[0] ? 1 : 3), pieces.slice(pieces[0] ? 1 : 3)];
      const isRemoved = (word = '') => names.has(canonicalName(word) ?? '');
      const remaining = others.filter((piece, n) => !isRemoved(n % 2 ? piece : others[n + 1]));
      // An address alone is no entry.
      return remaining.some((piece) => piece.trim()) ? [...head, ...remaining, line.slice(content.length)].join('') : '';
    })
    .join('');
}

/** Puts `temporary` in the place of `path`, atomically, with the rights and owner of `path`. */
export type ReplaceFile = (temporary: string, path: string) => Promise<void>;

/**
 * Removes these entries from the hosts file; what else is in it, its rights and its owner stay. False when one is still there, or when the
 * path is not a regular file: no link is followed.
 */
export async function removeFromHosts(path: string, entries: string[], replace: ReplaceFile = rename): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const found = await withPlainFile(
      path,
      async (file) => ({ stat: await file.stat({ bigint: true }), text: (await file.readFile()).toString('latin1') }),
      MAX_HOSTS_BYTES,
    );
    if (!found) return isMissing(path);
    const text = withoutEntries(found.text, entries);
    if (text === found.text) return true;
    const outcome = await replaceContent(path, Buffer.from(text, 'latin1'), found.stat, replace);
    if (outcome !== 'changed') return outcome === 'replaced';
  }
  return false;
}

type Replaced = 'replaced' | 'changed' | 'failed';
type Known = Parameters<typeof stampOf>[0] & { mode: bigint; uid: bigint; gid: bigint };

/** `changed`: another program wrote the file since `known` was read, so its content must be read again. */
async function replaceContent(path: string, content: Buffer, known: Known, replace: ReplaceFile): Promise<Replaced> {
  const temporary = `${path}.porchlight-${randomUUID()}`;
  const mode = Number(known.mode & 0o777n);
  const isUnchanged = async () => {
    const stat = await lstat(path, { bigint: true });
    return stat.isFile() && stampOf(stat) === stampOf(known);
  };
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(content);
      if (process.platform !== 'win32') {
        await file.chown(Number(known.uid), Number(known.gid));
        // After the owner, whose change may clear bits.
        await file.chmod(mode);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (!(await isUnchanged())) return 'changed';
    await replace(temporary, path);
    return 'replaced';
  } catch (err) {
    // A container mounts its hosts file, which can only be overwritten.
    if ((err as NodeJS.ErrnoException).code !== 'EBUSY' || !(await isUnchanged().catch(() => false))) return 'failed';
    const flags = constants.O_WRONLY | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);
    return writeFile(path, content, { flag: flags }).then(
      () => 'replaced',
      () => 'failed',
    );
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

const [MAX_PROGRAM_FILES, MAX_DEPTH] = [1000, 5];
/** What an update of ours downloads, and leaves behind for a moment. */
const updateFile = /\.(new|old|part)$/;

/** A stamp of these folders and files, whether they exist or not. `isProgram`: only files with such names count, at the top of a folder. */
export async function programStamp(paths: string[], isProgram: (name: string) => boolean = () => true): Promise<string> {
  const hash = createHash('sha256');
  let count = 0;
  const add = async (path: string, depth: number): Promise<void> => {
    const stat = await lstat(path, { bigint: true }).catch(() => null);
    if (!stat || depth > MAX_DEPTH || ++count > MAX_PROGRAM_FILES) return;
    if (!stat.isDirectory()) return void hash.update(`${path}\0${stampOf(stat)}\0`);
    const names: string[] = await readdir(path).catch(() => []);
    for (const name of names.toSorted())
      if (!updateFile.test(name) && (depth > 0 || isProgram(name))) await add(join(path, name), depth + 1);
  };
  for (const path of paths) await add(path, 0);
  return hash.digest('hex');
}

/** Calls once after `ms` milliseconds. Returns a function that cancels. */
export type After = (ms: number, run: () => void) => () => void;

export const afterTime: After = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

const POLL_MS = 30_000;
/** An installation changes hundreds of files in a few seconds. */
const COLLECT_MS = 500;

/** Watches folders, not files: a file that is replaced is another one. What the system does not announce is found by polling. */
export function watchFolders(folders: string[], changed: () => void, after: After = afterTime): DoorWatch {
  let cancelCall: (() => void) | null = null;
  const collect = () => {
    cancelCall ??= after(COLLECT_MS, () => {
      cancelCall = null;
      changed();
    });
  };
  let watchers: FSWatcher[] = [];
  const stop = () => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  const start = () => {
    for (const folder of folders) {
      try {
        watchers.push(watch(folder, { persistent: false }, collect).on('error', () => {}));
      } catch {
        // The poll sees what is changed there.
      }
    }
  };
  const poll = () => {
    // A folder may have been replaced, or be new.
    stop();
    start();
    cancelPoll = after(POLL_MS, poll);
    changed();
  };
  start();
  let cancelPoll = after(POLL_MS, poll);
  return {
    close() {
      cancelPoll();
      cancelCall?.();
      stop();
    },
  };
}
