import { processIdentity } from '../lib/process-identity.ts';
import type { Os, ProcessSeen } from '../os/port.ts';
import type { Act } from './act.ts';
import type { ReportOnly, Step } from './decide.ts';
import type { ProgramFinding } from './detectors/detector.ts';

export type ProgramStep = Step<'end_process'> | ReportOnly<ProgramFinding>;

export interface Responder<Whose> {
  take(step: ProgramStep, whose: Whose): void;
  /** Ends a program whose appointment is over: no alarm, and no report (P15.1). */
  endCalmly(step: Step<'end_process'>): void;
  stillRunning(): ProcessSeen[];
  /** Forgets what was reported, so that after a policy change programs that could not be stopped are reported again. */
  forget(): void;
  settled(): Promise<unknown>;
}

export interface ProgramReporter<Whose> {
  begin(finding: ProgramFinding, whose: Whose): void;
  report(finding: ProgramFinding, stopped: boolean, whose: Whose, more: { remains: string[] }): Promise<void>;
  reportAllowed(finding: ProgramFinding, whose: Whose): Promise<void>;
}

export interface ResponderDeps<Whose> {
  os: Pick<Os, 'isRunning'>;
  act: Act;
  reporter: ProgramReporter<Whose>;
  failed: (err: unknown) => void;
}

/** Handles each program in one action at a time, and reports its outcome again only when the outcome changes. */
export function responder<Whose>({ os, act, reporter, failed }: ResponderDeps<Whose>): Responder<Whose> {
  const unstopped = new Map<string, ProgramStep>();
  /** Programs with a running action, each with the next step, because a program may be observed again meanwhile. */
  const inProgress = new Map<string, { step: ProgramStep; whose: Whose } | null>();
  const runningWork = new Set<Promise<void>>();
  const keyOf = ({ finding }: ProgramStep) => processIdentity(finding.process);

  const carryOut = async (step: ProgramStep, whose: Whose): Promise<void> => {
    const key = keyOf(step);
    if (inProgress.has(key)) {
      inProgress.set(key, { step, whose });
      return;
    }
    inProgress.set(key, null);
    try {
      const reportedBefore = unstopped.has(key);
      let remains: string[] = [];
      const callbacks = {
        // A failure of the reporter must not prevent ending the program. A program that survived an earlier attempt is reported already.
        suspended: () => reportedBefore || attempt(() => reporter.begin(step.finding, whose), failed),
        remains: (paths: string[]) => (remains = paths),
      };
      const stopped = step.kind === 'end_process' ? await act(step, callbacks) : await act(step);
      if (stopped) unstopped.delete(key);
      else unstopped.set(key, step);
      if (stopped || !reportedBefore) await reporter.report(step.finding, stopped, whose, { remains });
    } finally {
      const nextStep = inProgress.get(key);
      inProgress.delete(key);
      if (nextStep && os.isRunning(nextStep.step.finding.process)) await carryOut(nextStep.step, nextStep.whose);
    }
  };

  // An allowed program is no failed attempt: its end is announced as any other when its allow-list entry ends.
  const isAllowed = (step: ProgramStep) => step.kind === 'report_only' && step.is_allowed === true;

  const endCalmly = async (step: Step<'end_process'>): Promise<void> => {
    const key = keyOf(step);
    if (inProgress.has(key)) return;
    inProgress.set(key, null);
    try {
      // What goes on is tried again, and is an alarm like any other once it is tried too late.
      if (await act(step)) unstopped.delete(key);
      else unstopped.set(key, step);
    } finally {
      inProgress.delete(key);
    }
  };
  const run = (started: Promise<void>) => {
    const work = started.catch(failed);
    runningWork.add(work);
    void work.finally(() => runningWork.delete(work));
  };

  return {
    take: (step, whose) => run(isAllowed(step) ? reporter.reportAllowed(step.finding, whose) : carryOut(step, whose)),
    endCalmly: (step) => run(endCalmly(step)),
    stillRunning() {
      for (const [key, { finding }] of unstopped) if (!os.isRunning(finding.process)) unstopped.delete(key);
      return [...unstopped.values()].flatMap(({ kind, finding }) => (kind === 'end_process' ? [finding.process] : []));
    },
    forget: () => unstopped.clear(),
    settled: () => Promise.all(runningWork),
  };
}

function attempt(work: () => void, failed: (err: unknown) => void): void {
  try {
    work();
  } catch (err) {
    failed(err);
  }
}
