import type { UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { processIdentity } from '../lib/process-identity.ts';
import type { Os, SuspendedProcess } from '../os/port.ts';
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
  report(finding: StartFinding, blocked: boolean, whose: Whose): Promise<void>;
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
  const end = (one: WaitingStart) => run(() => os.endSuspended(one.processes));

  /** Takes those out of the list that `decide` resumes or ends. */
  const sort = (decide: (one: WaitingStart) => 'resume' | 'end' | 'wait') => {
    const left = waiting.filter((one) => {
      const decision = decide(one);
      if (decision === 'resume') {
        os.resume(one.processes);
        deps.goesOn(one.identifier);
      }
      if (decision === 'end') end(one);
      return decision === 'wait';
    });
    if (left.length !== waiting.length) replaceList(left);
  };
  const check = () => {
    const now = deps.signedNow().getTime();
    sort(({ processes, since }) => {
      const isLapsed = now - Date.parse(since) >= LAPSES_MS;
      return isLapsed || !os.areSuspended(processes) || !processes.some(os.isRunning) ? 'end' : 'wait';
    });
  };
  const review = () => {
    const [answers, signedNow] = [deps.answers(), deps.signedNow()];
    sort(({ identifier }) => {
      const answer = answerTo(identifier, answers, signedNow);
      if (answer === null) return 'wait';
      return answer === 'yes' ? 'resume' : 'end';
    });
  };
  const isWaiting = (process: SuspendedProcess) =>
    inProgress.has(processIdentity(process)) ||
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
      await reporter.report(finding, processes !== null, whose);
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
      run(async () => reporter.report(finding, await act({ kind: 'end_start', finding }), whose));
    },
    review,
    async close(leave) {
      clearInterval(checking);
      await Promise.all(work);
      if (leave) return;
      sort(() => 'end');
      clearInterval(checking);
      await Promise.all(work);
    },
  };
}
