import type { Os, ProcessSeen } from '../os/port.ts';
import type { InForce } from '../state/in-force.ts';
import { watchEndings } from './allow-list-expiry.ts';
import { deniedNames } from './denied-names.ts';
import { detectors } from './detectors/all.ts';
import { plan } from './plan.ts';
import type { Outcomes } from './reporter.ts';
import { responder } from './responder.ts';
import { stillBlocked } from './still-blocked.ts';

/** How often the running programs are looked at: a quarter of a second from its start a program is over, and ending it takes its time as well. */
export const watchEvery = 230;
/** How often it is tried again to end what could not be ended. */
const retryEvery = 2000;

export interface ProtectionParts {
  os: Os;
  inForce: InForce;
  now: () => Date;
  log: (sentence: string) => void;
  /** Hears what came of a finding. */
  outcomes: Outcomes;
}

export interface Protection {
  /** Looks at everything that runs, as when something was just switched on. */
  anew(): void;
  /** As `anew`, when something else is in force: what was not stopped is told again. */
  changed(): void;
  /** No program is looked at any more; resolves when what is under way is over and told. */
  close(): Promise<unknown>;
}

/** observe → detect → plan → apply, with what is in force. It begins with `anew`. */
export function protection({ os, inForce, now, log, outcomes }: ProtectionParts): Protection {
  const response = responder(os, outcomes, (err) => log(`A detection could not be kept: ${String(err)}`));
  const look = (processes: ProcessSeen[]) => {
    const [rules, set] = [inForce.rules(), inForce.compiled()];
    if (!rules || !set) return;
    const findings = detectors.flatMap((detect) => detect({ processes, now: now() }, rules, set));
    for (const step of plan(findings)) response.take(step, inForce.identity);
  };

  let watch: { close(): void } | null = null;
  const anew = () => {
    watch?.close();
    os.denyStarts?.(deniedNames(inForce.rules(), inForce.definitions(), now()));
    os.letGo?.((program) => stillBlocked(program, inForce.rules(), inForce.compiled(), now()));
    watch = os.watchProcesses(watchEvery, look);
  };
  const endings = watchEndings({ now, allow: () => inForce.rules()?.allow ?? [], ended: anew });
  const retrying = setInterval(() => {
    const blockable = response.stillRunning();
    if (blockable.length) look(blockable);
  }, retryEvery);

  return {
    anew,
    changed() {
      response.forget();
      anew();
    },
    close() {
      clearInterval(retrying);
      endings.close();
      watch?.close();
      // What nobody watches over is not kept from starting either.
      os.denyStarts?.([]);
      return response.settled();
    },
  };
}
