import { rename } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** Error codes on Windows when another process, such as a virus scanner, has the file open, so that it cannot be replaced yet. */
const transientErrors = new Set(['EPERM', 'EACCES', 'EBUSY']);
const waits = [10, 20, 50, 100, 200, 400];

export async function renameOver(from: string, to: string, move: (from: string, to: string) => Promise<void> = rename): Promise<void> {
  for (const ms of waits) {
    try {
      return await move(from, to);
    } catch (err) {
      if (!transientErrors.has((err as NodeJS.ErrnoException).code ?? '')) throw err;
    }
    await wait(ms);
  }
  await move(from, to);
}
