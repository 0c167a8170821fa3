import { type ChildProcess, spawn } from 'node:child_process';
import { within } from '../../lib/within.ts';

/** What a new agent tells the old one over the channel between them, and is told. */
export type FromSuccessor = 'loaded' | 'protecting';
export type ToSuccessor = 'go';

/** Set for a program that is started to take over. */
export const successorMark = 'PORCHLIGHT_SUCCESSOR';

export interface HandOverDeps {
  program: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** How long it may take to load, this one to step back, and then that one to protect. In milliseconds. */
  timeouts: { load: number; stepBack: number; protect: number };
  /** Gives up what only one can have: the folder, the port, the talk with the server. Programs are still stopped. */
  stepBack(): Promise<void>;
  /** Takes all that again: the successor is gone. */
  takeBack(): Promise<void>;
  /** The successor protects. */
  took?: ((pid: number) => void) | undefined;
}

/**
 * Starts a new agent beside this one and hands over. True when it protects: then this one may go. False when it did not load, ended, did
 * not protect in time, or this one did not step back: then it is gone, and all is as before. This agent stops programs all the while, whatever becomes of the other.
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
  // It may have ended meanwhile: that shows in its silence.
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

/** Waits for a word of the child; false when it ends, or says nothing for so long. */
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
