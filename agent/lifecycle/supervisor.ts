import { type ChildProcess, spawn } from 'node:child_process';
import { messages } from '../ui/messages/messages.ts';

const option = '--keep-running';
/** Set for a supervised agent; `again` after a restart. */
export const supervisedVariable = 'AGENT_SUPERVISED';

/** The delays before a restart, in milliseconds: longer each time while the agent dies at once, and short enough that it is back in 5 s. */
const waits = [100, 100, 250, 500, 1000];
/** An agent that ran this long begins at the first delay again. */
const wellAfter = 60_000;

export function withoutKeepRunning(args: string[]): string[] | null {
  return args.includes(option) ? args.filter((arg) => arg !== option) : null;
}

/** An agent that lost its supervisor starts a new one, and makes room for its agent. */
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
  /** The exit code of an agent that ended for good: it was asked to, or refused to start. */
  over: Promise<number>;
  signal(name: NodeJS.Signals): void;
}

/** Starts the agent, and restarts it whenever it ends unasked (P4.7). systemd makes this superfluous. */
export function supervise({ command, args, env, print }: SupervisorDeps): Supervisor {
  const [file = '', ...first] = command;
  let child: ChildProcess;
  let asked = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let done: (code: number) => void = () => {};
  const over = new Promise<number>((resolve) => {
    done = resolve;
  });

  const start = (again: boolean) => {
    let ready = again;
    const since = performance.now();
    child = spawn(file, [...first, ...args], {
      env: { ...env, [supervisedVariable]: again ? 'again' : 'first' },
      // A PIN comes in once.
      stdio: [again ? 'ignore' : 'inherit', 'inherit', 'inherit', 'ipc'],
    });
    child.once('message', () => {
      ready = true;
    });
    child.once('error', () => done(1));
    child.once('exit', (code, signal) => {
      // The agent ended as it should, or refused to start and said why.
      if (code === 0 || asked || (!ready && !signal)) return done(code ?? 1);
      if (performance.now() - since > wellAfter) failures = 0;
      print(messages.terminal.died);
      timer = setTimeout(start, waits[Math.min(failures++, waits.length - 1)], true);
    });
  };
  start(env[supervisedVariable] === 'again');
  return {
    over,
    signal(name) {
      asked = true;
      clearTimeout(timer);
      if (!child.kill(name)) done(0);
    },
  };
}
