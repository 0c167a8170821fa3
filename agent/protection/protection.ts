import { createHash } from 'node:crypto';
import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import type { PolicyAction } from '@porchlight/contract/shapes.ts';
import { runsCommands } from '@porchlight/definitions/commands/runs-commands.ts';
import type { ProgramSeen } from '@porchlight/definitions/format.ts';
import { actionFor, type CompiledRecognition, type CompiledSet, matchProgram } from '@porchlight/definitions/match.ts';
import { isOnlyOutgoing } from '@porchlight/definitions/outgoing.ts';
import type { Os, ProcessCommand, ProcessSeen } from '../os/port.ts';
import type { Appointments, Log, SiteAttempt } from '../ports.ts';
import type { InForce, Rules } from '../state/in-force.ts';
import type { Identity } from '../state/store.ts';
import type { Act } from './act.ts';
import { decideProgram, decideSite, decideStart, refusedIn } from './decide.ts';
import { deniedNames } from './denied-names.ts';
import { detectCommands } from './detectors/commands.ts';
import type { ProgramFinding, StartFinding } from './detectors/detector.ts';
import { detectPrograms } from './detectors/programs.ts';
import { detectSite } from './detectors/sites.ts';
import { detectTunnels } from './detectors/tunnels.ts';
import { fetchedStarts } from './fetched-starts.ts';
import { inspectedPrograms } from './inspected-programs.ts';
import type { MeshVpns } from './mesh-vpns.ts';
import type { MoneyRest } from './money-rest.ts';
import { newStarts } from './new-starts.ts';
import type { ProgramLaunches } from './program-launches.ts';
import type { Reporter } from './report.ts';
import { responder } from './responder.ts';
import type { Starts } from './start.ts';
import type { WaitingStarts } from './waiting-starts.ts';

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
  waiting: Pick<WaitingStarts<Identity | null>, 'take' | 'review' | 'close'>;
  moneyRest: Pick<MoneyRest, 'noteRemoteControl'>;
  /** Null where the origin of programs is not read. */
  launches: ProgramLaunches | null;
  meshVpns: MeshVpns;
  /** Whether an incident is open here, as far as the agent knows. */
  isLocked: () => boolean;
  /** A program from the internet ran for the first time, which is only counted. */
  countNewProgram: () => void;
  /** Ends the pause in force, which is reported. */
  endPause: () => void;
  appointments: Pick<Appointments, 'running' | 'endsCalmly'>;
  /** Something happened that ends every appointment (P15.1). */
  endAppointments: () => void;
}

export interface Protection {
  rescan(): void;
  /** Rescans after a policy change, and reports again the programs that could not be stopped. */
  changed(): void;
  siteTried(attempt: SiteAttempt): void;
  /**
   * Stops observing; resolves when running actions have ended and are reported. `leave`: starts that wait go on waiting, for the agent that
   * follows.
   */
  close(leave?: 'leave'): Promise<unknown>;
}

/**
 * observe → detect → decide → act → report, for programs and sites; `stored.ts` does the same for the disk. Begins with the first `rescan`.
 */
