import { basename } from 'node:path';
import type { ProcessCommand, ProcessSeen } from '../port.ts';
import { type ProcEntry, readArguments, readChildren, readCommand, readCommandLine, readExecutable, readStat } from './proc.ts';

const MAX_ANCESTORS = 8;

/** Reads this process, its ancestors and its siblings. Null when it has ended. Where the kernel has no lists of children there is no pipeline. */
export function commandOf(process: Pick<ProcessSeen, 'pid' | 'started'>): ProcessCommand | null {
  const entry = readStat(process.pid);
  if (!entry || entry.started !== process.started) return null;
  const parents: string[] = [];
  for (let parent = readStat(entry.ppid); parent && parent.pid > 1 && parents.length < MAX_ANCESTORS; parent = readStat(parent.ppid)) {
    parents.push(nameOf(parent));
  }
  const siblings = (readChildren(entry.ppid) ?? []).flatMap((pid) => (pid === entry.pid ? [] : (readStat(pid) ?? [])));
  const pipeline = siblings.filter((one) => one.group === entry.group);
  return {
    line: readCommandLine(entry.pid),
    args: readArguments(entry.pid).slice(1).filter(Boolean),
    parents,
    pipeline: pipeline.map((one) => ({ pid: one.pid, started: one.started, name: nameOf(one), line: readCommandLine(one.pid) })),
  };
}

/** A program whose file may not be read has the name of its command. */
const nameOf = ({ pid, comm }: ProcEntry) => basename(readExecutable(pid) ?? readCommand(pid)[0] ?? comm);
