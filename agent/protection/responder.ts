import type { Os, ProcessSeen } from '../os/port.ts';
import { apply } from './apply.ts';
import type { Finding } from './detectors/detector.ts';
import type { Step } from './plan.ts';

export interface Responder<DefinitionRef> {
  /** Carries a step out. `whose`: who this computer was when it was found; handed on with the outcome. */
  take(step: Step, whose: DefinitionRef): void;
  /** Programs that should have been ended and run all the same. */
  stillRunning(): ProcessSeen[];
  /** Something is in force that may want it otherwise: what was not stopped is told again. */
  forget(): void;
  /** Resolves when all that is under way is over and told. */
  settled(): Promise<unknown>;
}

export interface Listener<DefinitionRef> {
  /** A program stands still and is about to be ended. */
  begin(finding: Finding, whose: DefinitionRef): void;
  /** `remains`: the files of what could not be ended. */
  tell(finding: Finding, stopped: boolean, whose: DefinitionRef, remains: string[]): Promise<void>;
}

/** Does what was planned, and tells each outcome once: again only when it changes. The listener may fail, `failed` is told why. */
export function responder<DefinitionRef>(
  os: Os,
  { begin, tell }: Listener<DefinitionRef>,
  failed: (err: unknown) => void,
): Responder<DefinitionRef> {
  const unstopped = new Map<string, Finding>();
  /** Processes that something is being done about, each with what is to be done next: it may be looked at again before that is over. */
  const underWay = new Map<string, { step: Step; whose: DefinitionRef } | null>();
  const atWork = new Set<Promise<void>>();
  const keyOf = (process: ProcessSeen) => `${process.pid}:${process.started}`;

  const carryOut = async (step: Step, whose: DefinitionRef): Promise<void> => {
    const key = keyOf(step.finding.process);
    if (underWay.has(key)) {
      underWay.set(key, { step, whose });
      return;
    }
    underWay.set(key, null);
    try {
      const toldBefore = unstopped.has(key);
      let remains: string[] = [];
      const stopped = await apply(os, step, {
        // Ending comes first. What runs on although it was tried is told already; a failure here must not keep anything from being ended.
        suspended: () => toldBefore || attempt(() => begin(step.finding, whose), failed),
        remains: (paths) => (remains = paths),
      });
      if (stopped) unstopped.delete(key);
      else unstopped.set(key, step.finding);
      if (stopped || !toldBefore) await tell(step.finding, stopped, whose, remains);
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
      for (const [key, finding] of unstopped) if (!os.isRunning(finding.process)) unstopped.delete(key);
      return [...unstopped.values()].filter((finding) => finding.wanted === 'block').map((finding) => finding.process);
    },
    forget: () => unstopped.clear(),
    settled: () => Promise.all(atWork),
  };
}

function attempt(act: () => void, failed: (err: unknown) => void): void {
  try {
    act();
  } catch (err) {
    failed(err);
  }
}
