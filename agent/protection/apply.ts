import type { EndingHeard, Os } from '../os/port.ts';
import type { Step } from './plan.ts';

type Executors = { [K in Step['kind']]: (os: Os, step: Extract<Step, { kind: K }>, heard: EndingHeard) => Promise<boolean> };

/** One executor for each kind of step: a new kind without one does not compile. Each answers whether the threat is stopped. */
const executors: Executors = {
  end_process: (os, { finding }, heard) => os.endTree(finding.process, heard),
  tell_only: async () => false,
};

/** True when the threat is stopped. What cannot be done is not stopped: an error is no reason to say that all is well. */
export async function apply(os: Os, step: Step, heard: EndingHeard): Promise<boolean> {
  try {
    return step.kind === 'end_process' ? await executors.end_process(os, step, heard) : await executors.tell_only(os, step, heard);
  } catch {
    return false;
  }
}
