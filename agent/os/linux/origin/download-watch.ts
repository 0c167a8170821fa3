import { type Dirent, type FSWatcher, lstatSync, opendirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { type DownloadFolder, MAX_DEPTH } from './download-folders.ts';
import { type OpenFile, withOpenFile } from './open-file.ts';

/** Limits for each download folder: watched folders, and files of a folder that are read at once. */
const MAX_WATCHED = 200;
const MAX_FILES = 5000;
/** Files between two turns of the event loop. */
const BATCH = 100;

export interface DownloadWatch {
  /** Replaces the watched folders, and reads the files of the folders that are new. */
  setFolders(folders: DownloadFolder[]): void;
  /** Resolves when all files that were reported so far are marked. */
  idle(): Promise<void>;
  close(): void;
}

interface WatchedFolder extends DownloadFolder {
  depth: number;
  top: string;
  inode: number;
  watcher: FSWatcher;
}

/**
 * Calls `appeared` for each regular file of the folder's owner that is created in a download folder or a folder below it, or moved there, and
 * for those that are there at the start. The inode of a download stays the same when its browser renames it, so that it is marked before it has
 * its name. Reports a file more than once.
 */
export function watchDownloads(appeared: (file: OpenFile) => void, failed: (why: unknown) => void): DownloadWatch {
  const watchedFolders = new Map<string, WatchedFolder>();
  const pendingFiles: { path: string; uid: number }[] = [];
  let [draining, closed]: [Promise<void> | null, boolean] = [null, false];

  const drain = async () => {
    await new Promise(setImmediate);
    for (let batch = pendingFiles.splice(0, BATCH); batch.length && !closed; batch = pendingFiles.splice(0, BATCH)) {
      for (const { path, uid } of batch) {
        withOpenFile(path, 'refuse', (file) => {
          // A user can link another user's file into the folder.
          if (file.uid === uid) appeared(file);
        });
      }
      await new Promise(setImmediate);
    }
    draining = null;
  };
  const queue = (path: string, uid: number) => {
    pendingFiles.push({ path, uid });
    draining ??= drain();
  };

  const unwatch = (path: string) => {
    watchedFolders.get(path)?.watcher.close();
    watchedFolders.delete(path);
  };
  const add = (path: string, { uid, depth, top }: Pick<WatchedFolder, 'uid' | 'depth' | 'top'>) => {
    const inode = inodeOf(path, uid);
    const known = watchedFolders.get(path);
    if (known && known.inode === inode) return;
    unwatch(path);
    if (inode === null || closed || countOf(top) >= MAX_WATCHED) return;
    try {
      const watcher = watch(path, { persistent: false }, (event, name) => {
        if (event !== 'rename' || name === null || closed) return;
        if (depth < MAX_DEPTH) add(join(path, name), { uid, depth: depth + 1, top });
        queue(join(path, name), uid);
      });
      watcher.on('error', () => unwatch(path));
      watchedFolders.set(path, { path, uid, depth, top, inode, watcher });
    } catch (err) {
      // Such as the limit of inotify watches: the other folders are still watched.
      failed(err);
    }
    // Read after the watch began, so that no file is missed.
    for (const entry of entriesOf(path)) {
      if (entry.isDirectory() && depth < MAX_DEPTH) add(join(path, entry.name), { uid, depth: depth + 1, top });
      if (entry.isFile()) queue(join(path, entry.name), uid);
    }
  };
  const countOf = (top: string) => [...watchedFolders.values()].filter((folder) => folder.top === top).length;

  return {
    setFolders(folders) {
      const tops = new Set(folders.map(({ path }) => path));
      for (const { path, top, uid, inode } of [...watchedFolders.values()])
        if (!tops.has(top) || inodeOf(path, uid) !== inode) unwatch(path);
      for (const { path, uid } of folders) add(path, { uid, depth: 1, top: path });
    },
    async idle() {
      while (draining) await draining;
    },
    close() {
      closed = true;
      for (const path of [...watchedFolders.keys()]) unwatch(path);
    },
  };
}

/** Null unless it is a folder of this user, and no symbolic link. */
function inodeOf(path: string, uid: number): number | null {
  try {
    const stat = lstatSync(path);
    return stat.isDirectory() && stat.uid === uid ? stat.ino : null;
  } catch {
    return null;
  }
}

function entriesOf(folder: string): Dirent[] {
  const entries: Dirent[] = [];
  try {
    const opened = opendirSync(folder, { bufferSize: 256 });
    try {
      for (let entry = opened.readSync(); entry && entries.length < MAX_FILES; entry = opened.readSync()) entries.push(entry);
    } finally {
      opened.closeSync();
    }
  } catch {
    // A folder that was removed meanwhile.
  }
  return entries;
}
