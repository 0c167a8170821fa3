import type { Os, ProcessSeen } from '../os/port.ts';
import type { Log, SiteAttempt } from '../ports.ts';
import type { InForce } from '../state/in-force.ts';
import type { Act } from './act.ts';
import { watchAllowListExpiry } from './allow-list-expiry.ts';
import { decideProgram, decideSite } from './decide.ts';
import { deniedNames } from './denied-names.ts';
import { detectPrograms } from './detectors/programs.ts';
import { detectSite } from './detectors/sites.ts';
import type { Reporter } from './report.ts';
import { responder } from './responder.ts';
import { stillBlocked } from './still-blocked.ts';

/** How often the running programs are looked at: a quarter of a second from its start a program is over, and ending it takes its time as well. */
export const WATCH_MS = 230;
/** How often it is tried again to end what could not be ended. */
const RETRY_MS = 2000;

export interface ProtectionDeps {
  os: Os;
  inForce: InForce;
  now: () => Date;
  log: Log;
  act: Act;
  reporter: Reporter;
}

export interface Protection {
  /** Looks at everything that runs, as when something was just switched on. */
  rescan(): void;
  /** As `rescan`, when something else is in force: what was not stopped is told again. */
  changed(): void;
  /** The DNS filter saw somebody open a listed site. */
  siteTried(attempt: SiteAttempt): void;
  /** No program is looked at any more; resolves when what is under way is over and told. */
  close(): Promise<unknown>;
}

/** observe → detect → decide → act → report, for programs and sites (`stored.ts` has what lies on the disk). It begins with `rescan`. */
export function protection({ os, inForce, now, log, act, reporter }: ProtectionDeps): Protection {
  const notKept = (err: unknown) => log(`A detection could not be kept: ${String(err)}`);
  const response = responder({ os, act, reporter, failed: notKept });
  const inspect = (processes: ProcessSeen[]) => {
    const [rules, set] = [inForce.rules(), inForce.compiled()];
    if (!rules || !set) return;
    for (const finding of detectPrograms(processes, set)) {
      const step = decideProgram(finding, rules, now());
      if (step) response.take(step, inForce.identity);
    }
  };

  let watch: { close(): void } | null = null;
  const rescan = () => {
    watch?.close();
    os.denyStarts?.(deniedNames(inForce.rules(), inForce.definitions(), now()));
    os.letGo?.((program) => stillBlocked(program, inForce.rules(), inForce.compiled(), now()));
    watch = os.watchProcesses(WATCH_MS, inspect);
  };
  const endings = watchAllowListExpiry({ now, allow: () => inForce.rules()?.allow ?? [], ended: rescan });
  const retrying = setInterval(() => {
    const blockable = response.stillRunning();
    if (blockable.length) inspect(blockable);
  }, RETRY_MS);

  return {
    rescan,
    changed() {
      response.forget();
      rescan();
    },
    siteTried(attempt) {
      const step = decideSite(detectSite(attempt));
      // Who this computer is now, not after the action.
      const whose = inForce.identity;
      void act<'refuse_name' | 'report_only'>(step)
        .then((blocked) => reporter.report(step.finding, blocked, whose))
        .catch(notKept);
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
