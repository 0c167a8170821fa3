import type { SiteAttempt } from '../dns-filter/protocol.ts';
import type { Os, ProcessSeen } from '../os/port.ts';
import type { InForce } from '../state/in-force.ts';
import { watchAllowListExpiry } from './allow-list-expiry.ts';
import { deniedNames } from './denied-names.ts';
import { detectors } from './detectors/all.ts';
import { plan } from './plan.ts';
import type { Reporter } from './reporter.ts';
import { responder } from './responder.ts';
import { siteFinding } from './site-finding.ts';
import { stillBlocked } from './still-blocked.ts';

/** How often the running programs are looked at: a quarter of a second from its start a program is over, and ending it takes its time as well. */
export const WATCH_MS = 230;
/** How often it is tried again to end what could not be ended. */
const RETRY_MS = 2000;

export interface ProtectionDeps {
  os: Os;
  inForce: InForce;
  now: () => Date;
  log: (sentence: string) => void;
  /** Hears what came of a finding. */
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

/** observe → detect → plan → apply, with what is in force. It begins with `rescan`. */
export function protection({ os, inForce, now, log, reporter }: ProtectionDeps): Protection {
  const notKept = (err: unknown) => log(`A detection could not be kept: ${String(err)}`);
  const response = responder(os, reporter, notKept);
  const inspect = (processes: ProcessSeen[]) => {
    const [rules, set] = [inForce.rules(), inForce.compiled()];
    if (!rules || !set) return;
    const findings = detectors.flatMap((detect) => detect({ processes, now: now() }, rules, set));
    for (const step of plan(findings)) response.take(step, inForce.identity);
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
    siteTried: (attempt) => void reporter.tell(siteFinding(attempt), attempt.blocked, inForce.identity).catch(notKept),
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
