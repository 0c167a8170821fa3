import { type ChildProcess, spawn } from 'node:child_process';
import { messages } from '../ui/messages/messages.ts';

const option = '--keep-running';
/** The environment variable that marks a supervised agent; its value is `again` after a restart. */
export const supervisedVariable = 'AGENT_SUPERVISED';

/** Milliseconds before each restart, growing while the agent crashes at once; the agent must be back within 5 s. */
const waits = [100, 100, 250, 500, 1000];
const STABLE_MS = 60_000;

export function withoutKeepRunning(args: string[]): string[] | null {
  return args.includes(option) ? args.filter((arg) => arg !== option) : null;
}

/** Starts a supervisor when the former was lost; this agent then yields to the agent of the new supervisor. */
export function startSupervisor(command: string[], env: NodeJS.ProcessEnv): void {
  const [file = '', ...args] = command;
  const child = spawn(file, [...args, option], { env: { ...env, [supervisedVariable]: 'again' }, detached: true, stdio: 'inherit' });
  child.unref();
}

export interface SupervisorDeps {
  command: string[];
  args: string[];
  env: NodeJS.ProcessEnv;
  print: (sentence: string) => void;
}

export interface Supervisor {
  /** Resolves with the exit code when the agent was asked to stop or refused to start. */
  ended: Promise<number>;
  signal(name: NodeJS.Signals): void;
}

/** Starts the agent and restarts it after a crash (P4.7). Not needed under systemd. */
export function supervise({ command, args, env, print }: SupervisorDeps): Supervisor {
  const [file = '', ...programArgs] = command;
  let child: ChildProcess;
  let stopRequested = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let resolveEnded: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    resolveEnded = resolve;
  });

  const start = (isRestart: boolean) => {
    let ready = isRestart;
    const since = performance.now();
    child = spawn(file, [...programArgs, ...args], {
      env: { ...env, [supervisedVariable]: isRestart ? 'again' : 'first' },
      stdio: [isRestart ? 'ignore' : 'inherit', 'inherit', 'inherit', 'ipc'],
    });
    child.once('message', () => {
      ready = true;
    });
    child.once('error', () => resolveEnded(1));
    child.once('exit', (code, signal) => {
      if (code === 0 || stopRequested || (!ready && !signal)) return resolveEnded(code ?? 1);
      if (performance.now() - since > STABLE_MS) failures = 0;
      print(messages.terminal.died);
      timer = setTimeout(start, waits[Math.min(failures++, waits.length - 1)], true);
    });
  };
  start(env[supervisedVariable] === 'again');
  return {
    ended,
    signal(name) {
      stopRequested = true;
      clearTimeout(timer);
      if (!child.kill(name)) resolveEnded(0);
    },
  };
}
