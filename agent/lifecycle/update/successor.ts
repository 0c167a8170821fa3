import { type ChildProcess, spawn } from 'node:child_process';
import { within } from '../../lib/within.ts';

export type FromSuccessor = 'loaded' | 'protecting';
export type ToSuccessor = 'go';

export const successorMark = 'PORCHLIGHT_SUCCESSOR';

export interface HandOverDeps {
  program: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  timeouts: { load: number; stepBack: number; protect: number };
  /** Releases what only one agent can have: the folder, the port, the server connection. Programs are still stopped. */
  stepBack(): Promise<void>;
  takeBack(): Promise<void>;
  tookOver?: ((pid: number) => void) | undefined;
}

/**
 * Starts a new agent and hands over. True when the new agent protects; otherwise the new agent is stopped and this agent resumes. Programs
 * are stopped throughout.
 */
export async function handOver({ program, args, env, timeouts, stepBack, takeBack, tookOver }: HandOverDeps): Promise<boolean> {
  const child = spawn(program, args, {
    env: { ...env, [successorMark]: '1' },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const waitForMessage = listen(child);
  if (!(await waitForMessage('loaded', timeouts.load))) {
    await end(child);
    return false;
  }
  const hasSteppedBack = await within(timeouts.stepBack, stepBack()).catch(() => false);
  if (hasSteppedBack) child.send('go' satisfies ToSuccessor, () => {});
  if (hasSteppedBack && (await waitForMessage('protecting', timeouts.protect))) {
    if (child.pid !== undefined) tookOver?.(child.pid);
    child.disconnect();
    child.unref();
    return true;
  }
  await end(child);
  await takeBack();
  return false;
}

function listen(child: ChildProcess): (message: FromSuccessor, within: number) => Promise<boolean> {
  const received = new Set<unknown>();
  let hasEnded = false;
  let check = () => {};
  child.on('message', (message) => {
    received.add(message);
    check();
  });
  for (const event of ['exit', 'error', 'disconnect'])
    child.on(event, () => {
      hasEnded = true;
      check();
    });
  return (message, within) =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), within);
      check = () => {
        if (!received.has(message) && !hasEnded) return;
        clearTimeout(timer);
        resolve(received.has(message));
      };
      check();
    });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
