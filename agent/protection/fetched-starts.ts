import { type FetchedFiles, fetchedFiles, mayStart, type StartSeen, startsFetched } from '@porchlight/definitions/commands/fetched-file.ts';
import type { CompiledCommands } from '@porchlight/definitions/commands/patterns.ts';
import type { Os, ProcessCommand, ProcessSeen } from '../os/port.ts';

/** Milliseconds for which a fetched file is remembered; what people are made to paste goes on at once. */
const REMEMBERED_MS = 10 * 60_000;
/** A clock of a file system can be less exact than ours. */
const CHANGED_BEFORE_MS = 60_000;
/** Remembered fetches, and starts of what they fetched. */
const FETCHES_MAX = 50;
const STARTS_MAX = 200;

export interface Fetch extends FetchedFiles {
  line: string;
  /** Milliseconds since 1970. */
  at: number;
}

export interface FetchedStarts {
  /** Whether it may start a fetched file, so that reading its command is worth the time. */
  isWatching(process: ProcessSeen, commands: CompiledCommands): boolean;
  note(process: ProcessSeen, command: ProcessCommand, commands: CompiledCommands): void;
  /** The fetch whose file this start is about, or null. The same for a process however often it is asked. */
  of(process: ProcessSeen, command: ProcessCommand, commands: CompiledCommands): Fetch | null;
}

const keyOf = ({ pid, started, path }: ProcessSeen) => `${pid}:${started}:${path}`;
const startSeen = ({ program }: ProcessSeen, { args, parents }: ProcessCommand): StartSeen => ({
  ...{ os: program.os, name: program.name, args, parents },
});

/** A shell in which a user pastes several steps starts each one by itself: first a fetch into a file, then this file (P12.4). */
export function fetchedStarts({ os, now }: { os: Pick<Os, 'fileChanged'>; now: () => Date }): FetchedStarts {
  let fetches: Fetch[] = [];
  const starts = new Map<string, Fetch>();
  const recent = () => {
    const time = now().getTime();
    fetches = fetches.filter(({ at }) => Math.abs(time - at) <= REMEMBERED_MS);
    return fetches;
  };
  /** An older program with the name of a fetched file is another one. */
  const isOlder = (process: ProcessSeen, { at }: Fetch) => (os.fileChanged(process) ?? at) < at - CHANGED_BEFORE_MS;
  return {
    isWatching: (process, commands) =>
      starts.has(keyOf(process)) || recent().some((fetch) => mayStart(process.program, process.path, fetch, commands)),
    note(process, command, commands) {
      const found = fetchedFiles(startSeen(process, command), commands);
      if (found) fetches = [...recent(), { ...found, line: command.line, at: now().getTime() }].slice(-FETCHES_MAX);
    },
    of(process, command, commands) {
      const key = keyOf(process);
      const known = starts.get(key);
      if (known) return known;
      const seen = startSeen(process, command);
      const found = recent().findLast((fetch) => {
        const way = startsFetched(seen, process.path, fetch, commands);
        return way === 'argument' || (way === 'program' && !isOlder(process, fetch));
      });
      if (!found) return null;
      starts.set(key, found);
      for (const oldest of [...starts.keys()].slice(0, -STARTS_MAX)) starts.delete(oldest);
      return found;
    },
  };
}
