import { argumentsOf } from '../../origin.ts';
import type { ProcessCommand, SuspendedProcess } from '../../port.ts';
import type { Processes } from './processes.ts';

const MAX_ANCESTORS = 8;

/** Null when the process has ended, or its command line may not be read. Windows has no pipelines between processes of one line. */
export function commandOf(
  { list, commandLineOf }: Pick<Processes, 'list' | 'commandLineOf'>,
  process: SuspendedProcess,
): ProcessCommand | null {
  const entries = new Map(list().map((entry) => [entry.pid, entry]));
  const entry = entries.get(process.pid);
  if (entry?.started !== process.started) return null;
  const line = commandLineOf(process.pid);
  if (line === null) return null;
  const parents: string[] = [];
  for (let child = entry; parents.length < MAX_ANCESTORS; ) {
    const parent = entries.get(child.ppid);
    // Windows reuses pids of ended parents.
    if (!parent || BigInt(parent.started) > BigInt(child.started) || parent.pid === child.pid) break;
    parents.push(parent.name);
    child = parent;
  }
  return { line, args: argumentsOf(line), parents, pipeline: [] };
}
