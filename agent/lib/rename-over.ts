import { rename } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** On Windows whoever has a file open just then, be it a virus scanner or another process of ours, keeps it from being replaced. */
const passing = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** Milliseconds between the tries; after the last one it is said. Elsewhere these errors stay, and cost this long. */
const waits = [10, 20, 50, 100, 200, 400];

/** Puts a file in the place of another, whole or not at all. Throws the last error. */
export async function renameOver(from: string, to: string, move: (from: string, to: string) => Promise<void> = rename): Promise<void> {
  for (const ms of waits) {
    try {
      return await move(from, to);
    } catch (err) {
      if (!passing.has((err as NodeJS.ErrnoException).code ?? '')) throw err;
    }
    await wait(ms);
  }
  await move(from, to);
}
