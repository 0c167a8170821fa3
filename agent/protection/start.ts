import type { ReportedDetection } from '@porchlight/contract/agent.ts';
import type { Os, ProcessSeen, StartedBy } from '../os/port.ts';
import type { FirstStart } from '../state/first-start.ts';

export type Start = NonNullable<ReportedDetection['start']>;

/** Times in milliseconds since 1970; null when unknown. */
export interface StartFacts {
  /** The last change of the program's file. */
  file_changed: number | null;
  /** A file that changed earlier was there when the agent was first started. */
  first_start: number | null;
  ran_at_first_start: boolean;
  startedBy: StartedBy;
}

/** Whether a person or the system started a program (P9.1). When in doubt, a person did. */
export function decideStart(facts: StartFacts): Start {
  if (!wasThere(facts)) return 'person';
  return facts.ran_at_first_start || facts.startedBy !== 'other' ? 'system' : 'person';
}

const wasThere = ({ file_changed, first_start }: Pick<StartFacts, 'file_changed' | 'first_start'>) =>
  file_changed !== null && first_start !== null && file_changed < first_start;

export interface Starts {
  /** Call with all processes of the first scan after the agent's start. */
  ranAtStart(processes: ProcessSeen[]): void;
  /** Call at each observation, because a program may set the clock back, add a file, and set it right again. */
  checkClock(): void;
  startOf(process: ProcessSeen): Start;
}

export interface StartsDeps {
  os: Pick<Os, 'fileChanged' | 'startedBy'>;
  firstStart: FirstStart;
  now: () => Date;
}

export function starts({ os, firstStart, now }: StartsDeps): Starts {
  const ranAtFirstStart = new Set<string>();
  // The path counts, because a process may become another program.
  const keyOf = ({ pid, started, path }: ProcessSeen) => `${pid}:${started}:${path}`;
  return {
    ranAtStart(processes) {
      if (firstStart.isNow) for (const process of processes) ranAtFirstStart.add(keyOf(process));
    },
    checkClock: () => firstStart.checkClock(now().getTime()),
    startOf(process) {
      const facts = { file_changed: os.fileChanged(process), first_start: firstStart.before() };
      const ran_at_first_start = ranAtFirstStart.has(keyOf(process));
      const asksSystem = wasThere(facts) && !ran_at_first_start;
      return decideStart({ ...facts, ran_at_first_start, startedBy: asksSystem ? os.startedBy(process) : 'other' });
    },
  };
}
