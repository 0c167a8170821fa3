import type { Os, ProcessSeen } from '../os/port.ts';
import type { Act } from './act.ts';
import type { Step } from './decide.ts';
import type { ProgramFinding } from './detectors/detector.ts';

export type ProgramStep = Extract<Step, { kind: 'end_process' }> | { kind: 'report_only'; finding: ProgramFinding };

export interface Responder<Whose> {
  /** Carries a step out. `whose`: who this computer was when the program was found; handed on with the outcome. */
  take(step: ProgramStep, whose: Whose): void;
  /** Programs that should have been ended and run all the same. */
  stillRunning(): ProcessSeen[];
  /** Another policy may want it otherwise: what was not stopped is reported again. */
  forget(): void;
  /** Resolves when everything that is under way is over and reported. */
  settled(): Promise<unknown>;
}

export interface ProgramReporter<Whose> {
  /** A program stands still and is about to be ended. */
  begin(finding: ProgramFinding, whose: Whose): void;
  /** `remains`: the files of what could not be ended. */
  report(finding: ProgramFinding, stopped: boolean, whose: Whose, remains: string[]): Promise<void>;
}

export interface ResponderDeps<Whose> {
  os: Pick<Os, 'isRunning'>;
  act: Act;
  reporter: ProgramReporter<Whose>;
  /** The reporter failed. */
  failed: (err: unknown) => void;
}

/** Acts on each program once at a time, and reports each outcome once: again only when it changes. */
export function responder<Whose>({ os, act, reporter, failed }: ResponderDeps<Whose>): Responder<Whose> {
  const unstopped = new Map<string, ProgramStep>();
  /** Processes that are being acted on, each with the step that comes next: it may be observed again before the first is over. */
  const underWay = new Map<string, { step: ProgramStep; whose: Whose } | null>();
  const atWork = new Set<Promise<void>>();
  const keyOf = ({ finding: { process } }: ProgramStep) => `${process.pid}:${process.started}`;

  const carryOut = async (step: ProgramStep, whose: Whose): Promise<void> => {
    const key = keyOf(step);
    if (underWay.has(key)) {
      underWay.set(key, { step, whose });
      return;
    }
    underWay.set(key, null);
    try {
      const reportedBefore = unstopped.has(key);
      let remains: string[] = [];
      const heard = {
        // Ending comes first. A program that survived an earlier attempt is reported already; a failure here must not keep anything from being ended.
        suspended: () => reportedBefore || attempt(() => reporter.begin(step.finding, whose), failed),
        remains: (paths: string[]) => (remains = paths),
      };
      const stopped = step.kind === 'end_process' ? await act(step, heard) : await act(step);
      if (stopped) unstopped.delete(key);
      else unstopped.set(key, step);
      if (stopped || !reportedBefore) await reporter.report(step.finding, stopped, whose, remains);
    } finally {
      const next = underWay.get(key);
      underWay.delete(key);
      if (next && os.isRunning(next.step.finding.process)) await carryOut(next.step, next.whose);
    }
  };

  return {
    take(step, whose) {
      const work = carryOut(step, whose).catch(failed);
      atWork.add(work);
      void work.finally(() => atWork.delete(work));
    },
    stillRunning() {
      for (const [key, { finding }] of unstopped) if (!os.isRunning(finding.process)) unstopped.delete(key);
      return [...unstopped.values()].flatMap(({ kind, finding }) => (kind === 'end_process' ? [finding.process] : []));
    },
    forget: () => unstopped.clear(),
    settled: () => Promise.all(atWork),
  };
}

function attempt(work: () => void, failed: (err: unknown) => void): void {
  try {
    work();
  } catch (err) {
    failed(err);
  }
}
