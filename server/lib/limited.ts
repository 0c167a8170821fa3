import { fail } from './errors.ts';

/** Runs so many pieces of work at once, and refuses as busy what comes when more than `waiting` wait for their turn. */
export function limited({ parallel, waiting }: { parallel: number; waiting: number }): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const queue: (() => void)[] = [];

  return async (work) => {
    if (running >= parallel) {
      if (queue.length >= waiting) fail('unavailable', { retry_after: 2 });
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    running++;
    try {
      return await work();
    } finally {
      running--;
      queue.shift()?.();
    }
  };
}
