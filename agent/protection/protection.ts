import type { Os, ProcessSeen } from '../os/port.ts';
import type { Log, SiteAttempt } from '../ports.ts';
import type { InForce } from '../state/in-force.ts';
import type { Act } from './act.ts';
import { watchAllowListExpiry } from './allow-list-expiry.ts';
import { decideProgram, decideSite } from './decide.ts';
import { deniedNames } from './denied-names.ts';
import type { ProgramFinding } from './detectors/detector.ts';
import { detectPrograms } from './detectors/programs.ts';
import { detectSite } from './detectors/sites.ts';
import { inspectedPrograms } from './inspected-programs.ts';
import type { Reporter } from './report.ts';
import { responder } from './responder.ts';
import type { Starts } from './start.ts';
import { stillBlocked } from './still-blocked.ts';

/** Milliseconds between observations; a program must end within a quarter of a second, and ending takes time too. */
const WATCH_MS = 230;
const RETRY_MS = 2000;

export interface ProtectionDeps {
  os: Os;
  inForce: InForce;
  now: () => Date;
  log: Log;
  act: Act;
  reporter: Reporter;
  starts: Starts;
  /** Ends the pause in force, which is reported. */
  endPause: () => void;
}

export interface Protection {
  rescan(): void;
  /** Rescans after a policy change, and reports again the programs that could not be stopped. */
  changed(): void;
  siteTried(attempt: SiteAttempt): void;
  /** Stops observing; resolves when running actions have ended and are reported. */
  close(): Promise<unknown>;
}

/**
 * observe → detect → decide → act → report, for programs and sites; `stored.ts` does the same for the disk. Begins with the first `rescan`.
 */
export function protection({ os, inForce, now, log, act, reporter, starts, endPause }: ProtectionDeps): Protection {
  const logNotWritten = (err: unknown) => log(`A detection could not be kept: ${String(err)}`);
  const response = responder({ os, act, reporter, failed: logNotWritten });
  const inspected = inspectedPrograms(os);
  let isFirstScan = true;
  /** Remote control that the profile stops starts in a pause. Ending the pause scans again, which ends it. */
  const endsPause = (findings: ProgramFinding[]): boolean => {
    const rules = inForce.rulesUnpaused();
    if (!rules) return false;
    const remoteControl = findings.filter(({ match }) => match.category === 'RemoteControl');
    const times = { now: now(), signedNow: inForce.signedNow() };
    return remoteControl.some((finding) => decideProgram(finding, rules, times)?.kind === 'end_process');
  };
  const inspect = (processes: ProcessSeen[]) => {
    starts.checkClock();
    if (isFirstScan) starts.ranAtStart(processes);
    const set = inForce.compiled();
    const findings = set ? detectPrograms(processes, set) : [];
    // Nearly all programs are unknown, and reading the rules in force reads the clock several times.
    if (!findings.length) return;
    const rules = inForce.rules();
    if (!rules && inForce.isPauseCautious() && endsPause(findings)) return endPause();
    if (!rules) return;
    for (const found of findings) {
      // Read before the action, which ends the program.
      const finding = { ...found, start: starts.startOf(found.process), seen_before: inspected.add(found) };
      const step = decideProgram(finding, rules, { now: now(), signedNow: inForce.signedNow() });
      if (step) response.take(step, inForce.identity);
    }
  };

  let watch: { close(): void } | null = null;
  const rescan = () => {
    watch?.close();
    os.denyStarts?.(deniedNames(inForce.rules(), inForce.definitions(), now()));
    os.allowRestarts?.((program) => stillBlocked(program, inForce.rules(), inForce.compiled(), now()));
    watch = os.watchProcesses(WATCH_MS, inspect);
    isFirstScan = false;
  };
  const expiryWatch = watchAllowListExpiry({ now, allow: () => inForce.rules()?.allow ?? [], ended: rescan });
  const retrying = setInterval(() => {
    const blockable = response.stillRunning();
    if (blockable.length) inspect(blockable);
    inspected.forgetEnded();
  }, RETRY_MS);

  return {
    rescan,
    changed() {
      response.forget();
      rescan();
    },
    siteTried(attempt) {
      const step = decideSite(detectSite(attempt));
      // The identity is read before the action, because it may change meanwhile.
      const identity = inForce.identity;
      void act<'refuse_name' | 'report_only'>(step)
        .then((blocked) => reporter.report(step.finding, blocked, identity))
        .catch(logNotWritten);
    },
    close() {
      clearInterval(retrying);
      expiryWatch.close();
      watch?.close();
      // Removes the block on starting programs, which must not outlast the agent.
      os.denyStarts?.([]);
      return response.settled();
    },
  };
}
