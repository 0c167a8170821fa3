import type { EndingHeard, Os } from '../os/port.ts';
import type { Step } from './decide.ts';
import { type QuarantineActions, type Taken, takeAway } from './take-away.ts';

interface Outcomes {
  end_process: boolean;
  /** True: the DNS filter has refused the name before anybody heard of it. */
  refuse_name: true;
  /** Null when there was nothing to do: it is off, or went with another entry. */
  quarantine: Taken | null;
  report_only: false;
}

export interface ActDeps {
  os: Pick<Os, 'endTree'>;
  /** Null where this agent takes nothing off the disk. */
  quarantine: QuarantineActions | null;
}

type Kind = Step['kind'];
type Executors = { [K in Kind]: (deps: ActDeps, step: Step<K>, heard: EndingHeard | undefined) => Promise<Outcomes[K]> };

/** One executor for each kind of step: a new kind without one does not compile. */
const executors: Executors = {
  async end_process({ os }, { finding }, heard) {
    try {
      return await os.endTree(finding.process, heard);
    } catch {
      // What failed did not stop the program: it is reported as running, and tried again.
      return false;
    }
  },
  refuse_name: async () => true,
  quarantine: async ({ quarantine }, { finding }) => (quarantine ? takeAway(finding, quarantine) : null),
  report_only: async () => false,
};

export type Act = <K extends Kind>(step: Step<K>, heard?: EndingHeard) => Promise<Outcomes[K]>;

export function actor(deps: ActDeps): Act {
  return <K extends Kind>(step: Step<K>, heard?: EndingHeard) => {
    const execute: Executors[K] = executors[step.kind];
    return execute(deps, step, heard);
  };
}
