import { type ChildProcess, spawn } from 'node:child_process';
import { messages } from '../ui/messages/messages.ts';

/** The option that asks for it. */
const option = '--keep-running';
/** Tells the agent that it is looked after, and whether it is there again. */
export const supervisedVariable = 'AGENT_SUPERVISED';

/** In milliseconds: how long it waits before it starts the agent again; longer each time while it ends at once, and never so long that it is not back in 5 s. */
const waits = [100, 100, 250, 500, 1000];
/** Whoever has run for so long starts at the beginning of these. */
const wellAfter = 60_000;

/** The arguments without the option; null when it is not among them. */
export function withoutKeepRunning(args: string[]): string[] | null {
  return args.includes(option) ? args.filter((arg) => arg !== option) : null;
}

/** An agent that lost whoever looks after it starts a new one, and makes room for it. */
export function startSupervisor(command: string[], env: NodeJS.ProcessEnv): void {
  const [file = '', ...args] = command;
  const child = spawn(file, [...args, option], { env: { ...env, [supervisedVariable]: 'again' }, detached: true, stdio: 'inherit' });
  child.unref();
}

export interface SupervisorDeps {
  /** Starts the agent: file and arguments. */
  command: string[];
  args: string[];
  env: NodeJS.ProcessEnv;
  print: (sentence: string) => void;
}

export interface Supervisor {
  /** The exit code, when the agent has ended for good: it was told to, or refused to start at all. */
  over: Promise<number>;
  /** Passed on. */
  signal(name: NodeJS.Signals): void;
}

/** Starts the agent, and starts it again whenever it ends without having been asked to (P4.7). Where systemd does that, this is not needed. */
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
      // A PIN that is asked for comes in once.
      stdio: [again ? 'ignore' : 'inherit', 'inherit', 'inherit', 'ipc'],
    });
    child.once('message', () => {
      ready = true;
    });
    child.once('error', () => done(1));
    child.once('exit', (code, signal) => {
      // It ended as it should, or said before it ever ran why it cannot.
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