export function protection(deps: ProtectionDeps): Protection {
  const { os, inForce, now, log, act, reporter, starts, waiting, moneyRest, launches, meshVpns, appointments, endAppointments, endPause } =
    deps;
  const logNotWritten = (err: unknown) => log(`A detection could not be kept: ${String(err)}`);
  const response = responder({ os, act, reporter, failed: logNotWritten });
  const inspected = inspectedPrograms(os);
  let isFirstScan = true;
  let isInventory = false;
  /** Remote control that the profile stops starts in a pause. Ending the pause scans again, which ends it. */
  const endsPause = (findings: ProgramFinding[]): boolean => {
    const rules = inForce.rulesUnpaused();
    if (!rules) return false;
    const remoteControl = findings.filter(({ match }) => match.category === 'RemoteControl');
    const times = { now: now(), signedNow: inForce.signedNow() };
    return remoteControl.some((finding) => decideProgram(finding, rules, times)?.kind === 'end_process');
  };
  /** Remote control that goes on, and that a person started: a service that always runs would close the bank for good (P12.6). */
  const noteAllowed = (findings: ProgramFinding[], rules: Rules | null) => {
    const open = new Set(appointments.running().flatMap(({ identifier, money_pages }) => (money_pages ? [identifier] : [])));
    for (const { match, process } of findings) {
      if (match.category !== 'RemoteControl' || (rules && actionFor(match, rules, now()) === 'block')) continue;
      if (open.has(match.identifier) && match.certainty === 'certain') continue;
      if (os.startedBy(process) === 'other') moneyRest.noteRemoteControl(process);
    }
  };
  const startsSeen = newStarts();
  const fetched = fetchedStarts({ os, now });
  /** `running`: all that was reported, of which `processes` have just started. */
  const inspectStarts = (processes: ProcessSeen[], running: ProcessSeen[], set: CompiledRecognition | null) => {
    const { pasted_commands, new_programs, doors, answers } = inForce.unlisted();
    const tunnelsBy = ({ tunnels }: CompiledRecognition) => [
      ...detectTunnels(processes, tunnels, os.commandOf),
      ...meshVpns.appeared(running, isInventory, tunnels),
    ];
    for (const tunnel of set && doors !== 'ignore' ? tunnelsBy(set) : []) {
      endAppointments();
      void reporter.report(tunnel, false, inForce.identity).catch(logNotWritten);
    }
    const take = (finding: StartFinding, action: PolicyAction) => {
      const step = decideStart(finding, action, { answers, signedNow: inForce.signedNow() });
      if (step) waiting.take(step, inForce.identity);
      if (step && step.kind !== 'report_only' && finding.match.category === 'PastedCommand') endAppointments();
      return step;
    };
    const commandsOf = (seen: ProcessSeen[]) => {
      if (!set || pasted_commands === 'ignore') return [];
      const { commands } = set;
      const read = (process: ProcessSeen) => {
        const command = runsCommands(process.program, commands) || fetched.isWatching(process, commands) ? os.commandOf(process) : null;
        if (command) fetched.note(process, command, commands);
        return command ? [{ process, command }] : [];
      };
      const observed = seen.flatMap(read).map(({ process, command }) => {
        const fetch = fetched.of(process, command, commands);
        const fetched_from = fetch?.address ?? null;
        return { process, command, fetched_from, id: commandId(command, fetch?.line) };
      });
      return detectCommands(observed, commands);
    };
    const refused = refusedIn(answers, inForce.signedNow());
    const isRefused = ({ match }: StartFinding) => refused.includes(match.identifier);
    // A no can come after a yes, which let it run. Each new policy takes an inventory.
    const before = isInventory && refused.length ? running.filter((process) => !processes.includes(process)) : [];
    const commands = commandsOf(processes);
    for (const finding of commands) take(finding, pasted_commands);
    if (pasted_commands === 'block') for (const finding of commandsOf(before).filter(isRefused)) take(finding, 'block');
    if (!launches || !inForce.policy) return;
    if (new_programs !== 'count') {
      launches.forget(refused);
      for (const finding of launches.newOf(before).filter(isRefused)) take(finding, 'block');
    }
    const others = processes.filter((process) => !commands.some((one) => one.process === process));
    for (const finding of launches.newOf(others)) {
      const isAsked = new_programs === 'always' || (new_programs === 'incident' && deps.isLocked());
      const waits = isAsked || (new_programs === 'incident' && isRefused(finding));
      if (waits && take(finding, 'block')) continue;
      if (launches.noteRun(finding.match.identifier) && !waits) deps.countNewProgram();
    }
  };
  /** A client that goes out is treated as if it were on no list (P15.3). What has ended meanwhile cannot be read, and lets nobody in. */
  const goesOut = ({ process, is_client }: ProgramFinding): boolean => {
    if (!is_client || !launches) return false;
    const args = os.commandOf(process)?.args ?? null;
    if (args === null && !os.isRunning(process)) return true;
    const { os: system, name } = (process.runs ?? process).program;
    return isOnlyOutgoing({
      os: system,
      name,
      args: args && args.slice(process.runs?.skipped ?? 0),
      fileOf: (path) => launches.fileOf(process, path),
    });
  };
  const inspect = (processes: ProcessSeen[]) => {
    starts.checkClock();
    const started = startsSeen.of(processes, isInventory);
    if (isFirstScan) starts.ranAtStart(processes);
    const set = inForce.compiled();
    const findings = set ? detectPrograms(processes, set, os.namedLibraries).filter((finding) => !goesOut(finding)) : [];
    // What is on the list is decided by the list.
    const isUnlisted = (process: ProcessSeen) => !findings.some((one) => one.process === process);
    inspectStarts(started.filter(isUnlisted), processes.filter(isUnlisted), set);
    // Nearly all programs are unknown, and reading the rules in force reads the clock several times.
    if (!findings.length) return;
    const rules = inForce.rules();
    if (!rules && inForce.isPauseCautious() && endsPause(findings)) return endPause();
    noteAllowed(findings, rules);
    if (!rules) return;
    for (const found of findings) {
      // Read before the action, which ends the program.
      const finding = { ...found, start: starts.startOf(found.process), seen_before: inspected.add(found) };
      // *End it now* means it, whatever else lets the program run: the list and the profile count again a minute later.
      if (appointments.endsCalmly(found.match.identifier)) {
        response.endCalmly({ kind: 'end_process', finding });
        continue;
      }
      const step = decideProgram(finding, rules, { now: now(), signedNow: inForce.signedNow() });
      if (!step) continue;
      response.take(step, inForce.identity);
      if (step.kind === 'end_process' && found.match.category === 'RemoteControl' && finding.start !== 'system') endAppointments();
    }
  };

  let watch: { close(): void } | null = null;
  let inventory: NodeJS.Immediate | undefined;
  const observe = () => {
    watch?.close();
    // The first report comes at once, and contains all programs.
    isInventory = true;
    watch = os.watchProcesses(WATCH_MS, (processes) => {
      inspect(processes);
      if (!isInventory && startsSeen.isInventoryDue()) inventory ??= setImmediate(observe);
    });
    isInventory = false;
    inventory = undefined;
  };
  let isClosed = false;
  const rescan = () => {
    // A policy may still arrive; then nothing is observed, refused or stored any more.
    if (isClosed) return;
    os.denyStarts?.(deniedNames(inForce.rules(), inForce.definitions(), now()));
    os.allowRestarts?.((program) => stillBlocked(program, inForce.rules(), inForce.compiled(), now()));
    observe();
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
      waiting.review();
      rescan();
    },
    siteTried(attempt) {
      const step = decideSite(detectSite(attempt));
      // The identity is read before the action, because it may change meanwhile. A paused site is shown, and reported only when somebody
      // wants to open it.
      const identity = step.finding.match.category === 'PausedSite' ? null : inForce.identity;
      void act<'refuse_name' | 'report_only'>(step)
        .then((blocked) => reporter.report(step.finding, blocked, identity))
        .catch(logNotWritten);
    },
    async close(leave) {
      isClosed = true;
      clearInterval(retrying);
      expiryWatch.close();
      clearImmediate(inventory);
      watch?.close();
      // Removes the block on starting programs, which must not outlast the agent.
      os.denyStarts?.([]);
      await Promise.all([response.settled(), waiting.close(leave === 'leave'), launches?.saved(), meshVpns.saved()]);
    },
  };
}

