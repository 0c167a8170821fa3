import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What the system starts again (systemd, launchd, the services of Windows) knows only the program that it started itself. After an update that one
 * has gone and its successor protects; the system then starts the new program, and the successor makes room for it. The two meet at a file in
 * the agent's own folder, which nobody else can write into.
 */
const waitingIn = (folder: string) => join(folder, 'waiting');
const POLL_MS = 50;

/** For the program that the system starts: asks whoever holds the folder to make room. `done`: this one protects now. */
export async function requestTakeover(folder: string): Promise<{ done(): Promise<void> }> {
  await writeFile(waitingIn(folder), '', { mode: 0o600 });
  return { done: () => rm(waitingIn(folder), { force: true }) };
}

/**
 * For a successor: waits until it is asked, steps back, and resolves when the other one protects. What does not come to that within `timeout` ms
 * has failed, and all is taken back. `stop` ends the waiting.
 */
export async function yieldToRequests(
  folder: string,
  timeout: number,
  stop: AbortSignal,
  parts: { stepBack(): Promise<void>; takeBack(): Promise<void> },
): Promise<void> {
  while (!stop.aborted) {
    await sleep(POLL_MS);
    if (!existsSync(waitingIn(folder))) continue;
    await parts.stepBack();
    for (const end = Date.now() + timeout; Date.now() < end; await sleep(POLL_MS)) if (!existsSync(waitingIn(folder))) return;
    await rm(waitingIn(folder), { force: true });
    await parts.takeBack();
  }
}
