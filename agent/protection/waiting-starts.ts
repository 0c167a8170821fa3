import type { UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { processIdentity } from '../lib/process-identity.ts';
import type { Os, SuspendedProcess } from '../os/port.ts';
import type { StartState } from '../ports.ts';
import type { WaitingStart } from '../state/waiting-starts-file.ts';
import type { Act } from './act.ts';
import { answerTo, type StartStep } from './decide.ts';
import type { StartFinding } from './detectors/detector.ts';

/** Milliseconds between checks, while something waits, that nobody let it go on: a shell does that at one key. */
const CHECK_MS = 50;
/** What starts while so many wait is ended at once: each is checked twenty times a second. */
export const WAITING_MAX = 50;
/** A question lapses after a day (P10.3). */
const LAPSES_MS = 24 * 3_600_000;

export interface StartReporter<Whose> {
  report(finding: StartFinding, blocked: boolean, whose: Whose, more?: { start: StartState }): Promise<void>;
}

export interface WaitingStartsDeps<Whose> {
  os: Pick<Os, 'areSuspended' | 'endSuspended' | 'isRunning' | 'resume' | 'suspend'>;
  act: Act;
  reporter: StartReporter<Whose>;
  file: { read(): Promise<WaitingStart[]>; writeNow(waiting: WaitingStart[]): void };
  answers: () => UnlistedPolicy['answers'];
  signedNow: () => Date;
  /** A start goes on after a yes. */
  goesOn: (identifier: string) => void;
  /** What its starts are now, for the window. */
  became: (identifier: string, state: StartState) => void;
  failed: (err: unknown) => void;
}

export interface WaitingStarts<Whose> {
  take(step: StartStep, whose: Whose): void;
  /** Call with each new policy: a yes lets a start go on, and a no ends it. */
  review(): void;
  /** Resolves when running work is done. `leave`: the starts go on waiting, for the agent that follows. Otherwise they are ended. */
  close(leave: boolean): Promise<void>;
}

/** Starts that are suspended until somebody answers (P12.3, P12.4). They outlast a crash of the agent, and are found again by the next one. */
export async function waitingStarts<Whose>(deps: WaitingStartsDeps<Whose>): Promise<WaitingStarts<Whose>> {
  const { os, act, reporter, file, failed } = deps;
  const stored = (await file.read()).filter(({ processes }) => processes.some(os.isRunning));
  let waiting: WaitingStart[] = await Promise.all(
    stored.map(async ({ begun, ...start }) =>
      begun ? { ...start, processes: (await os.suspend(start.processes).catch(() => null)) ?? start.processes } : start,
    ),
  );
  const unfinished = new Map<StartFinding, WaitingStart>();
  const inProgress = new Set<string>();
  const ending = new Set<string>();
  const work = new Set<Promise<unknown>>();
  let checking: NodeJS.Timeout | undefined;

  const run = (step: () => Promise<unknown>) => {
    const running = step().catch(failed);
    work.add(running);
    void running.finally(() => work.delete(running));
  };
  const checkWhileWaiting = () => {
    clearInterval(checking);
    checking = waiting.length ? setInterval(check, CHECK_MS) : undefined;
  };
  const store = () => {
    try {
      file.writeNow([...waiting, ...unfinished.values()]);
    } catch (err) {
      failed(err);
    }
  };
  const replaceList = (next: WaitingStart[]) => {
    waiting = next;
    checkWhileWaiting();
    store();
  };
  /** Each is ended once, however often it is observed until then. */
  const end = async <Result>(processes: SuspendedProcess[], step: () => Promise<Result>): Promise<Result> => {
    for (const one of processes) ending.add(processIdentity(one));
    try {
      return await step();
    } finally {
      for (const one of processes) ending.delete(processIdentity(one));
    }
  };

  /** Takes those out of the list that `decide` lets run or ends. */
  const sort = (decide: (one: WaitingStart) => StartState) => {
    const decided = waiting.map((one) => ({ one, state: decide(one) }));
    const left = decided.flatMap(({ one, state }) => (state === 'waits' ? [one] : []));
    if (left.length === waiting.length) return;
    for (const { one, state } of decided) {
      if (state === 'waits') continue;
      if (state === 'runs') {
        os.resume(one.processes);
        deps.goesOn(one.identifier);
      } else run(() => end(one.processes, () => os.endSuspended(one.processes)));
      if (!left.some(({ identifier }) => identifier === one.identifier)) deps.became(one.identifier, state);
    }
    replaceList(left);
  };
  const check = () => {
    const now = deps.signedNow().getTime();
    sort(({ processes, since }) => {
      const isLapsed = now - Date.parse(since) >= LAPSES_MS;
      return isLapsed || !os.areSuspended(processes) || !processes.some(os.isRunning) ? 'ended' : 'waits';
    });
  };
  const review = () => {
    const [answers, signedNow] = [deps.answers(), deps.signedNow()];
    sort(({ identifier }) => {
      const answer = answerTo(identifier, answers, signedNow);
      if (answer === null) return 'waits';
      return answer === 'yes' ? 'runs' : 'refused';
    });
  };
  const stateOf = (identifier: string): StartState => {
    if (waiting.some((one) => one.identifier === identifier)) return 'waits';
    const answer = answerTo(identifier, deps.answers(), deps.signedNow());
    return answer === null ? 'ended' : answer === 'yes' ? 'runs' : 'refused';
  };
  const isWaiting = (process: SuspendedProcess) =>
    inProgress.has(processIdentity(process)) ||
    ending.has(processIdentity(process)) ||
    waiting.some(({ processes }) => processes.some((one) => processIdentity(one) === processIdentity(process)));

  const suspend = async (finding: StartFinding, whose: Whose): Promise<void> => {
    const { identifier, name } = finding.match;
    const start = {
      identifier,
      name,
      processes: finding.roots.map(({ pid, started }) => ({ pid, started })),
      since: deps.signedNow().toISOString(),
    };
    for (const root of finding.roots) inProgress.add(processIdentity(root));
    // Written first: an agent that ends before it knows all processes would leave them suspended, and nobody would know of them.
    unfinished.set(finding, { ...start, begun: true });
    store();
    try {
      const processes = await act({ kind: 'suspend', finding });
      unfinished.delete(finding);
      replaceList(processes ? [...waiting, { ...start, processes }] : waiting);
      if (processes) review();
      await reporter.report(finding, processes !== null, whose, { start: stateOf(identifier) });
      // An answer may have come while the report was written.
      deps.became(identifier, stateOf(identifier));
    } finally {
      for (const root of finding.roots) inProgress.delete(processIdentity(root));
    }
  };

  checkWhileWaiting();
  return {
    take(step, whose) {
      const { finding } = step;
      // The processes of one pipeline are observed one by one.
      if (isWaiting(finding.process)) return;
      if (step.kind === 'report_only') return run(() => reporter.report(finding, false, whose));
      if (step.kind === 'suspend' && waiting.length + inProgress.size < WAITING_MAX) return run(() => suspend(finding, whose));
      const start = step.kind === 'suspend' ? 'ended' : 'refused';
      run(async () => {
        const isEnded = await end(finding.roots, () => act({ kind: 'end_start', finding }));
        await reporter.report(finding, isEnded, whose, { start });
      });
    },
    review,
    async close(leave) {
      clearInterval(checking);
      await Promise.all(work);
      if (leave) return;
      sort(() => 'ended');
      clearInterval(checking);
      await Promise.all(work);
    },
  };
}
