import { type ChildProcess, spawn } from 'node:child_process';
import { within } from '../../lib/within.ts';

/** The messages between the old and the new agent. */
export type FromSuccessor = 'loaded' | 'protecting';
export type ToSuccessor = 'go';

/** Set for a program that is started to take over. */
export const successorMark = 'PORCHLIGHT_SUCCESSOR';

export interface HandOverDeps {
  program: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Milliseconds for the new agent to load, this one to step back, and the new one to protect. */
  timeouts: { load: number; stepBack: number; protect: number };
  /** Gives up what only one agent can have: the folder, the port, the server. Programs are still stopped. */
  stepBack(): Promise<void>;
  /** Takes it all again, because the successor is gone. */
  takeBack(): Promise<void>;
  took?: ((pid: number) => void) | undefined;
}

/**
 * Starts a new agent beside this one and hands over. True when the new one protects: then this one may end. False when it did not load, died, did not
 * protect in time, or this one did not step back: then the new one is gone, and everything is as before. This agent stops programs all the while.
 */
export async function handOver({ program, args, env, timeouts, stepBack, takeBack, took }: HandOverDeps): Promise<boolean> {
  const child = spawn(program, args, {
    env: { ...env, [successorMark]: '1' },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const says = listen(child);
  if (!(await says('loaded', timeouts.load))) {
    await end(child);
    return false;
  }
  const room = await within(timeouts.stepBack, stepBack()).catch(() => false);
  // A child that died meanwhile shows by its silence.
  if (room) child.send('go' satisfies ToSuccessor, () => {});
  if (room && (await says('protecting', timeouts.protect))) {
    if (child.pid !== undefined) took?.(child.pid);
    child.disconnect();
    child.unref();
    return true;
  }
  await end(child);
  await takeBack();
  return false;
}

/** Waits for a message of the child; false when it ends, or at the timeout. */
function listen(child: ChildProcess): (word: FromSuccessor, within: number) => Promise<boolean> {
  const heard = new Set<unknown>();
  let over = false;
  let look = () => {};
  child.on('message', (word) => {
    heard.add(word);
    look();
  });
  for (const event of ['exit', 'error', 'disconnect'])
    child.on(event, () => {
      over = true;
      look();
    });
  return (word, within) =>
    new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), within);
      look = () => {
        if (!heard.has(word) && !over) return;
        clearTimeout(timer);
        resolve(heard.has(word));
      };
      look();
    });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
