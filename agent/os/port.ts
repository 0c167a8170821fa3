import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { ProgramSeen } from '@porchlight/definitions/format.ts';

/** A running program as the system shows it. */
export interface ProcessSeen {
  pid: number;
  /** Tells two processes apart that have the same pid one after the other. */
  started: string;
  /** The file it runs, for the person who wants to know more. */
  path: string;
  program: ProgramSeen;
}

/** The powers of the operating system that the agent needs. One implementation for each system; nothing else knows which it is. */
export interface Os {
  /** What this computer calls itself. `agent_version` is filled in by the agent. */
  info(): Omit<AgentInfo, 'agent_version'>;
  /** What the agent cannot do here, each as a sentence for the person; empty when nothing is missing. */
  limitations(): string[];
  /** Calls back with programs that are new or have become another program since the last time, all at the start; at most `every` ms late. */
  watchProcesses(every: number, seen: (processes: ProcessSeen[]) => void): { close(): void };
  /**
   * Ends this process and all that it started. True when none of them runs any more; false when one could not be ended, or when it is
   * one that must never be: the system's own, ourselves, or what started us. Ends nothing if the pid has become another process.
   */
  endTree(process: ProcessSeen): Promise<boolean>;
  /** True while this very process runs. */
  isRunning(process: ProcessSeen): boolean;
  /** True while the computer itself is going down. False when it stays on, and when this cannot be told. */
  shuttingDown(): Promise<boolean>;
  /**
   * Lets no program of these file names start any more; what was denied before and is not among them may start again. Left out where the
   * system has no such power.
   */
  denyStarts?(names: string[]): void;
  /** Shows an address in the person's browser. False when there is no screen to show it on. */
  openWindow(url: string): boolean;
}
