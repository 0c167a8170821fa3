import type { SystemDoors } from '../os/doors.ts';
import type { EndTreeCallbacks, Os, SuspendedProcess } from '../os/port.ts';
import type { Step } from './decide.ts';
import { type QuarantineActions, type Taken, takeOutOfUse } from './take-out-of-use.ts';

interface Outcomes {
  end_process: boolean;
  /** The suspended processes; null when it goes on. */
  suspend: SuspendedProcess[] | null;
  end_start: boolean;
  refuse_name: true;
  close_door: boolean;
  quarantine: Taken | null;
  report_only: false;
}

export interface ActDeps {
  os: Pick<Os, 'endTree' | 'suspend' | 'endSuspended'>;
  quarantine: QuarantineActions | null;
  /** Null where nobody may change the system. */
  doors: Pick<SystemDoors, 'close'> | null;
}

type Kind = Step['kind'];
type Executors = { [K in Kind]: (deps: ActDeps, step: Step<K>, callbacks: EndTreeCallbacks | undefined) => Promise<Outcomes[K]> };

/** A new kind of step without an executor does not compile. */
const executors: Executors = {
  async end_process({ os }, { finding }, callbacks) {
    try {
      return await os.endTree(finding.process, callbacks);
    } catch {
      return false;
    }
  },
  suspend: async ({ os }, { finding }) => os.suspend(finding.roots).catch(() => null),
  async end_start({ os }, { finding }) {
    const suspended = await os.suspend(finding.roots).catch(() => null);
    return suspended !== null && os.endSuspended(suspended).catch(() => false);
  },
  refuse_name: async () => true,
  close_door: async ({ doors }, { finding }) =>
    doors !== null && finding.closable !== null && doors.close(finding.closable).catch(() => false),
  quarantine: async ({ quarantine }, { finding }) => (quarantine ? takeOutOfUse(finding, quarantine) : null),
  report_only: async () => false,
};

export type Act = <K extends Kind>(step: Step<K>, callbacks?: EndTreeCallbacks) => Promise<Outcomes[K]>;

export function actor(deps: ActDeps): Act {
  return <K extends Kind>(step: Step<K>, callbacks?: EndTreeCallbacks) => {
    const execute: Executors[K] = executors[step.kind];
    return execute(deps, step, callbacks);
  };
}
