import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * systemd, launchd and Windows know only the program that they started. After an update that one has ended and its successor protects; the system
 * then starts the new program, and the successor makes room for it. The two meet at a file in the agent's folder, which nobody else can write into.
 */
const waitingIn = (folder: string) => join(folder, 'waiting');
const POLL_MS = 50;

/** Asks the agent that holds the folder to make room. `done`: this one protects now. */
export async function requestTakeover(folder: string): Promise<{ done(): Promise<void> }> {
  await writeFile(waitingIn(folder), '', { mode: 0o600 });
  return { done: () => rm(waitingIn(folder), { force: true }) };
}

/**
 * In a successor: waits until it is asked, steps back, and resolves when the other one protects. Without that within `timeout` ms the successor takes
 * everything back. `stop` ends the waiting.
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