/** Milliseconds between checks; the longest delay after a clock change or sleep. */
const EXPIRY_CHECK_MS = 1000;

/** Calls `ended` when an allow-list entry expires. Polls, because one long timer would miss clock changes and stop during sleep. */
function watchAllowListExpiry(deps: { now: () => Date; allow: () => DevicePolicy['allow']; ended: () => void }): { close(): void } {
  let lastCheck = deps.now().getTime();
  let timer: NodeJS.Timeout;
  const check = () => {
    const now = deps.now().getTime();
    const expiryTimes = deps.allow().flatMap(({ until }) => (until === null ? [] : [Date.parse(until)]));
    if (expiryTimes.some((end) => lastCheck < end && end <= now)) deps.ended();
    lastCheck = now;
    timer = setTimeout(check, Math.min(EXPIRY_CHECK_MS, ...expiryTimes.filter((end) => end > now).map((end) => end - now)));
  };
  check();
  return { close: () => clearTimeout(timer) };
}

/** The same command has the same id, whichever process of its pipeline is observed first. `fetch`: the command that fetched what it starts. */
export const commandId = ({ line, pipeline }: Pick<ProcessCommand, 'line' | 'pipeline'>, fetch?: string): string =>
  createHash('sha256')
    .update([line, ...pipeline.map((one) => one.line), ...(fetch === undefined ? [] : [fetch])].toSorted().join('\n'))
    .digest('hex')
    .slice(0, 24);

/**
 * Whether this program would be ended now. Without definitions every program might be dangerous; without a policy no program is blocked.
 */
function stillBlocked(program: ProgramSeen, rules: Rules | null, set: CompiledSet | null, now: Date): boolean {
  if (!rules || !set) return rules !== null;
  const match = matchProgram(program, set);
  return match !== null && actionFor(match, rules, now) === 'block';
}
