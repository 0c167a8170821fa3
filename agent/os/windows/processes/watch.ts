import { win32 } from 'node:path';
import { processIdentity } from '../../../lib/process-identity.ts';
import type { ProcessSeen } from '../../port.ts';
import type { FileFacts } from '../file/file-facts.ts';
import type { ListedProcess } from './process-table.ts';
import type { Processes } from './processes.ts';

/**
 * Polls the process list every `intervalMs()` and reads only new processes. Reports a process again when `readSlowly` has read its file.
 */
export function watchList(
  { list, pathOf }: Pick<Processes, 'list' | 'pathOf'>,
  readFacts: (path: string) => FileFacts,
  intervalMs: () => number,
  report: (processes: ProcessSeen[]) => void,
  readSlowly: (path: string) => Promise<FileFacts> | null = () => null,
): { close(): void } {
  let knownKeys = new Set<string>();
  const scan = () => {
    const currentKeys = new Set<string>();
    const newProcesses: ProcessSeen[] = [];
    for (const entry of list()) {
      const key = processIdentity(entry);
      currentKeys.add(key);
      if (knownKeys.has(key) || !entry.name) continue;
      const path = pathOf(entry.pid);
      newProcesses.push(describeProcess(entry, path, readFacts));
      if (path)
        void readSlowly(path)?.then((slowFacts) => {
          if (knownKeys.has(key)) report([describeProcess(entry, path, () => slowFacts)]);
        });
    }
    knownKeys = currentKeys;
    if (newProcesses.length) report(newProcesses);
  };
  let timer: NodeJS.Timeout;
  const scanRepeatedly = () => {
    scan();
    timer = setTimeout(scanRepeatedly, intervalMs());
  };
  scanRepeatedly();
  return {
    close() {
      clearTimeout(timer);
      knownKeys = new Set();
    },
  };
}

export function describeProcess(
  { pid, started, name }: ListedProcess,
  path: string | null,
  readFacts: (path: string) => FileFacts,
): ProcessSeen {
  const file = path ?? name;
  const metadata = path === null ? {} : readFacts(path);
  return {
    pid,
    started,
    path: file,
    program: { os: 'windows', name: win32.basename(file), ...(path === null ? {} : { path }), ...metadata },
  };
}
