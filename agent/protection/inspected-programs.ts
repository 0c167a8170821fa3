import type { Os, ProcessSeen } from '../os/port.ts';
import type { ProgramFinding } from './detectors/detector.ts';

export interface InspectedPrograms {
  /** Returns whether the finding was added before. */
  add(finding: ProgramFinding): boolean;
  forgetEnded(): void;
}

/**
 * The recognised programs that run and were inspected, which the observer reports again after a policy change. A restart of the agent empties
 * the list, so that a program which goes on running may be reported twice.
 */
export function inspectedPrograms(os: Pick<Os, 'isRunning'>): InspectedPrograms {
  const processes = new Map<string, ProcessSeen>();
  return {
    add({ process, match }) {
      // A process may become another program, which is another start.
      const key = `${process.pid}:${process.started}:${match.identifier}`;
      const wasAdded = processes.has(key);
      processes.set(key, process);
      return wasAdded;
    },
    forgetEnded() {
      for (const [key, process] of processes) if (!os.isRunning(process)) processes.delete(key);
    },
  };
}
