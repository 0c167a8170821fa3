import { win32 } from 'node:path';
import { processIdentity } from '../../../lib/process-identity.ts';
import { argumentsOf, fileNameOf, programRunBy } from '../../origin.ts';
import type { ProcessSeen, RunProgram } from '../../port.ts';
import type { FileFacts } from '../file/file-facts.ts';
import type { ListedProcess } from './process-table.ts';
import type { Processes } from './processes.ts';

/**
 * Polls the process list every `intervalMs()` and reads only new processes. Reports a process again when `readSlowly` has read its file.
 */
export function watchList(
  { list, pathOf, commandLineOf }: Pick<Processes, 'list' | 'pathOf' | 'commandLineOf'>,
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
      const runs = installs.test(entry.name) ? packageOf(commandLineOf(entry.pid)) : null;
      const describe = (read: typeof readFacts) => ({ ...describeProcess(entry, path, read), ...(runs ? { runs } : {}) });
      newProcesses.push(describe(readFacts));
      if (path)
        void readSlowly(path)?.then((slowFacts) => {
          if (knownKeys.has(key)) report([describe(() => slowFacts)]);
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

/** Windows Installer: the package is the program, whose name alone is known, since it has no version information. */
const installs = /^msiexec\.exe$/i;

function packageOf(commandLine: string | null): RunProgram | null {
  const run = commandLine && programRunBy('msiexec.exe', ['msiexec.exe', ...argumentsOf(commandLine)], '');
  return run ? { path: run.path, program: { os: 'windows', name: fileNameOf(run.path) }, skipped: run.skipped } : null;
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
