import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DestinationStream } from 'pino';
import { StartRefused } from './start-failure.ts';

export interface LogFile {
  path: string;
  max_mb: number;
  /** How many older files stay: `server.log.1` is the newest of them. */
  older: number;
}

/**
 * Where the log goes. Lines are written at once, so that the last line of a process is there, and a full disk loses lines but never ends
 * the server. Throws `StartRefused` for a file that cannot be written.
 */
export const logDestination = (file: LogFile | null, now: () => number = () => performance.now()): DestinationStream =>
  file ? rotatedFile(file, now) : lineWriter(() => 1);

/** In milliseconds: how often a file that was moved or deleted by another program is noticed. */
const check_every = 5_000;

/**
 * Not pino-roll, which never writes to the path that it is given. Not its stream either: it keeps all that a full disk refuses in memory, and
 * with a limit it never writes again, or waits for ever.
 */
function rotatedFile({ path, max_mb, older }: LogFile, now: () => number): DestinationStream {
  const max = max_mb * 1024 * 1024;
  let fd = openOrRefuse(path);
  let size = fstatSync(fd).size;
  let checked = now();
  const open = () => {
    const next = openLogFile(path);
    closeSync(fd);
    fd = next;
    size = fstatSync(fd).size;
  };
  const rotate = () => {
    try {
      // Another server on this file may have rotated it.
      if (sizeOf(path) >= max) moveUp(path, older);
      open();
    } catch (err) {
      // The same file goes on, and the next megabytes try again.
      size = 0;
      writer.write(lineOf({ code: (err as NodeJS.ErrnoException).code, msg: 'this log could not be rotated, so its file goes on' }));
    }
  };
  const reopenIfMoved = () => {
    checked = now();
    try {
      if (statSync(path, { throwIfNoEntry: false })?.ino !== fstatSync(fd).ino) open();
    } catch {
      // Its folder is gone, perhaps for a moment.
    }
  };
  const writer = lineWriter(
    () => fd,
    (count) => {
      size += count;
    },
  );
  return {
    write(line) {
      if (now() - checked >= check_every) reopenIfMoved();
      if (size >= max) rotate();
      writer.write(line);
    },
  };
}

/** In milliseconds. A pipe is full for a moment when its reader is slow. */
const pipe_wait = 20;
const pipe_waits = 50;

/** A line that cannot be written is lost and counted; the count is written before the next line that can be. */
function lineWriter(fd: () => number, wrote: (bytes: number) => void = () => {}): DestinationStream {
  let lost = 0;
  /** The last line was written in part. */
  let isCut = false;

  const append = (text: string) => {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; isCut = written < bytes.length) {
      // Only the first line waits for a reader that has stopped reading, so that the server does not wait with it.
      const count = writePatiently(fd(), bytes.subarray(written), lost === 0 ? pipe_waits : 0);
      written += count;
      wrote(count);
    }
  };
  return {
    write(line) {
      try {
        if (isCut) append('\n');
        if (lost > 0) append(lostLine(lost));
        lost = 0;
        append(line);
      } catch {
        lost += 1;
      }
    },
  };
}

function writePatiently(fd: number, bytes: Buffer, waits: number): number {
  try {
    return writeSync(fd, bytes);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EAGAIN' || waits === 0) throw err;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pipe_wait);
    return writePatiently(fd, bytes, waits - 1);
  }
}

const openLogFile = (path: string) => openSync(path, 'a', 0o600);

function openOrRefuse(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openLogFile(path);
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException;
    throw new StartRefused(
      `LOG_FILE is ${path}, and Porchlight cannot write there (${code}). Give its folder to the user who starts Porchlight, or set LOG_FILE to another file.`,
    );
  }
}

/** `server.log` becomes `server.log.1`, and that `server.log.2`; what is older than the last one is deleted. */
function moveUp(path: string, older: number): void {
  for (const n of numbersOf(path)) if (n >= older) rmSync(`${path}.${n}`, { force: true });
  for (const n of numbersOf(path).toSorted((a, b) => b - a)) renameSync(`${path}.${n}`, `${path}.${n + 1}`);
  renameSync(path, `${path}.1`);
}

function numbersOf(path: string): number[] {
  const prefix = `${basename(path)}.`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && /^[1-9]\d*$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)));
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const lineOf = (fields: object) => `${JSON.stringify({ level: 40, time: Date.now(), ...fields })}\n`;

const lostLine = (count: number) => lineOf({ lost: count, msg: 'lines of this log were lost, because its file could not be written' });
