import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type DestinationStream, pino } from 'pino';
import { StartRefused } from './start-failure.ts';

export interface LogFile {
  path: string;
  max_mb: number;
  /** How many older files stay: `server.log.1` is the newest of them. */
  older: number;
}

/** How much waits in memory while standard output takes nothing. */
const max_waiting = 1024 * 1024;

/**
 * Where the log goes. Lines are written at once, so that the last line of a process is there, and a full disk loses lines but never ends
 * the server. Throws `StartRefused` for a file that cannot be written.
 */
export const logDestination = (file: LogFile | null): DestinationStream => (file ? rotatedFile(file) : standardOutput());

function standardOutput(): DestinationStream {
  const stream = pino.destination({ fd: 1, sync: true, maxLength: max_waiting });
  // Without a listener a full disk, where standard output is a file, would end this process.
  stream.on('error', () => {});
  // Above its limit the stream drops lines without trying again.
  stream.on('drop', () => {
    try {
      stream.flushSync();
    } catch {
      // It is still full; the next line tries again.
    }
  });
  return stream;
}

/** Not pino-roll, which never writes to the path that it is given, and keeps all that a full disk refuses in memory without a limit. */
function rotatedFile({ path, max_mb, older }: LogFile): DestinationStream {
  const max = max_mb * 1024 * 1024;
  let fd = openOrRefuse(path);
  let size = fstatSync(fd).size;
  let lost = 0;
  /** The disk became full in the middle of a line. */
  let isCut = false;

  const append = (text: string) => {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) {
      const count = writeSync(fd, bytes, written);
      written += count;
      size += count;
      isCut = written < bytes.length;
    }
  };
  const rotate = () => {
    try {
      // Another server on this file may have rotated it.
      if (sizeOf(path) >= max) moveUp(path, older);
      const next = openLogFile(path);
      closeSync(fd);
      fd = next;
      size = fstatSync(fd).size;
    } catch {
      // The same file goes on, and the next megabytes try again.
      size = 0;
    }
  };
  return {
    write(line) {
      if (size >= max) rotate();
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

const lostLine = (count: number) =>
  `${JSON.stringify({ level: 40, time: Date.now(), lost: count, msg: 'lines of this log were lost, because its file could not be written' })}\n`;
